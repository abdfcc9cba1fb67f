package import StepKit
import Values

/// Writes a file of the flow's project.
package enum WriteFileStep: StepHandler {
  package static let about = About(
    "write-file", "Writes a file of the project, whole or not at all: a text as it stands, any other value as JSON.", effect: .idempotent)
  package static let example = Example(
    with: #"{"path": "out/profile.json", "content": {"id": 7}}"#, outputs: #"{"path": "out/profile.json", "bytes": 14}"#)

  package struct Input: Sendable {
    let path: String
    let content: Value
  }

  package struct Output: Sendable {
    let path: String
    let bytes: Int
  }

  /// - Throws: `schema.input` for a secret, which would lie there for everyone to read, and `config.file` for what cannot
  ///   be written.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    guard !input.content.containsSecret else {
      throw .input("`content` holds a secret, and a file of the project is for everyone to read; leave the secret out")
    }
    let bytes = Payload.bytes(of: input.content, indent: 2)
    try await ports.files.write(bytes, to: input.path)
    return Output(path: input.path, bytes: bytes.count)
  }
}

/// A value as a file or a program's input takes it.
enum Payload {
  /// A text and bytes as they stand, anything else as JSON with a line break at its end; secrets are exposed.
  static func bytes(of value: Value, indent: Int? = nil) -> [UInt8] {
    switch value.fullyExposed {
    case .string(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    case let other: Array((other.json(indent: indent) + "\n").utf8)
    }
  }
}

extension WriteFileStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    path = field("path", "The file, from the flow's folder on; its folder must be there.", minLength: 1)
    content = field("content", "A text, or any value, which is written as JSON.")
  }
}

extension WriteFileStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    path = field("path", "The file, as it was named.")
    bytes = field("bytes", "How many were written.")
  }
}
