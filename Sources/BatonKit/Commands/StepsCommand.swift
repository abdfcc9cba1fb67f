import Diagnostics
import SourceText
import StepKit
import Steps
import Values

/// `baton steps [NAME] [--json]`: the catalogue of typed steps.
public struct StepsCommand: Sendable {
  /// A step's name, or text to search for; nil lists all.
  public var name: String?
  public var printsJSON: Bool

  public init(name: String? = nil, printsJSON: Bool = false) {
    self.name = name
    self.printsJSON = printsJSON
  }

  public func execute(_ terminal: Terminal) -> Int {
    let catalogue = StepCatalogue.standard
    guard let name else {
      terminal.write(printsJSON ? json(catalogue.all) : list(catalogue.all), to: .output)
      return 0
    }
    if let step = catalogue.step(name) {
      terminal.write(printsJSON ? json([step]) : StepPage(step).text, to: .output)
      return 0
    }
    let matching = catalogue.all.filter { $0.about.name.contains(name) || $0.about.summary.lowercased().contains(name.lowercased()) }
    guard !matching.isEmpty else {
      let nearest = nearestName(to: name, among: catalogue.stepNames)
      terminal.show([
        Diagnostic(
          .unknownStep, "unknown step `\(name)`", at: nil,
          help: nearest.map { ["did you mean `\($0)`?"] } ?? ["`baton steps` lists them all"])
      ])
      return 2
    }
    terminal.write(printsJSON ? json(matching) : list(matching), to: .output)
    return 0
  }

  private func list(_ steps: [AnyStep]) -> String {
    let width = steps.map(\.about.name.count).max() ?? 0
    return steps.map { step in
      step.about.name + String(repeating: " ", count: width - step.about.name.count + 2) + step.about.summary + "\n"
    }.joined()
  }

  private func json(_ steps: [AnyStep]) -> String { Value.list(steps.map { StepPage($0).value }).json(indent: 2) + "\n" }
}

extension StepCatalogue {
  /// Sorted by name.
  fileprivate var all: [AnyStep] { stepNames.compactMap { step($0) } }
}

/// A step's page in the catalogue; everything on it comes from the step's own declaration.
struct StepPage {
  private let step: AnyStep

  init(_ step: AnyStep) { self.step = step }

  var text: String {
    let about = step.about
    var text = "\(about.name)\n  \(about.summary)\n\n"
    text += "  effect  \(about.effect.rawValue)\(about.isEmergency ? " (emergency: needs a `dedupe_key`)" : "")\n"
    text += "  token   \(about.token.rawValue)\(about.signsIn ? " (signs a user in)" : "")\n"
    text += section("inputs", step.input())
    text += section("outputs", step.output())
    if !step.errors.isEmpty {
      text += "\nerrors\n"
      let width = step.errors.map(\.code.count).max() ?? 0
      for error in step.errors { text += "  \(padded(error.code, width))  \(error.title)\(error.help.isEmpty ? "" : " — \(error.help)")\n" }
    }
    return text + "\nexample\n" + example
  }

  var value: Value {
    var map = ValueMap()
    map["name"] = .string(step.about.name)
    map["summary"] = .string(step.about.summary)
    map["effect"] = .string(step.about.effect.rawValue)
    map["token"] = .string(step.about.token.rawValue)
    map["emergency"] = .bool(step.about.isEmergency)
    map["inputs"] = step.input().jsonSchema
    map["outputs"] = step.output().jsonSchema
    map["errors"] = .list(step.errors.map { ["code": .string($0.code), "title": .string($0.title), "rejected": .bool($0.isRejected)] })
    map["example"] = ["with": Self.parsed(step.example.with), "outputs": Self.parsed(step.example.outputs)]
    return .map(map)
  }

  private func section(_ title: String, _ shape: RecordShape) -> String {
    guard !shape.fields.isEmpty else { return "" }
    let width = shape.fields.map(\.name.count).max() ?? 0
    let kinds = shape.fields.map { kind($0) }
    let kindWidth = kinds.map(\.count).max() ?? 0
    let lines = zip(shape.fields, kinds).map { field, kind in "  \(padded(field.name, width))  \(padded(kind, kindWidth))  \(field.about)\n"
    }
    return "\n\(title)\n" + lines.joined()
  }

  /// `string, required` or `int = 3`.
  private func kind(_ field: RecordShape.Field) -> String {
    let type = field.shape.brief
    if let fallback = field.fallback { return "\(type) = \(fallback.redacted.json())" }
    return field.isRequired ? type : "\(type)?"
  }

  private var example: String {
    let members = Self.parsed(step.example.with).mapValue ?? ValueMap()
    var text = "  - uses: \(step.about.name)\n"
    if step.about.isEmergency { text += "    dedupe_key: incident-4711\n" }
    if !members.isEmpty { text += "    with:\n" + members.map { "      \($0.key.text): \($0.value.json())\n" }.joined() }
    return text
  }

  private static func parsed(_ text: String) -> Value { (try? JSON.parse(Array(text.utf8))) ?? .null }

  private func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
}

extension Shape {
  /// A few words for a column.
  fileprivate var brief: String {
    switch self {
    case .any: "any"
    case .string(let rules): rules.format?.rawValue ?? "string"
    case .int: "int"
    case .number: "number"
    case .numberOrText: "number or text"
    case .bool: "bool"
    case .choice(let choices): choices.joined(separator: " | ")
    case .list(let element): "list of \(element.brief)"
    case .map(let member): "map of \(member.brief)"
    case .record: "map"
    case .nullable(let inner): inner.brief
    case .secret(let inner): "secret \(inner.brief)"
    }
  }
}
