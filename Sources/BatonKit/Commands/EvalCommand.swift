import CEL
import Diagnostics
import FlowPlan
import SourceText
import Values

/// `baton eval EXPR`: tries an expression.
public struct EvalCommand: Sendable {
  public var expression: String
  /// A YAML or JSON file whose members are the roots.
  public var dataFile: String?
  public var printsType: Bool

  public init(expression: String, dataFile: String? = nil, printsType: Bool = false) {
    self.expression = expression
    self.dataFile = dataFile
    self.printsType = printsType
  }

  /// 0 with a value, whatever it is; 2 where the expression or the data is refused; 3 where there is no value, as for an
  /// `expr.*` of a run.
  public func execute(_ terminal: Terminal) -> Int {
    let file = SourceFile(path: "expression", text: expression)
    do throws(Findings) {
      let data = try dataFile.map { (path) throws(Findings) in try Self.roots(of: path) } ?? ValueMap()
      let variables = data.enumerated().map {
        Variable(name: $1.key.text, type: $1.value.describedType(named: "`\($1.key.text)`"), slot: $0)
      }
      let compilation = Environment(variables: variables, functions: HostFunctions.all).compile(expression)
      let findings = compilation.issues.map { Diagnostic($0, in: file) }
      guard let program = compilation.program else { throw Findings(findings) }
      if !findings.isEmpty { terminal.show(findings) }
      if printsType {
        terminal.write("\(program.type)\n", to: .output)
        return 0
      }
      return print(program, data.map(\.value), file, terminal)
    } catch {
      terminal.show(error.diagnostics)
      return 2
    }
  }

  private func print(_ program: Program, _ slots: [Value?], _ file: SourceFile, _ terminal: Terminal) -> Int {
    let host = HostAnswers()
    do throws(EvaluationError) {
      let value = try program.evaluate(slots) { (call: Program.HostCall) throws(HostFailure) in try host.answer(call) }
      terminal.write(value.json(indent: 2) + "\n", to: .output)
      return 0
    } catch {
      terminal.show([Diagnostic(.invalidExpression, error.message, at: Place(file, error.span), severity: .failure)])
      return 3
    }
  }
}

// MARK: - data

extension EvalCommand {
  /// The members of a file, those of `secrets` marked as in a run.
  private static func roots(of path: String) throws(Findings) -> ValueMap {
    var roots = path.lowercased().hasSuffix(".json") ? try json(of: path) : try YAMLValues.map(of: path)
    if let secrets = roots["secrets"]?.mapValue { roots["secrets"] = .map(secrets.mapValues { $0.hidden() }) }
    return roots
  }

  /// Numbers of JSON are exact, which YAML's are not.
  private static func json(of path: String) throws(Findings) -> ValueMap {
    let file: SourceFile
    do throws(FileFailure) {
      file = SourceFile(path: path, bytes: try FileAccess.read(path))
    } catch {
      throw Findings([Diagnostic(.missingFile, error.message, at: nil)])
    }
    do throws(JSONError) {
      if let map = try JSON.parse(file.bytes).mapValue { return map }
    } catch {
      throw Findings([Diagnostic(.invalidValue, "this is not JSON: \(error.message)", at: Place(file, Span(error.offset, error.offset)))])
    }
    throw Findings([Diagnostic(.typeMismatch, "the file must hold an object of names and values", at: Place(file, Span(0, 0)))])
  }
}

// MARK: - what is no matter of the expression alone

/// Answers `uuid()`, `now()` and `random_int()` from the machine's clock and its random numbers.
private final class HostAnswers {
  private var random = SeededGenerator(UInt64.random(in: .min ... .max))
  private let now = SystemClock().now()

  func answer(_ call: Program.HostCall) throws(HostFailure) -> Value {
    switch call.function {
    case "uuid": return .string(random.uuid())
    case "now": return .timestamp(now)
    case "random_int":
      guard let low = call.arguments.first?.intValue, let high = call.arguments.last?.intValue, low <= high else {
        throw HostFailure("`random_int(a, b)` needs a ≤ b")
      }
      return .int(Int64.random(in: low...high, using: &random))
    default: throw HostFailure("`\(call.function)` has no answer here")
    }
  }
}

extension Diagnostic {
  fileprivate init(_ issue: ExpressionIssue, in file: SourceFile) {
    self.init(
      issue.kind, issue.message, at: Place(file, issue.span), label: issue.label, severity: issue.severity,
      related: issue.related.map { Label(Place(file, $0.span), $0.text) }, notes: issue.notes, help: issue.help)
  }
}
