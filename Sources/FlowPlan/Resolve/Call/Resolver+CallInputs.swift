import Diagnostics
import FlowSyntax
import JSONSchema
import SourceText
import StepKit
import Values

/// The `with` of a `call`, against the inputs that the called flow declares.
extension Resolver {
  mutating func resolveInputs(of plan: Plan, _ step: StepSyntax, at span: Span) -> DataPlan {
    let shape = RecordShape(
      plan.inputs.map { input in
        // Whether it takes a secret is asked below, in better words.
        RecordShape.Field(input.name.value, input.about, .secret(Shape(input.type)), isRequired: input.isRequired)
      })
    let findings = diagnostics.count
    let with = resolveMap(step.with, at: span, .record(shape), named: "", Locals())
    guard case .map(let members) = with else { return with }
    for (name, member) in members {
      guard let input = plan.inputs.first(where: { $0.name.value == name }), !input.isSecret, let secret = firstSecret(in: member) else {
        continue
      }
      reportExposed(
        "the input `\(name)` of the called flow is not declared secret", secret, help: ["write `secret: true` beside its type there"])
    }
    if diagnostics.count == findings { checkInputs(of: plan, step) }
    return with
  }

  /// What is literal is validated before the run.
  private mutating func checkInputs(of plan: Plan, _ step: StepSyntax) {
    for entry in step.with {
      guard let input = plan.inputs.first(where: { $0.name.value == entry.key.value }), let value = entry.value.constant else { continue }
      if let region = input.phoneRegion, case .string(let text) = value {
        if e164(text, region: region) == nil {
          report(.invalidValue, "`\(input.name.value)` is no phone number", at: entry.value.span, help: [phoneHelp(region: region)])
        }
        continue
      }
      for violation in input.schema.validate(value) {
        report(
          .invalidValue, "`\(input.name.value)` is not valid: \(violation.message)",
          at: entry.value.span.line(in: file, within: entry.value.span))
      }
    }
  }
}

extension Shape {
  /// What is known of a type, as a shape; any where it is not told by one.
  fileprivate init(_ type: ValueType) {
    self =
      switch type {
      case .bool: .bool
      case .int, .uint: .int(NumberRules())
      case .double: .number(NumberRules())
      case .string: .string(TextRules())
      case .list(let element): .list(Shape(element))
      case .map(_, let member): .map(Shape(member))
      case .record(let record):
        .record(
          RecordShape(
            record.fields.map { RecordShape.Field($0.name, $0.about, Shape($0.type), isRequired: !$0.isOptional) }, isOpen: record.isOpen))
      case .nullable(let inner): .nullable(Shape(inner))
      case .dyn, .null, .bytes, .timestamp, .duration, .optional, .type, .parameter, .abstract, .error: .any
      }
  }
}
