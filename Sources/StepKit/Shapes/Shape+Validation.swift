package import Values

/// One way in which a value is not of its shape.
package struct ShapeViolation: Hashable, Sendable {
  /// One step from a value to a part of it.
  package enum Step: Hashable, Sendable {
    case member(String)
    case element(Int)
  }

  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    case missing
    /// With the nearest known name.
    case unknownKey(nearest: String?)
    case wrongType(expected: String, actual: String)
    case notOneOf([String])
    case rule(String)
    /// What a JSON Schema says, as a whole sentence.
    case schema(String)
    /// A secret in a place that would forget that it is one.
    case secretNotAccepted
  }

  /// From the record inwards.
  package var path: [Step]
  package var reason: Reason

  package init(_ path: [Step], _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// `contacts[0].name`
  package var pathText: String {
    path.reduce(into: "") { text, step in
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let index): text += "[\(index)]"
      }
    }
  }

  /// One sentence that stands alone.
  package var message: String {
    let name = pathText.isEmpty ? "the value" : "`\(pathText)`"
    switch reason {
    case .missing: return "\(name) is missing"
    case .unknownKey(let nearest): return "unknown key \(name)" + (nearest.map { "; the nearest known one is `\($0)`" } ?? "")
    case .wrongType(let expected, let actual): return "\(name) must be \(expected), not \(actual)"
    case .notOneOf(let choices): return "\(name) must be one of \(choices.map { "`\($0)`" }.joined(separator: ", "))"
    case .rule(let text): return "\(name) \(text)"
    case .schema(let text): return text
    case .secretNotAccepted: return "\(name) does not take a secret"
    }
  }
}

/// How strictly members that a shape does not name are taken.
package enum UnknownMembers: Sendable { case refused, ignored }

extension RecordShape {
  /// Every violation, in the order of the fields and then of the unknown members.
  package func violations(in map: ValueMap, unknown: UnknownMembers = .refused, at path: [ShapeViolation.Step] = []) -> [ShapeViolation] {
    var found: [ShapeViolation] = []
    for field in fields {
      let inner = path + [.member(field.name)]
      if let value = map[field.name] {
        let own = field.shape.violations(in: value, unknown: unknown, at: inner)
        found += own
        if own.isEmpty, let constraint = field.constraint { found += constraint.violations(in: value, at: inner) }
      } else if field.isRequired {
        found.append(ShapeViolation(inner, .missing))
      }
    }
    guard !isOpen, unknown == .refused else { return found }
    for (key, _) in map where field(key.text) == nil {
      found.append(ShapeViolation(path + [.member(key.text)], .unknownKey(nearest: nearestField(to: key.text))))
    }
    return found
  }

  private func nearestField(to name: String) -> String? {
    let folded = { (text: String) in text.lowercased().filter { $0 != "_" && $0 != "-" } }
    return fields.first { folded($0.name) == folded(name) }?.name
  }
}

extension Shape {
  /// Every violation of a value; a secret is one wherever the shape would forget that it is secret.
  package func violations(in value: Value, unknown: UnknownMembers = .refused, at path: [ShapeViolation.Step] = []) -> [ShapeViolation] {
    if case .secret(let inner) = value {
      switch self {
      case .secret(let shape): return shape.violations(in: inner.fullyExposed, unknown: unknown, at: path)
      case .nullable(let shape): return inner == .null ? [] : shape.violations(in: value, unknown: unknown, at: path)
      case .any: return []
      default: return [ShapeViolation(path, .secretNotAccepted)]
      }
    }
    func wrong() -> [ShapeViolation] { [ShapeViolation(path, .wrongType(expected: expectation, actual: value.typeName))] }
    switch (self, value) {
    case (.any, _), (.bool, .bool), (.nullable, .null): return []
    case (.secret(let shape), _), (.nullable(let shape), _): return shape.violations(in: value, unknown: unknown, at: path)
    case (.string(let rules), .string(let text)): return rules.violation(of: text).map { [ShapeViolation(path, .rule($0))] } ?? []
    case (.choice(let choices), .string(let text)): return choices.contains(text) ? [] : [ShapeViolation(path, .notOneOf(choices))]
    case (.int(let rules), _):
      guard let number = value.intValue else { return wrong() }
      return rules.violation(of: Double(number)).map { [ShapeViolation(path, .rule($0))] } ?? []
    case (.number(let rules), _):
      guard let number = value.number else { return wrong() }
      return rules.violation(of: number).map { [ShapeViolation(path, .rule($0))] } ?? []
    case (.numberOrText, .string(let text)): return Double(text) == nil ? [ShapeViolation(path, .rule("must read as a number"))] : []
    case (.numberOrText, _): return value.number == nil ? wrong() : []
    case (.list(let element), .list(let items)):
      return items.enumerated().flatMap { element.violations(in: $1, unknown: unknown, at: path + [.element($0)]) }
    case (.map(let member), .map(let map)):
      return map.flatMap { member.violations(in: $0.value, unknown: unknown, at: path + [.member($0.key.text)]) }
    case (.record(let record), .map(let map)): return record.violations(in: map, unknown: unknown, at: path)
    case (.string, _), (.choice, _), (.bool, _), (.list, _), (.map, _), (.record, _): return wrong()
    }
  }

  /// `a string`, `a list`, for messages.
  package var expectation: String {
    switch self {
    case .any: "any value"
    case .string, .choice: "a string"
    case .int: "an integer"
    case .number: "a number"
    case .numberOrText: "a number"
    case .bool: "a bool"
    case .list: "a list"
    case .map, .record: "a map"
    case .nullable(let shape): "\(shape.expectation) or null"
    case .secret(let shape): shape.expectation
    }
  }
}

extension Value {
  /// The number as a double; nil for anything that is no number.
  package var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    case .decimal(let lexeme): Double(lexeme)
    default: nil
    }
  }
}

extension TextRules {
  fileprivate func violation(of text: String) -> String? {
    let count = text.unicodeScalars.count
    if let minLength, count < minLength { return "must have at least \(minLength) characters, not \(count)" }
    if let maxLength, count > maxLength { return "must have at most \(maxLength) characters, not \(count)" }
    if let format, !format.accepts(text) { return "must be a valid \(format.rawValue)" }
    return nil
  }
}

extension NumberRules {
  fileprivate func violation(of number: Double) -> String? {
    if let minimum, number < minimum { return "must be at least \(Value.double(minimum).json())" }
    if let maximum, number > maximum { return "must be at most \(Value.double(maximum).json())" }
    return nil
  }
}

extension TextFormat {
  /// Whether the text has the form; says nothing of whether such an address exists.
  package func accepts(_ text: String) -> Bool {
    switch self {
    case .email:
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      return parts.count == 2 && !parts[0].isEmpty && parts[1].split(separator: ".", omittingEmptySubsequences: false).count > 1
        && !parts[1].hasPrefix(".") && !parts[1].hasSuffix(".") && !text.contains(" ")
    case .uri: return text.firstIndex(of: ":").map { $0 > text.startIndex } ?? false
    case .phone: return (3...15).contains(text.count { $0.isASCII && $0.isNumber })
    case .dateTime: return text.utf8.count >= 20 && text.utf8.contains(UInt8(ascii: "T"))
    }
  }
}
