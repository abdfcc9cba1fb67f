import Values

/// Fields, keys and indexes (language definition, "Field Selection"; extensions, "Optionals").
enum Selection {
  static func select(_ value: Value, _ field: String, isOptional: Bool) throws(Failure) -> Value {
    switch value {
    case .map(let map):
      if let member = map[field] { return isOptional ? .optional(member) : member }
      if isOptional { return .optional(nil) }
      throw Failure("no field `\(field)`", reason: .missing)
    case .optional(nil): return value
    case .optional(let inner?):
      // Selecting from an optional gives an optional.
      let found = try select(inner.exposed, field, isOptional: true)
      return inner.isMarked ? hide(found) : found
    default: throw Failure("a value of type `\(value.typeName)` has no field `\(field)`")
    }
  }

  private static func hide(_ optional: Value) -> Value {
    if case .optional(let inner?) = optional { .optional(inner.hidden()) } else { optional }
  }

  static func has(_ value: Value, _ field: String) throws(Failure) -> Bool {
    switch value {
    case .map(let map): return map.position(of: field) != nil
    case .optional(nil): return false
    case .optional(let inner?): return try has(inner.exposed, field)
    default: throw Failure("a value of type `\(value.typeName)` has no field `\(field)`")
    }
  }

  static func index(_ value: Value, _ key: Value, isOptional: Bool) throws(Failure) -> Value {
    switch value {
    case .map(let map):
      let found = try self.key(key, lookingUp: true).flatMap { map[$0] }
      if let found { return isOptional ? .optional(found) : found }
      if isOptional { return .optional(nil) }
      throw Failure("no key \(describe(key))", reason: .missing)
    case .list(let items):
      let position = try self.position(key)
      guard let position, items.indices.contains(position) else {
        if isOptional { return .optional(nil) }
        throw Failure("index \(describe(key)) is out of range for \(items.count) elements", reason: .missing)
      }
      return isOptional ? .optional(items[position]) : items[position]
    case .optional(nil): return value
    case .optional(let inner?):
      let found = try index(inner.exposed, key, isOptional: true)
      return inner.isMarked ? hide(found) : found
    default: throw Failure("a value of type `\(value.typeName)` has no elements")
    }
  }

  /// The key of a map that a value stands for. A double that is a whole number finds an int; nil where no key can be
  /// equal to the value.
  static func key(_ value: Value, lookingUp: Bool) throws(Failure) -> ValueMap.Key? {
    switch value {
    case .string(let text): return .string(text)
    case .int(let number): return .int(number)
    case .uint(let number): return .uint(number)
    case .bool(let flag): return .bool(flag)
    case .double, .decimal:
      guard lookingUp, let number = value.doubleOperand else { throw Failure("a `double` cannot be the key of a map") }
      if let exact = Int64(exactly: number) { return .int(exact) }
      return UInt64(exactly: number).map { .uint($0) }
    default: throw Failure("a value of type `\(value.typeName)` cannot be the key of a map")
    }
  }

  private static func position(_ key: Value) throws(Failure) -> Int? {
    switch key {
    case .int(let number): return Int(number)
    case .uint(let number): return Int(exactly: number)
    case .double(let number):
      guard let exact = Int(exactly: number) else { throw Failure("a list is indexed by whole numbers, not \(describe(key))") }
      return exact
    default: throw Failure("a list is indexed by an int, not `\(key.typeName)`")
    }
  }

  private static func describe(_ key: Value) -> String {
    switch key {
    case .string(let text): "`\(text)`"
    case .int(let number): "\(number)"
    case .uint(let number): "\(number)"
    case .bool(let flag): "`\(flag)`"
    case .double(let number): "\(number)"
    default: "of type `\(key.typeName)`"
    }
  }
}
