import StepKit
import Values

extension StepPage {
  /// For programs: `inputs` and `outputs` are JSON Schemas.
  var value: Value {
    let about = step.about
    var map = ValueMap()
    map["name"] = .string(about.name)
    map["system"] = system.map { .string($0.name) } ?? .null
    map["system_title"] = system.map { .string($0.title) } ?? .null
    map["summary"] = .string(about.summary)
    map["effect"] = .string(about.effect.rawValue)
    map["token"] = .string(about.token.rawValue)
    map["signs_in"] = .bool(about.signsIn)
    map["signs_out"] = .bool(about.signsOut != .never)
    map["emergency"] = .bool(about.isEmergency)
    map["connection"] = system.map { .texts($0.settings().fields.map(\.name)) } ?? .list([])
    map["needs"] = needsValue
    map["inputs"] = step.input().jsonSchema
    map["outputs"] = step.output().jsonSchema
    map["errors"] = .list(step.errors.map(\.value))
    map["example"] = [
      "with": Self.parsed(step.example.with), "outputs": Self.parsed(step.example.outputs), "given": Self.parsed(step.example.given),
      "before": .list(step.example.before.map { ["uses": .string($0.step), "with": Self.parsed($0.with)] }),
    ]
    return .map(map)
  }
}

extension StepError {
  fileprivate var value: Value {
    ["code": .string(code), "title": .string(title), "help": .string(help), "rejected": .bool(isRejected)]
  }
}
