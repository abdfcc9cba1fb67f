import Values

/// The type variables of one check and what they were found to stand for.
///
/// The rules are those of cel-go's `checker/types.go`, which the conformance suite's deductions come from, with
/// records and nullable types added.
struct TypeInference {
  private var found: [String: ValueType] = [:]
  private var count = 0

  mutating func fresh() -> ValueType {
    count += 1
    return .parameter("%\(count)")
  }

  /// The overload's types with fresh variables for its parameters.
  mutating func instance(of overload: Function.Overload) -> (parameters: [ValueType], result: ValueType) {
    var fresh: [String: ValueType] = [:]
    let parameters = overload.parameters.map { $0.mapParameters { name in instance(name, &fresh) } }
    return (parameters, overload.result.mapParameters { name in instance(name, &fresh) })
  }

  private mutating func instance(_ name: String, _ known: inout [String: ValueType]) -> ValueType {
    if let type = known[name] { return type }
    let type = fresh()
    known[name] = type
    return type
  }

  /// The type with all that is known put in; variables that stand for nothing stay, or become dyn.
  func resolve(_ type: ValueType, freeAsDyn: Bool = false) -> ValueType {
    type.mapParameters { name in
      if let known = found[name] { resolve(known, freeAsDyn: freeAsDyn) } else { freeAsDyn ? .dyn : .parameter(name) }
    }
  }

  /// Whether all arguments may be given for the parameters; nothing is learnt if not.
  mutating func accepts(_ arguments: [ValueType], for parameters: [ValueType]) -> Bool {
    guard arguments.count == parameters.count else { return false }
    let before = found
    for (argument, parameter) in zip(arguments, parameters) where !unify(argument, parameter) {
      found = before
      return false
    }
    return true
  }

  mutating func accepts(_ argument: ValueType, for parameter: ValueType) -> Bool {
    accepts([argument], for: [parameter])
  }

  /// The type of a list that holds both.
  mutating func join(_ a: ValueType?, _ b: ValueType) -> ValueType {
    guard let a else { return b }
    if a == .error || b == .error { return .error }
    if accepts(a, for: b) || accepts(b, for: a) {
      if a == .null { return b }
      if b == .null { return a }
      return mostGeneral(a, b)
    }
    switch (a, b) {
    case (.null, _): return b.orNull
    case (_, .null): return a.orNull
    case (.nullable(let inner), let other), (let other, .nullable(let inner)): return join(inner, other.withoutNull).orNull
    default: return .dyn
    }
  }

  private mutating func unify(_ a: ValueType, _ b: ValueType) -> Bool {
    if case .parameter(let name) = b {
      let (isValid, isKnown) = substitute(a, for: name)
      if isValid { return true }
      if isKnown { return false }
    }
    if case .parameter(let name) = a { return substitute(b, for: name).isValid }
    switch (a, b) {
    case (.dyn, _), (_, .dyn), (.error, _), (_, .error): return true
    case (.null, .null), (.null, .nullable), (.null, .optional), (.null, .timestamp), (.null, .duration), (.null, .abstract):
      return true
    case (.nullable(let x), .nullable(let y)): return unify(x, y)
    case (let x, .nullable(let y)): return unify(x, y)
    case (.list(let x), .list(let y)), (.optional(let x), .optional(let y)): return unify(x, y)
    case (.map(let k, let v), .map(let l, let w)): return unify(k, l) && unify(v, w)
    case (.record(let x), .record(let y)): return fits(x, y)
    case (.record(let x), .map(let key, let value)):
      return unify(.string, key) && (x.isOpen ? unify(.dyn, value) : x.fields.allSatisfy { unify($0.type, value) })
    case (.type, .type): return true
    case (.abstract(let name, let x), .abstract(let other, let y)):
      return name == other && x.count == y.count && zip(x, y).allSatisfy { unify($0, $1) }
    default: return a == b
    }
  }

