import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// What `outputs` means in a step's own modifiers, and what the rest of the flow sees of it.
extension Resolver {
  /// The handler's own outputs; nil where there are none.
  func ownOutputs(_ action: ActionPlan?) -> ValueType? {
    guard let action else { return .error }
    return action.ownRecord.map { .record($0) }
  }

  /// The handler's outputs and the step's own.
  mutating func stepOutputs(_ action: ActionPlan?, _ step: StepSyntax, _ outputs: [OutputPlan]) -> ValueType {
    guard let action else { return .error }
    var record = RecordType("the outputs of \(step.id.map { "step `\($0.value)`" } ?? "this step")", [])
    let own = action.ownRecord
    if let own { record = own }
    for (output, syntax) in zip(outputs, step.outputs) {
      if own?.field(output.name) != nil {
        report(
          .duplicateKey, "`\(output.name)` is an output of `\(action.label)` already", at: syntax.name.span,
          help: ["give this one another name"])
        continue
      }
      record.fields.append(RecordType.Field(output.name, output.value.type))
    }
    return .record(record)
  }

  /// - Parameter known: outputs that are secret already.
  mutating func resolveOutputs(_ outputs: [OutputSyntax], _ locals: Locals, secret known: Set<String> = []) -> [OutputPlan] {
    checkUnique(outputs.map { ($0.name.value, $0.name.span) }, what: "output")
    return outputs.map { output in
      let value = resolveData(output.value, nil, named: output.name.value, locals)
      checkDeclaredType(output, value.type)
      let plan = OutputPlan(name: output.name.value, value: value, isSecret: output.isSecret, place: Place(file, output.name.span))
      if !known.contains(plan.name) { checkOutput(plan) }
      return plan
    }
  }

  private mutating func checkDeclaredType(_ output: OutputSyntax, _ actual: ValueType) {
    guard let declared = output.type else { return }
    let types: [String: [ValueType]] = [
      "string": [.string, .timestamp, .duration], "integer": [.int, .uint], "number": [.int, .uint, .double], "boolean": [.bool],
    ]
    let names = ["string", "integer", "number", "boolean", "object", "array"]
    guard names.contains(declared.value) else {
      return reportUnknown(.invalidValue, "type", declared, among: names)
    }
    switch actual {
    case .dyn, .error, .parameter: return
    case .list where declared.value == "array", .map where declared.value == "object", .record where declared.value == "object": return
    default:
      if types[declared.value]?.contains(actual) == true { return }
      report(
        .typeMismatch, "the output `\(output.name.value)` is declared as \(declared.value), and is \(article(actual))",
        at: output.value.span,
        label: "\(actual)", related: [(declared.span, "declared here")])
    }
  }

  // MARK: - what stands in for a step's own outputs

  /// What a branch that continues, or a `reconcile`, supplies in the place of the step.
  mutating func resolveSupplied(_ syntax: [OutputSyntax], of index: Int) -> [OutputPlan] {
    let outputs = resolveOutputs(syntax, Locals(), secret: table[index].secretOutputs)
    table[index].secretOutputs.formUnion(outputs.filter(\.isSecret).map(\.name))
    checkSupplied(outputs, syntax, of: index)
    return outputs
  }

  /// It must be what the step would have given.
  private mutating func checkSupplied(_ outputs: [OutputPlan], _ syntax: [OutputSyntax], of index: Int) {
    guard case .record(var record) = table[index].outputs else { return }
    for (output, syntax) in zip(outputs, syntax) {
      guard let position = record.fields.firstIndex(where: { $0.name == output.name }) else {
        let known = record.fields.map(\.name)
        reportUnknown(
          .unknownName, "output", syntax.name, among: known, help: known.isEmpty ? ["declare it among the `outputs:` of the step too"] : [])
        continue
      }
      let declared = record.fields[position].type
      let supplied = output.value.type
      if let widened = declared.widened(by: supplied) {
        record.fields[position].type = widened
      } else {
        report(
          .typeMismatch, "`\(output.name)` is \(article(declared)) where the step succeeds, and \(article(supplied)) here",
          at: syntax.value.span,
          label: "\(supplied)", help: ["supply \(article(declared)), or `null`"])
      }
    }
    table[index].outputs = .record(record)
  }
}

extension ValueType {
  /// The type of what may be of either; nil where they are at odds.
  func widened(by other: ValueType) -> ValueType? {
    switch (self, other) {
    case (.error, _), (_, .error): return .error
    case (.dyn, _), (_, .dyn), (.parameter, _), (_, .parameter): return .dyn
    case (.null, .null): return .null
    case (.nullable, .null): return self
    case (.null, .nullable): return other
    case (_, .null): return .nullable(self)
    case (.null, _): return .nullable(other)
    case (.nullable(let a), .nullable(let b)), (.nullable(let a), let b), (let a, .nullable(let b)):
      return a.widened(by: b).map { .nullable($0) }
    case (.int, .double), (.double, .int): return .double
    case (.list(let a), .list(let b)): return .list(a.widened(by: b) ?? .dyn)
    case (.record, .record), (.map, .record), (.record, .map), (.map, .map): return self == other ? self : .dyn
    default: return self == other ? self : nil
    }
  }
}

extension HandlerPlan {
  /// The type of the handler's outputs, as far as its input decides it.
  fileprivate var outputType: RecordType { outputShape.recordType(named: "the output of `\(step.about.name)`") }

  var secretOutputs: Set<String> { isPlainHTTP ? [] : outputShape.secretFields }

  private var outputShape: RecordShape {
    var literals = ValueMap()
    if case .map(let members) = with {
      for (key, member) in members {
        if case .constant(let value) = member { literals[key] = value } else { literals[key] = .null }
      }
    }
    return step.refineOutput(literals)
  }
}

extension ActionPlan {
  /// The outputs that it has by itself; nil where there are none.
  var ownRecord: RecordType? {
    switch self {
    case .handler(let handler): handler.isPlainHTTP ? nil : handler.outputType
    case .call(let call): call.outputType
    case .group, .choose, .forEach, .repeating, .parallel, .set, .wait, .fail, .end: nil
    }
  }

  /// The names of those that are secret.
  var secretOutputs: Set<String> {
    switch self {
    case .handler(let handler): handler.secretOutputs
    case .call(let call): Set(call.flow.outputs.filter(\.isSecret).map(\.name))
    case .group, .choose, .forEach, .repeating, .parallel, .set, .wait, .fail, .end: []
    }
  }

  var isPlainHTTP: Bool {
    if case .handler(let handler) = self { handler.isPlainHTTP } else { false }
  }

  /// A prompt waits ten minutes unless the flow says otherwise (language.md §3).
  var ownTimeout: Duration? {
    if case .handler(let handler) = self, handler.step.about.name == "prompt" { .seconds(600) } else { nil }
  }
}

extension DataPlan {
  /// The type that expressions see of it.
  var type: ValueType {
    switch self {
    case .constant(let value): value.staticType
    case .expression(let expression): expression.program.type
    case .text, .url: .string
    case .list(let items): .list(items.first.map { first in items.allSatisfy { $0.type == first.type } ? first.type : .dyn } ?? .dyn)
    case .map(let members): .record(RecordType("this map", members.map { RecordType.Field($0.key, $0.value.type) }))
    case .omit: .error
    }
  }
}
