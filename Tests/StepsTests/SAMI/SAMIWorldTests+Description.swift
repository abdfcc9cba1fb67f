import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

/// The OpenAPI description that the sandbox has of itself.
extension SAMIWorldTests {
  @Test("is described, each operation once, with an answer for every status")
  func description() throws {
    let api = try #require(SAMISandbox().api)
    #expect(api.operations.count == 46)
    #expect(Set(api.operations.map(\.id)).count == api.operations.count)
    let routes = Set(SAMISandbox().routes.map { "\($0.method) \($0.path)" })
    #expect(Set(api.operations.map { "\($0.method) \($0.path)" }) == routes)
    for operation in api.operations { #expect(Set(operation.answers.map(\.status)).count == operation.answers.count, "\(operation.id)") }
    let device = try #require(api.schemas.first { $0.0 == "Device" }?.1)
    // A list of devices tells it of none of them.
    #expect(device["required"]?.listValue?.contains("uid") == false)
    for (_, schema) in api.schemas { #expect(throws: Never.self) { try SchemaShape(schema.withoutReferences) } }
  }
}

extension Value {
  /// The schema with each reference open, so that it can be compiled alone.
  fileprivate var withoutReferences: Value {
    switch self {
    case .map(let map): map["$ref"] != nil ? [:] : .map(map.mapValues(\.withoutReferences))
    case .list(let items): .list(items.map(\.withoutReferences))
    default: self
    }
  }
}