  private mutating func fits(_ a: RecordType, _ b: RecordType) -> Bool {
    if a == b { return true }
    for wanted in b.fields {
      guard let field = a.field(wanted.name) else {
        guard wanted.isOptional || a.isOpen else { return false }
        continue
      }
      guard wanted.isOptional || !field.isOptional, unify(field.type, wanted.type) else { return false }
    }
    return b.isOpen || a.fields.allSatisfy { b.field($0.name) != nil }
  }

  private mutating func substitute(_ type: ValueType, for name: String) -> (isValid: Bool, isKnown: Bool) {
    if type == .parameter(name) { return (true, true) }
    if let known = found[name] {
      if type == known { return (true, true) }
      guard unify(type, known) else { return (false, true) }
      let general = mostGeneral(type, known)
      if !mentions(general, name) { found[name] = general }
      return (true, true)
    }
    guard !mentions(type, name) else { return (false, false) }
    found[name] = type
    return (true, false)
  }

  private func mentions(_ type: ValueType, _ name: String) -> Bool {
    switch type {
    case .parameter(let other): other == name || found[other].map { mentions($0, name) } ?? false
    case .list(let x), .optional(let x), .nullable(let x), .type(let x?): mentions(x, name)
    case .map(let key, let value): mentions(key, name) || mentions(value, name)
    case .abstract(_, let parameters): parameters.contains { mentions($0, name) }
    case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .record, .type(nil), .error: false
    }
  }

  private func mostGeneral(_ a: ValueType, _ b: ValueType) -> ValueType { isNoMoreSpecific(a, than: b) ? a : b }

  private func isNoMoreSpecific(_ a: ValueType, than b: ValueType) -> Bool {
    switch (a, b) {
    case (.dyn, _), (.parameter, _): true
    case (_, .dyn), (_, .parameter): false
    case (.list(let x), .list(let y)), (.optional(let x), .optional(let y)), (.nullable(let x), .nullable(let y)):
      isNoMoreSpecific(x, than: y)
    case (.nullable(let x), _): isNoMoreSpecific(x, than: b)
    case (.map(let k, let v), .map(let l, let w)): isNoMoreSpecific(k, than: l) && isNoMoreSpecific(v, than: w)
    case (.map, .record): true
    case (.abstract(let name, let x), .abstract(let other, let y)):
      name == other && zip(x, y).allSatisfy { isNoMoreSpecific($0, than: $1) }
    case (.type, .type): true
    default: a == b
    }
  }
}

extension ValueType {
  /// The type with each of its parameters replaced.
  func mapParameters(_ replace: (String) -> ValueType) -> ValueType {
    switch self {
    case .parameter(let name): replace(name)
    case .list(let element): .list(element.mapParameters(replace))
    case .map(let key, let value): .map(key.mapParameters(replace), value.mapParameters(replace))
    case .nullable(let type): .nullable(type.mapParameters(replace))
    case .optional(let type): .optional(type.mapParameters(replace))
    case .type(let type): .type(type?.mapParameters(replace))
    case .abstract(let name, let parameters): .abstract(name, parameters.map { $0.mapParameters(replace) })
    case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .record, .error: self
    }
  }

  var orNull: ValueType {
    switch self {
    case .null, .nullable, .dyn, .error: self
    default: .nullable(self)
    }
  }

  var withoutNull: ValueType { if case .nullable(let type) = self { type } else { self } }

  var isNumeric: Bool { self == .int || self == .uint || self == .double }

  /// Whether nothing is known of the values.
  var isUnknown: Bool {
    switch self {
    case .dyn, .error, .parameter: true
    default: false
    }
  }

  /// Whether anything in it is unknown.
  var holdsUnknown: Bool {
    switch self {
    case .dyn, .error, .parameter: true
    case .list(let type), .optional(let type), .nullable(let type), .type(let type?): type.holdsUnknown
    case .map(let key, let value): key.holdsUnknown || value.holdsUnknown
    case .abstract(_, let parameters): parameters.contains(where: \.holdsUnknown)
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .record, .type(nil): false
    }
  }
}
