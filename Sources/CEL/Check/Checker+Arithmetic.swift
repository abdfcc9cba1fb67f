import Diagnostics
import SourceText
import Values

extension Checker {
  /// The type of an arithmetic operation; reports operands that it does not take.
  mutating func arithmetic(_ operation: Operator, _ a: Expression, _ b: Expression) -> ValueType {
    let (x, y) = (types.resolve(a.type), types.resolve(b.type))
    if x == .error || y == .error { return .error }
    if operation == .divide, x == .dyn || y == .dyn {
      let unknown = x == .dyn ? a : b
      report(
        ExpressionIssue(
          .typeMismatch, "division needs to know whether `\(text(unknown.span))` is an int or a double", at: unknown.span,
          label: "unknown type", help: ["write `int(\(text(unknown.span)))` or `double(\(text(unknown.span)))`"]))
      return .error
    }
    if let type = result(operation, x, y) { return type }
    for side in [a, b] {
      if case .nullable = types.resolve(side.type) {
        reportNull(side)
        return .error
      }
    }
    var help: [String] = []
    if operation == .add, x == .string || y == .string {
      let other = x == .string ? b : a
      help = ["write `string(\(text(other.span)))`"]
    }
    report(
      ExpressionIssue(
        .typeMismatch, "cannot \(verb(operation)) `\(x)` and `\(y)`", at: b.span, label: y.description,
        related: [.init(a.span, x.description)], help: help))
    return .error
  }

  private func verb(_ operation: Operator) -> String {
    switch operation {
    case .add: "add"
    case .subtract: "subtract"
    case .multiply: "multiply"
    case .divide: "divide"
    case .remainder: "take the remainder of"
    case .or, .and, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn: "combine"
    }
  }

  private mutating func result(_ operation: Operator, _ x: ValueType, _ y: ValueType) -> ValueType? {
    switch (x, y) {
    case (.int, .int): return .int
    case (.uint, .uint): return .uint
    case (.double, _) where y.isNumeric && operation != .remainder: return .double
    case (_, .double) where x.isNumeric && operation != .remainder: return .double
    case (.string, .string) where operation == .add: return .string
    case (.bytes, .bytes) where operation == .add: return .bytes
    case (.list(let a), .list(let b)) where operation == .add: return .list(types.join(a, b))
    case (.timestamp, .duration) where operation == .add || operation == .subtract: return .timestamp
    case (.duration, .timestamp) where operation == .add: return .timestamp
    case (.duration, .duration) where operation == .add || operation == .subtract: return .duration
    case (.timestamp, .timestamp) where operation == .subtract: return .duration
    case _ where x.isUnknown && y.isUnknown: return .dyn
    case _ where x.isUnknown: return resultBesideUnknown(operation, y)
    case _ where y.isUnknown: return resultBesideUnknown(operation, x)
    default: return nil
    }
  }

  private func resultBesideUnknown(_ operation: Operator, _ known: ValueType) -> ValueType? {
    switch known {
    case .int, .uint: operation == .remainder ? known : .dyn
    case .double: operation == .remainder ? nil : .double
    case .string, .bytes: operation == .add ? known : nil
    case .list: operation == .add ? .list(.dyn) : nil
    case .timestamp, .duration: operation == .add || operation == .subtract ? .dyn : nil
    default: nil
    }
  }
}
