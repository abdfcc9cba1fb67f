package import Diagnostics
package import SourceText

/// Reads a file as YAML 1.2 (core schema), strictly.
package enum YAMLParse {
  /// The largest file, in bytes.
  package static let maximumBytes = 1 << 20
  /// The deepest nesting of lists and maps.
  package static let maximumDepth = 64
  /// How many nodes the aliases of a file may stand for, all of them together.
  package static let maximumAliasedNodes = 10_000

  /// The file's one document and everything that is wrong with it, sorted by place. Never traps, whatever the bytes.
  ///
  /// The root is nil where the structure could not be read to its end; with other errors it is there, but a caller
  /// should not go on to give it meaning.
  package static func document(_ file: SourceFile) -> (root: Node?, diagnostics: [Diagnostic]) {
    let spoilt = ByteCheck.findings(in: file)
    if spoilt.hasErrors { return (nil, spoilt) }

    // A line that only needs quotes is read as if it had them, so that what follows is checked too.
    var bytes = file.bytes
    var mended: [QuoteTrap] = []
    while true {
      var builder = TreeBuilder(file, bytes: bytes)
      let root = builder.document()
      let found = mended.map { $0.diagnostic(besides: mended, in: file) } + builder.diagnostics
      guard let problem = builder.problem else { return (mended.isEmpty ? root : nil, found.sortedByPlace()) }
      guard mended.count < maximumMends, let trap = QuoteTrap.find(problem, in: file, bytes: bytes) else {
        return (nil, (found + [problem.explained(in: file)]).sortedByPlace())
      }
      mended.append(trap)
      for offset in trap.span.start..<trap.span.end { bytes[offset] = UInt8(ascii: "x") }
    }
  }

  private static let maximumMends = 20
}
