import FrontEnds
import JSONSchema
import StepKit
import Steps
import Testing
import Values

@testable import BatonKit

/// The schema of flows names the keys that the front end reads, no more and no fewer.
@Suite struct SchemasKeysTests {
  private let flow = SchemaValues.flow
  private let scenarios = SchemaValues.scenarios
  private let project = SchemaValues.project

  @Test func everyPlaceOfAFlowHasTheKeysOfTheFrontEnd() throws {
    let places: [(path: [String], keys: [String])] = [
      ([], NativeKeys.flow), (["$defs", "defaults"], NativeKeys.defaults), (["$defs", "budget"], NativeKeys.budget),
      (["$defs", "outputs", "additionalProperties", "then"], NativeKeys.output), (["$defs", "step"], NativeKeys.step),
      (["$defs", "case"], NativeKeys.switchCase), (["$defs", "forEach"], NativeKeys.forEach), (["$defs", "repeat"], NativeKeys.repeating),
      (["$defs", "parallel"], NativeKeys.parallel), (["$defs", "body", "else"], NativeKeys.body), (["$defs", "fail"], NativeKeys.fail),
      (["$defs", "expect", "then"], NativeKeys.expect), (["$defs", "retry"], NativeKeys.retry), (["$defs", "poll"], NativeKeys.poll),
      (["$defs", "idempotencyKey", "then"], NativeKeys.idempotencyKey), (["$defs", "undo", "then"], NativeKeys.undo),
      (["$defs", "reconcile"], NativeKeys.reconcile), (["$defs", "branch"], NativeKeys.branch),
    ]
    try check(places, of: flow)
  }

  @Test func everyPlaceOfScenariosHasTheKeysOfTheFrontEnd() throws {
    let continuation = ["$defs", "continuation", "then"]
    let places: [(path: [String], keys: [String])] = [
      ([], NativeKeys.scenarios), (["$defs", "defaults"], NativeKeys.scenarioDefaults), (["$defs", "case"], NativeKeys.scenario),
      (["$defs", "sandbox"], NativeKeys.sandbox), (["$defs", "fault"], NativeKeys.fault), (["$defs", "event"], NativeKeys.event),
      (["$defs", "route"], NativeKeys.route), (["$defs", "answers", "additionalProperties", "then"], NativeKeys.answerSource),
      (["$defs", "expect"], NativeKeys.scenarioExpect), (["$defs", "requests", "additionalProperties", "then"], NativeKeys.requests),
      (continuation, NativeKeys.continuations), (continuation + ["properties", "run"], NativeKeys.run),
      (continuation + ["properties", "resume"], NativeKeys.resume),
    ]
    try check(places, of: scenarios)
  }

  @Test func everyPlaceOfTheProjectHasTheKeysOfTheFrontEnd() throws {
    let places: [(path: [String], keys: [String])] = [
      ([], NativeKeys.project), (["$defs", "environment"], NativeKeys.environment), (["$defs", "source"], NativeKeys.valueSource),
    ]
    try check(places, of: project)
  }

  /// Beside an action stand its companions and its modifiers, and no other key; what is for emergencies alone the
  /// catalogue says.
  @Test(arguments: NativeKeys.actions)
  func besideAnActionStandsWhatTheFrontEndTakes(_ action: String) throws {
    let allowed = NativeKeys.companions(of: action) + NativeKeys.modifiers(of: action)
    let schema = try SchemaSubject.flow.schema()
    for key in NativeKeys.companions + NativeKeys.modifiers where !FlowSchema.ofEmergencies.contains(key) || !allowed.contains(key) {
      let violations = schema.validate(["steps": [Value.map(action, 1).with(key, 1)]]).filter { $0.instancePath == "/steps/0/\(key)" }
      #expect(violations.contains { $0.message.hasSuffix(Self.refusal) } == !allowed.contains(key), "\(key): \(violations.map(\.message))")
    }
  }

  /// What `false` as a schema says of every value.
  private static let refusal = "` is not allowed"

  private func check(_ places: [(path: [String], keys: [String])], of schema: Value) throws {
    for (path, keys) in places {
      let place = try #require(path.reduce(schema) { $0?.member($1) }, "\(path)")
      #expect(place["properties"]?.mapValue?.map(\.key.text) == keys, "\(path)")
      #expect(place["additionalProperties"] == false, "\(path)")
    }
  }

  @Test func stepsAndSystemsAreThoseOfTheCatalogue() {
    let catalogue = StepCatalogue.standard
    let systems = catalogue.systems.map(\.name)
    #expect(flow["$defs"]?["step"]?["properties"]?["uses"]?["enum"] == .list(catalogue.stepNames.map { .string($0) }))
    #expect(flow["properties"]?["connections"]?["properties"]?.mapValue?.map(\.key.text) == systems)
    let environment = project["$defs"]?["environment"]
    #expect(environment?["properties"]?["connections"]?["properties"]?.mapValue?.map(\.key.text) == systems)
    let given = scenarios["$defs"]?["sandbox"]?["properties"]?["given"]
    #expect(given?["properties"]?.mapValue?.map(\.key.text) == ScenariosSchema(.standard, systems: SandboxCatalogue.standard).systemNames)
  }

  /// An editor has something to say of every key.
  @Test(arguments: [SchemaCommand.Kind.flow, .scenarios, .project])
  func everyKeyIsDescribed(_ kind: SchemaCommand.Kind) {
    let schema = SchemaValues.of(kind)
    var silent: [String] = []
    SchemaWalk.visit(schema) { place, path in
      // The keywords of JSON Schema that flows hardly use have names only; conditions repeat what is described elsewhere.
      guard !path.hasPrefix("#/$defs/input/"), !["#/$defs/schema", "#/$defs/objectSchema", "#/$defs/state"].contains(path),
        !path.contains("/if"),
        !path.contains("/allOf/"), !path.hasPrefix("#/$defs/change."), !path.hasPrefix("#/$defs/given.")
      else { return }
      for (name, member) in place["properties"]?.mapValue ?? ValueMap() where member != false && !isDescribed(member, in: schema) {
        silent.append("\(path) \(name.text)")
      }
    }
    #expect(silent == [])
  }

  private func isDescribed(_ member: Value, in schema: Value) -> Bool {
    if member["description"]?.stringValue?.isEmpty == false { return true }
    guard let reference = member["$ref"]?.stringValue?.dropFirst("#/$defs/".count) else { return false }
    return schema["$defs"]?[String(reference)].map { isDescribed($0, in: schema) } ?? false
  }
}

extension Value {
  fileprivate func member(_ name: String) -> Value? {
    if let index = Int(name), let items = listValue { return items.indices.contains(index) ? items[index] : nil }
    return self[name]
  }
}
