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

  private var declared: [String: Variable] = [:]
  /// The names that may follow a dotted prefix of declared names; the roots under the empty one.
  private var membersByPrefix: [String: Set<String>] = [:]
  /// Names without a dot that only some expressions see; few, and looked at first.
  private var added: [Variable] = []
  private let ownFunctions: [String: Function]
  let checking: Checking
  /// The prefixes that a name is tried with, the longest first.
  let containers: [String]

  /// - Parameters:
  ///   - functions: functions besides CEL's own; a name known already is replaced.
  ///   - container: the namespace in which names are looked up first, such as `com.example`.
  package init(
    variables: [Variable], functions: [Function] = [], container: String = "", checking: Checking = .strict
  ) {
    self.checking = checking
    ownFunctions = Dictionary(functions.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    var containers = [""]
    var prefix = ""
    for segment in container.split(separator: ".") {
      prefix += segment + "."
      containers.insert(prefix, at: 0)
    }
    self.containers = containers
    for variable in variables { declare(variable) }
  }

  /// Declares a variable, or gives one that is declared another type: the same work however many there are.
  package mutating func declare(_ variable: Variable) {
    guard declared.updateValue(variable, forKey: variable.name) == nil else { return }
    var prefix = ""
    for segment in variable.name.split(separator: ".").map(String.init) {
      membersByPrefix[prefix, default: []].insert(segment)
      prefix = prefix.isEmpty ? segment : "\(prefix).\(segment)"
    }
  }

  /// The environment with further variables, whose names have no dot.
  package func adding(_ variables: [Variable]) -> Environment {
    var environment = self
    environment.added += variables
    return environment
  }

  func function(_ name: String) -> Function? { ownFunctions[name] ?? Library.functions[name] }

  /// The names of all functions, sorted.
  var functionNames: [String] { Set(ownFunctions.keys).union(Library.functions.keys).sorted() }

  func variable(named name: String) -> Variable? { added.last { $0.name == name } ?? declared[name] }

  /// The names that may follow a prefix, sorted; nil where no declared name goes on from there.
  func members(of prefix: String) -> [String]? {
    let own = membersByPrefix[prefix]
    guard prefix.isEmpty else { return own?.sorted() }
    return (own ?? []).union(added.map(\.name)).sorted()
  }

  /// Whether some name goes on from the prefix with this member, or with any where it is nil.
  func goesOn(from prefix: String, with member: String? = nil) -> Bool {
    guard let member else { return membersByPrefix[prefix] != nil }
    return membersByPrefix[prefix]?.contains(member) ?? false || (prefix.isEmpty && added.contains { $0.name == member })
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
