import SourceText
import Diagnostics
package import Values

/// A name that expressions may read.
package struct Variable: Sendable {
  /// May be dotted, as in `steps.pin.outputs`; a chain of names means the longest declared one it starts with.
  package var name: String
  package var type: ValueType
  /// Its place in the array that is given to `Program.evaluate`.
  package var slot: Int

  package init(name: String, type: ValueType, slot: Int) {
    self.name = name
    self.type = type
    self.slot = slot
  }
}

/// What expressions may name and call.
package struct Environment: Sendable {
  /// Whether types and names are checked; without it an expression fails where it is evaluated, if at all.
  package enum Checking: Hashable, Sendable { case strict, none }

  package let variables: [Variable]
  /// Functions besides the library's.
  private let ownFunctions: [String: Function]
  let checking: Checking
  /// The prefixes that a name is tried with, the longest first.
  let containers: [String]
  let slots: [String: Int]
  /// The names that may follow a dotted prefix; the roots under the empty one.
  let members: [String: [String]]

  /// - Parameters:
  ///   - functions: functions besides CEL's own; a name known already is replaced.
  ///   - container: the namespace in which names are looked up first, such as `com.example`.
  package init(
    variables: [Variable], functions: [Function] = [], container: String = "", checking: Checking = .strict
  ) {
    self.variables = variables
    self.checking = checking
    ownFunctions = Dictionary(functions.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    var containers = [""]
    var prefix = ""
    for segment in container.split(separator: ".") {
      prefix += segment + "."
      containers.insert(prefix, at: 0)
    }
    self.containers = containers
    slots = Dictionary(variables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { $1 })
    members = Self.members(of: variables)
  }

  func function(_ name: String) -> Function? { ownFunctions[name] ?? Library.functions[name] }

  /// The names of all functions, sorted.
  var functionNames: [String] { Set(ownFunctions.keys).union(Library.functions.keys).sorted() }

  private static func members(of variables: [Variable]) -> [String: [String]] {
    var members: [String: [String]] = [:]
    for variable in variables {
      var prefix = ""
      for segment in variable.name.split(separator: ".").map(String.init) {
        if members[prefix, default: []].contains(segment) == false { members[prefix, default: []].append(segment) }
        prefix = prefix.isEmpty ? segment : "\(prefix).\(segment)"
      }
    }
    return members
  }

  /// Parses, checks and compiles an expression.
  ///
  /// - Parameter guards: expressions known to be true wherever this one is evaluated; what they prove present or
  ///   not null needs no guard again. Their variables have the slots that they have here.
  package func compile(_ source: String, assuming guards: [Expression] = []) -> Compilation {
    let syntax: Syntax
    do throws(Parser.Failure) {
      syntax = try Parser.parse(source)
    } catch {
      return Compilation(program: nil, issues: [error.issue])
    }
    var checker = Checker(self, source: source)
    for expression in guards { checker.facts.formUnion(Facts.whenTrue(expression)) }
    let expression = checker.finish(checker.check(syntax))
    let issues = checker.issues.sorted { ($0.span.start, $0.span.end) < ($1.span.start, $1.span.end) }
    guard !issues.contains(where: { $0.severity == .error }) else { return Compilation(program: nil, issues: issues) }
    return Compilation(
      program: Program(source: source, expression: expression, localCount: checker.localCount), issues: issues)
  }
}

/// What compiling an expression gave.
package struct Compilation: Sendable {
  /// Nil where there is an error among the issues.
  package let program: Program?
  /// In the order of the source.
  package let issues: [ExpressionIssue]
}
