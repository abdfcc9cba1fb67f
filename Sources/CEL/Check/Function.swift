package import Values

/// A function that expressions may call: its signatures, and what it does.
package struct Function: Sendable {
  /// One signature. The receiver of a method is the first parameter.
  package struct Overload: Hashable, Sendable {
    package var isMethod: Bool
    package var parameters: [ValueType]
    package var result: ValueType
    /// Whether the last parameter may be given again and again.
    var isVariadic = false

    /// `name(parameters…)`.
    package static func global(_ parameters: ValueType..., to result: ValueType) -> Overload {
      Overload(isMethod: false, parameters: parameters, result: result)
    }

    /// `receiver.name(parameters…)`.
    package static func method(_ parameters: ValueType..., to result: ValueType) -> Overload {
      Overload(isMethod: true, parameters: parameters, result: result)
    }

    package init(isMethod: Bool, parameters: [ValueType], result: ValueType) {
      self.isMethod = isMethod
      self.parameters = parameters
      self.result = result
    }

    init(isMethod: Bool, parameters: [ValueType], result: ValueType, isVariadic: Bool) {
      self.init(isMethod: isMethod, parameters: parameters, result: result)
      self.isVariadic = isVariadic
    }

    /// The same with as many parameters as there are arguments, where it is variadic.
    func spread(over count: Int) -> Overload {
      guard isVariadic, let last = parameters.last, count > parameters.count else { return self }
      var copy = self
      copy.parameters += Array(repeating: last, count: count - parameters.count)
      return copy
    }
  }

  /// How a function treats secrets among its operands. The mark of an operand itself always goes over to the result.
  enum Secrecy: Sendable {
    /// Looks into lists and maps: what is secret inside makes the whole result secret.
    case reads
    /// Only moves or counts the elements; each keeps its own mark.
    case moves
  }

  typealias Implementation = @Sendable ([Value], inout Meter) throws(Failure) -> Value

  /// With its namespace, as in `math.abs`.
  package let name: String
  package let overloads: [Overload]
  let secrecy: Secrecy
  /// Nil where the host answers each call.
  let implementation: Implementation?

  init(
    _ name: String, _ overloads: [Overload], secrecy: Secrecy = .reads, _ implementation: @escaping Implementation
  ) {
    self.name = name
    self.overloads = overloads
    self.secrecy = secrecy
    self.implementation = implementation
  }

  /// A function without meaning of its own, such as `uuid()`: each call is answered by the host of the evaluation.
  package init(hostAnswered name: String, _ overloads: [Overload]) {
    self.name = name
    self.overloads = overloads
    secrecy = .reads
    implementation = nil
  }

  package var isAnsweredByHost: Bool { implementation == nil }

  /// Whether any signature has so many parameters, the receiver counted; implementations rely on it.
  func takes(_ count: Int) -> Bool {
    overloads.contains { $0.isVariadic ? count >= $0.parameters.count : count == $0.parameters.count }
  }
}

extension Function.Overload {
  /// The signature as people read it, such as `string.charAt(int)`.
  func description(of name: String) -> String {
    var parameters = parameters.map(\.description)
    guard isMethod, !parameters.isEmpty else { return "\(name)(\(parameters.joined(separator: ", ")))" }
    let receiver = parameters.removeFirst()
    return "\(receiver).\(name)(\(parameters.joined(separator: ", ")))"
  }
}
