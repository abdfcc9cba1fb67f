import SandboxKit
import Values

extension SAMISandbox {
  /// SAMI's error envelope.
  enum Refusal {
    /// The code is the status where SAMI has none of its own.
    static func error(_ status: Int, code: Int? = nil, _ message: String) -> SandboxReply {
      .json(["error": ["code": .int(Int64(code ?? status)), "message": .string(message)]], status: status)
    }

    // Assumed: The envelope of a REST call; it is printed for other protocols, and the successor has it.
    static func invalid(_ problems: FieldProblems, isNested: Bool = false) -> SandboxReply {
      let entries: [Value] = problems.entries.map { ["field": .string($0.field), "messages": .list($0.messages.map { .string($0) })] }
      return .json(
        ["error": ["code": 4001, "message": "Validation Error", "errors": isNested ? [.list(entries)] : .list(entries)]], status: 400)
    }

    static func invalid(_ field: String, _ message: String) -> SandboxReply {
      var problems = FieldProblems()
      problems.add(field, message)
      return invalid(problems)
    }

    static func forbidden(_ reason: String) -> SandboxReply { error(403, "You don't have the right permissions: \(reason)") }

    static let unauthorized = error(401, "Please provide a valid authorization header")
    static let notFound = error(404, "Not Found")
    static let deviceTypeUnknown = error(404, code: 1101, "Device type does not exist.")
    static let userUnknown = error(404, code: 1201, "User does not exist.")
    // Assumed: The status; only the bound is known.
    static let tooLarge = error(413, "Message size exceeds 10 KB")
  }

  /// Messages by field, in the order of the fields.
  struct FieldProblems: Sendable {
    private(set) var entries: [(field: String, messages: [String])] = []

    mutating func add(_ field: String, _ message: String) {
      if let position = entries.firstIndex(where: { $0.field == field }) {
        entries[position].messages.append(message)
      } else {
        entries.append((field, [message]))
      }
    }

    func check() throws(SandboxReply) {
      if !entries.isEmpty { throw Refusal.invalid(self) }
    }
  }
}
