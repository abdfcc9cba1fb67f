import Diagnostics
import SourceText
import Values

extension Checker {
  mutating func checkCall(
    _ syntax: Syntax, _ target: Syntax?, _ name: Located<String>, _ isAbsolute: Bool, _ arguments: [Syntax]
  ) -> Expression {
    guard let target else {
      guard let function = function(name.value, isAbsolute: isAbsolute) else {
        return unknownFunction(syntax, name.value, name.span, arguments)
      }
      return call(syntax, function, name.span, isMethod: false, arguments.map { check($0) })
    }
    // A chain of names before the parenthesis may be the namespace of a function.
    if let chain = target.nameChain, chain.isAbsolute || !locals.contains(where: { $0.name == chain.names[0].value }) {
      let namespace = chain.names.map(\.value).joined(separator: ".")
      let span = Span(target.span.start, name.span.end)
      if let function = function("\(namespace).\(name.value)", isAbsolute: chain.isAbsolute) {
        return call(syntax, function, span, isMethod: false, arguments.map { check($0) })
      }
      if isStrict, !environment.goesOn(from: "", with: chain.names[0].value),
        isNamespace(namespace, likelyOf: "\(namespace).\(name.value)")
      {
        return unknownFunction(syntax, "\(namespace).\(name.value)", span, arguments)
      }
    }
    let receiver = check(target)
    let checked = arguments.map { check($0) }
    guard let function = environment.function(name.value) else {
      if receiver.type == .error, isStrict { return unresolved(syntax, "no such function") }
      return unknownMethod(syntax, receiver, name)
    }
    return call(syntax, function, name.span, isMethod: true, [receiver] + checked)
  }

  /// Whether functions stand under a prefix, or under one that it was likely meant to be.
  private func isNamespace(_ prefix: String, likelyOf name: String) -> Bool {
    let qualified = environment.functionNames.filter { $0.utf8.contains(UInt8(ascii: ".")) }
    return qualified.contains { $0.hasPrefix(prefix + ".") } || nearestName(to: name, among: qualified) != nil
  }

  private func function(_ name: String, isAbsolute: Bool) -> Function? {
    for container in isAbsolute ? [""] : environment.containers {
      if let function = environment.function(container + name) { return function }
    }
    return nil
  }

  private mutating func call(
    _ syntax: Syntax, _ function: Function, _ name: Span, isMethod: Bool, _ arguments: [Expression]
  ) -> Expression {
    let kind = Expression.Kind.call(function, name: name, arguments: arguments)
    checkLiterals(function, arguments)
    guard isStrict else { return made(syntax, .dyn, kind) }
    let given = arguments.map { types.resolve($0.type) }
    if given.contains(.error) {
      // Reported already; what the function gives is still known where it gives only one thing.
      let results = Set(function.overloads.filter { $0.isMethod == isMethod }.map(\.result))
      let only = results.count == 1 ? results.first : nil
      return made(syntax, only?.mapParameters { _ in .error } ?? .error, kind)
    }
    // Operands that are known have one signature, the first; unknown ones may turn out to fit several.
    let isKnown = !given.contains(where: \.holdsUnknown)
    var result: ValueType?
    for overload in function.overloads where overload.isMethod == isMethod {
      let instance = types.instance(of: overload.spread(over: given.count))
      guard types.accepts(given, for: instance.parameters) else { continue }
      let type = types.resolve(instance.result)
      if let earlier = result, earlier != type {
        result = .dyn
      } else {
        result = type
      }
      if isKnown { break }
    }
    guard let result else {
      reportMismatch(function, name, isMethod: isMethod, arguments, given)
      return unresolved(syntax, "`\(function.name)` does not take these operands")
    }
    return made(syntax, result, kind)
  }

  // MARK: Messages

  private mutating func reportMismatch(
    _ function: Function, _ name: Span, isMethod: Bool, _ arguments: [Expression], _ given: [ValueType]
  ) {
    let candidates = function.overloads.filter { $0.isMethod == isMethod }.map { $0.spread(over: given.count) }
    if candidates.isEmpty, let other = function.overloads.first { return reportForm(function, name, other, arguments) }
    let signatures = candidates.map { "`\($0.description(of: function.name))`" }
    let help = ["it is \(signatures.prefix(4).joined(separator: " or "))"]
    let sameCount = candidates.filter { $0.parameters.count == given.count }
    guard !sameCount.isEmpty else {
      let count = given.count - (isMethod ? 1 : 0)
      report(
        ExpressionIssue(
          .typeMismatch, "`\(function.name)` does not take \(count) argument\(count == 1 ? "" : "s")", at: name, help: help))
      return
    }
    // The first argument that no signature takes is the one to point at.
    for (position, type) in given.enumerated() {
      let isWrong = !sameCount.contains { overload in
        types.accepts(type, for: types.instance(of: overload).parameters[position])
      }
      guard isWrong else { continue }
      let argument = arguments[position]
      if case .nullable = type { return reportNull(argument) }
      var help = help
      if case .optional = type { help = ["take its value with `\(text(argument.span)).orValue(…)`"] }
      let message =
        isMethod && position == 0
        ? "`\(function.name)` is no method of `\(type)`" : "`\(function.name)` does not take `\(type)` here"
      report(ExpressionIssue(.typeMismatch, message, at: argument.span, label: type.description, help: help))
      return
    }
    let list = given.map { "`\($0)`" }.joined(separator: ", ")
    report(ExpressionIssue(.typeMismatch, "`\(function.name)` does not take \(list) together", at: name, help: help))
  }

