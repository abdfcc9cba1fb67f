import Diagnostics
import JSONSchema
import SourceText
import StepKit
import Values

/// Inputs: read, normalised, validated and typed.
extension Preparation {
  mutating func resolveInputs() -> Value {
    var map = ValueMap()
    for input in plan.inputs {
      let place = Place(plan.file, input.name.span)
      guard let given = givens.inputs[input.name.value] else {
        if let fallback = input.fallback {
          map[input.name.value] = normalised(fallback, input, at: place)
        } else if input.isRequired {
          report(
            .missingInput, "the input `\(input.name.value)` is missing", at: place,
            notes: input.about.isEmpty ? [] : [input.about.withoutStop],
            help: ["give it with `--input \(input.name.value)=VALUE` or in `--inputs FILE`"])
        }
        continue
      }
      guard let value = read(given, input, at: place) else { continue }
      map[input.name.value] = normalised(value, input, at: place)
    }
    let known = plan.inputs.map(\.name.value)
    for name in givens.inputs.keys.sorted() where !known.contains(name) {
      reportUnknown("the flow has no input `\(name)`", name, among: known, none: "this flow has no inputs")
    }
    return .map(map)
  }

  private mutating func read(_ given: RunGivens.Given, _ input: InputPlan, at place: Place) -> Value? {
    switch given {
    case .data(let value): return value
    case .text(let text):
      if input.type.isText { return .string(text) }
      do throws(JSONError) {
        return try JSON.parse(Array(text.utf8))
      } catch {
        // A type that is not known may be text as well.
        if input.type == .dyn { return .string(text) }
        report(
          .invalidValue, "the input `\(input.name.value)` must be \(input.type.phrase)\(input.isSecret ? "" : ", not `\(text)`")",
          at: place,
          help: input.type.isCollection ? ["lists and maps are written as JSON"] : [])
        return nil
      }
    }
  }

  /// The value as the flow sees it: valid, phones as E.164, numbers as the declared type has them, secret if so declared.
  private mutating func normalised(_ value: Value, _ input: InputPlan, at place: Place) -> Value {
    var value = value
    if let region = input.phoneRegion, case .string(let text) = value {
      guard let number = e164(text, region: region) else {
        report(
          .invalidValue, "the input `\(input.name.value)` is no phone number\(input.isSecret ? "" : ": `\(text)`")", at: place,
          help: [phoneHelp(region: region)])
        return value
      }
      value = .string(number)
    }
    for violation in input.schema.validate(value) {
      report(.invalidValue, "the input `\(input.name.value)` is not valid: \(violation.message)", at: place)
    }
    value = value.typed(input.type)
    return input.isSecret ? value.hidden() : value
  }
}

extension Value {
  /// Numbers as a declared type rules: `integer` is int, `number` is double even for `10` (expressions.md, deviation 1).
  func typed(_ type: ValueType) -> Value {
    switch (type, self) {
    case (.nullable(let inner), _): return self == .null ? self : typed(inner)
    case (.double, .int), (.double, .uint), (.double, .decimal): return number.map { .double($0) } ?? self
    case (.int, .double), (.int, .uint): return intValue.map { .int($0) } ?? self
    case (.list(let element), .list(let items)): return .list(items.map { $0.typed(element) })
    case (.map(_, let member), .map(let map)): return .map(map.mapValues { $0.typed(member) })
    case (.record(let record), .map(var map)):
      for field in record.fields { map[field.name] = map[field.name]?.typed(field.type) }
      return .map(map)
    default: return self
    }
  }
}

extension ValueType {
  /// Whether `--input NAME=VALUE` is taken as it stands.
  fileprivate var isText: Bool {
    switch self {
    case .string: true
    case .nullable(let inner): inner.isText
    default: false
    }
  }

  /// In the words of schemas.
  fileprivate var phrase: String {
    switch self {
    case .int: "an integer"
    case .double: "a number"
    case .bool: "`true` or `false`"
    case .list: "a list"
    case .map, .record: "a map"
    case .nullable(let inner): "\(inner.phrase) or null"
    default: article(self)
    }
  }

  fileprivate var isCollection: Bool {
    switch self {
    case .list, .map, .record: true
    case .nullable(let inner): inner.isCollection
    default: false
    }
  }
}
