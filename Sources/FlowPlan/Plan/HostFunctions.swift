package import CEL
import Values

/// Functions whose answer is no matter of the expression alone: given once per step execution, and journaled.
package enum HostFunctions {
  package static let all: [Function] = [
    Function(hostAnswered: "uuid", [.global(to: .string)]),
    Function(hostAnswered: "now", [.global(to: .timestamp)]),
    Function(hostAnswered: "random_int", [.global(.int, .int, to: .int)]),
  ]
}
