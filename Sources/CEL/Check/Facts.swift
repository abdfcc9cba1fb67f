import SourceText
import Values

/// What a condition proves about the paths it reads: which exist, and which are not null.
enum Facts {
  /// A path that exists, or is not null, by its key.
  enum Fact: Hashable, Sendable {
    case present(String)
    case notNull(String)
  }

  /// The key of a chain of selections and literal indexes; nil for anything that may change from one reading to the next.
  static func key(_ expression: Expression) -> String? {
    switch expression.kind {
    case .variable(_, let slot): "v\(slot)"
    case .local(_, let number): "l\(number)"
    case .select(let operand, let field, isOptional: false): key(operand).map { member($0, field.value) }
    case .index(let operand, let index, isOptional: false):
      switch index.kind {
      case .literal(.string(let name)): key(operand).map { member($0, name) }
      case .literal(.int(let position)): key(operand).map { "\($0)[\(position)]" }
      default: nil
      }
    default: nil
    }
  }

  static func member(_ key: String, _ field: String) -> String { "\(key).`\(field)`" }

  static func whenTrue(_ condition: Expression) -> Set<Fact> {
    switch condition.kind {
    case .has(let operand, let field): key(operand).map { [.present(member($0, field.value))] } ?? []
    case .binary(.isIn, let item, let container):
      if case .literal(.string(let name)) = item.kind, let key = key(container) { [.present(member(key, name))] } else { [] }
    case .binary(.notEqual, let a, let b): notNull(a, b)
    case .binary(.equal, let a, let b): notNullBecauseEqual(a, b)
    case .and(let operands): operands.reduce(into: []) { $0.formUnion(whenTrue($1)) }
    case .not(let operand): whenFalse(operand)
    default: []
    }
  }

  static func whenFalse(_ condition: Expression) -> Set<Fact> {
    switch condition.kind {
    case .binary(.equal, let a, let b): notNull(a, b)
    case .binary(.notEqual, let a, let b): notNullBecauseEqual(a, b)
    case .or(let operands): operands.reduce(into: []) { $0.formUnion(whenFalse($1)) }
    case .not(let operand): whenTrue(operand)
    default: []
    }
  }

  /// `a != null` holds.
  private static func notNull(_ a: Expression, _ b: Expression) -> Set<Fact> {
    if case .literal(.null) = b.kind, let key = key(a) { return [.notNull(key)] }
    if case .literal(.null) = a.kind, let key = key(b) { return [.notNull(key)] }
    return []
  }

  /// `a == 'text'` holds, so `a` is not null.
  private static func notNullBecauseEqual(_ a: Expression, _ b: Expression) -> Set<Fact> {
    if case .literal(let value) = b.kind, value != .null, let key = key(a) { return [.notNull(key)] }
    if case .literal(let value) = a.kind, value != .null, let key = key(b) { return [.notNull(key)] }
    return []
  }
}
