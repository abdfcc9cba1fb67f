import FrontEnds
import JSONSchema
import StepKit
import Steps
import Testing
import Values

@testable import BatonKit

/// The schema of flows names the keys that the front end reads, no more and no fewer.
@Suite struct SchemasKeysTests {
  private let schema = SchemaCommand.Kind.flow.schema

  @Test func everyPlaceHasTheKeysOfTheFrontEnd() throws {
    let places: [(path: [String], keys: [String])] = [
      ([], NativeKeys.flow), (["$defs", "defaults"], NativeKeys.defaults), (["$defs", "budget"], NativeKeys.budget),
      (["$defs", "outputs", "additionalProperties", "then"], NativeKeys.output), (["$defs", "step"], NativeKeys.step),
      (["$defs", "fail"], NativeKeys.fail), (["$defs", "expect", "anyOf", "1"], NativeKeys.expect), (["$defs", "retry"], NativeKeys.retry),
      (["$defs", "branch"], NativeKeys.branch),
    ]
    for (path, keys) in places {
      let place = try #require(path.reduce(schema) { $0?.member($1) }, "\(path)")
      #expect(place["properties"]?.mapValue?.map(\.key.text) == keys, "\(path)")
      #expect(place["additionalProperties"] == false, "\(path)")
    }
  }

  @Test func stepsAndSystemsAreThoseOfTheCatalogue() {
    let catalogue = StepCatalogue.standard
    #expect(schema["$defs"]?["step"]?["properties"]?["uses"]?["enum"] == .list(catalogue.stepNames.map { .string($0) }))
    #expect(schema["properties"]?["connections"]?["properties"]?.mapValue?.map(\.key.text) == catalogue.systems.map(\.name))
  }

  /// An editor has something to say of every key.
  @Test func everyKeyIsDescribed() {
    var silent: [String] = []
    SchemaWalk.visit(schema) { place, path in
      // The keywords of JSON Schema that flows hardly use have names only; conditions repeat what is described elsewhere.
      guard !path.hasPrefix("#/$defs/input/"), path != "#/$defs/schema", !path.contains("/if"), !path.contains("/allOf/"),
        !path.hasSuffix("/else")
      else { return }
      for (name, member) in place["properties"]?.mapValue ?? ValueMap() where !isDescribed(member) { silent.append("\(path) \(name.text)") }
    }
    #expect(silent == [])
  }

  private func isDescribed(_ member: Value) -> Bool {
    if member["description"]?.stringValue?.isEmpty == false { return true }
    guard let reference = member["$ref"]?.stringValue?.dropFirst("#/$defs/".count) else { return false }
    return schema["$defs"]?[String(reference)].map(isDescribed) ?? false
  }
}

extension Value {
  fileprivate func member(_ name: String) -> Value? {
    if let index = Int(name), let items = listValue { return items.indices.contains(index) ? items[index] : nil }
    return self[name]
  }
}