  /// `contains(a, b)` for `a.contains(b)`, or the other way round.
  private mutating func reportForm(
    _ function: Function, _ name: Span, _ other: Function.Overload, _ arguments: [Expression]
  ) {
    let written = arguments.map { text($0.span) }
    let mended: String
    if other.isMethod, let first = written.first {
      mended = "\(first).\(function.name)(\(written.dropFirst().joined(separator: ", ")))"
    } else {
      mended = "\(function.name)(\(written.joined(separator: ", ")))"
    }
    let message = other.isMethod ? "`\(function.name)` is a method" : "`\(function.name)` is no method"
    report(ExpressionIssue(.typeMismatch, message, at: name, help: ["write `\(mended)`"]))
  }

  private mutating func unknownFunction(
    _ syntax: Syntax, _ name: String, _ span: Span, _ arguments: [Syntax]
  ) -> Expression {
    for argument in arguments { _ = check(argument) }
    var help: [String] = []
    if let habit = habits[name] {
      help = [habit]
    } else if let near = nearestName(to: name, among: environment.functionNames) {
      help = ["did you mean `\(near)`?"]
    }
    report(ExpressionIssue(.unknownName, "unknown function `\(name)`", at: span, help: help))
    return unresolved(syntax, "unknown function `\(name)`")
  }

  private mutating func unknownMethod(_ syntax: Syntax, _ receiver: Expression, _ name: Located<String>) -> Expression {
    var help: [String] = []
    if let habit = habits[name.value] {
      help = [habit]
    } else {
      let methods = environment.functionNames.filter {
        environment.function($0)?.overloads.contains(where: \.isMethod) ?? false
      }
      if let near = nearestName(to: name.value, among: methods) { help = ["did you mean `\(near)`?"] }
    }
    report(ExpressionIssue(.unknownName, "unknown method `\(name.value)`", at: name.span, help: help))
    return unresolved(syntax, "unknown method `\(name.value)`")
  }

  // MARK: Literals

  /// Literal patterns, durations and timestamps are read now, so that a bad one is found before any request.
  private mutating func checkLiterals(_ function: Function, _ arguments: [Expression]) {
    guard isStrict else { return }
    if let position = patternPositions[function.name], position < arguments.count,
      case .literal(.string(let pattern)) = arguments[position].kind
    {
      do throws(Failure) { _ = try Pattern.cached(pattern) } catch {
        report(ExpressionIssue(.invalidExpression, error.message, at: arguments[position].span))
      }
    }
    guard arguments.count == 1, case .literal(.string(let text)) = arguments[0].kind else { return }
    if function.name == "timestamp", Timestamp(rfc3339: text) == nil {
      report(
        ExpressionIssue(
          .invalidExpression, "`\(text)` is not a timestamp", at: arguments[0].span,
          help: ["write it as in `2026-03-01T09:30:00Z`"]))
    }
    if function.name == "duration", TimeSpan(text: text) == nil {
      report(
        ExpressionIssue(
          .invalidExpression, "`\(text)` is not a duration", at: arguments[0].span, help: ["write it as in `1h30m` or `2.5s`"]))
    }
  }
}

private let patternPositions = ["matches": 1, "regex.replace": 1, "regex.extract": 1, "regex.extractAll": 1]

/// What other languages call it, and how to say it here.
private let habits: [String: String] = [
  "toJSON": "write `json.encode(…)`", "toJson": "write `json.encode(…)`", "JSON.stringify": "write `json.encode(…)`",
  "fromJSON": "write `json.decode(…)`", "fromJson": "write `json.decode(…)`", "JSON.parse": "write `json.decode(…)`",
  "len": "write `size(…)`", "length": "write `size(…)`", "count": "write `size(…)`",
  "includes": "write `a.contains(b)` for texts, `b in a` for lists",
  "toLowerCase": "write `lowerAscii()`", "toUpperCase": "write `upperAscii()`", "lower": "write `lowerAscii()`",
  "upper": "write `upperAscii()`", "toString": "write `string(…)`", "str": "write `string(…)`", "float": "write `double(…)`",
  "coalesce": "write `default(a, b)`", "if": "write `condition ? a : b`",
]
