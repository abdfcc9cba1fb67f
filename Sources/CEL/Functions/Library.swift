/// The functions of the profile.
enum Library {
  static let functions: [String: Function] = Dictionary(
    [
      Core.functions, Conversions.functions, Strings.functions, TextFormat.functions, MathFunctions.functions,
      Lists.functions, Sets.functions, RegularExpressions.functions, Encoders.functions, Times.functions,
      Optionals.functions, Host.functions,
    ].joined().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension Failure {
  /// Operands of types that no signature has; the checker finds it unless they are unknown.
  static let noOverload = Failure("the operation does not take operands of these types")
}
