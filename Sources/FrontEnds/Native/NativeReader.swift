internal import Diagnostics
internal import SourceText
internal import YAMLTree

/// Reads nodes as syntax and collects what is wrong with them; a fault in one place hides none in another.
struct NativeReader {
  let file: SourceFile
  private(set) var diagnostics: [Diagnostic] = []
  /// An aliased node is read once for each alias; what is wrong with it is told once.
  private var told: Set<Diagnostic> = []
  /// The ids of steps that could not be read.
  var unreadableSteps: [Located<String>] = []
  /// What stands before every message: the row of a table that is read.
  var subject = ""
  /// Where that row and the names of its columns stand, in a file of their own.
  var tablePlaces: (row: Place, header: Place)?

  /// A file with that many findings is no flow; more of them help nobody.
  var isFull: Bool { diagnostics.count >= 500 }

  init(_ file: SourceFile) {
    self.file = file
  }

  mutating func report(
    _ kind: DiagnosticKind, _ message: String, _ span: Span, label: String = "", related: [Diagnostic.Label] = [],
    help: [String] = []
  ) {
    guard let tablePlaces else {
      return report(Diagnostic(kind, subject + message, at: Place(file, span), label: label, related: related, help: help))
    }
    let isOfHeader = kind == .unknownKey || kind == .duplicateKey
    report(Diagnostic(kind, message, at: isOfHeader ? tablePlaces.header : tablePlaces.row, label: label, related: related, help: help))
  }

  mutating func report(_ diagnostic: Diagnostic) {
    guard !isFull else { return }
    if told.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  mutating func reportShape(_ name: String, _ wanted: String, _ node: Node, help: [String] = []) {
    report(.typeMismatch, "\(ticked(name)) must be \(wanted)", node.span, label: "this is \(node.shape)", help: help)
  }

  /// A key's name as code; words such as "an item of …" as they are.
  func ticked(_ name: String) -> String { name.contains(" ") ? name : "`\(name)`" }

  // MARK: maps

  /// The members of a map whose keys the language names.
  ///
  /// - Parameters:
  ///   - what: the owner of the keys in a message, such as "a step" or "`retry`".
  ///   - beside: keys that belong beside the map, not into it.
  /// - Returns: nil, with the reason reported, for what is no map.
  mutating func fields(
    _ node: Node, of what: String, known: [String], beside: [String] = [], shape: String = "a map"
  ) -> Fields? {
    guard case .mapping(let entries) = node.content else {
      report(.typeMismatch, "\(what) must be \(shape)", node.span, label: "this is \(node.shape)")
      return nil
    }
    var fields = Fields(entries: entries, span: node.span)
    for entry in entries where !known.contains(entry.key.value) {
      if beside.contains(entry.key.value) {
        report(
          .unknownKey, "`\(entry.key.value)` stands beside \(what), not in it", entry.key.span,
          help: ["move it to the left, under \(what)"])
      } else {
        fields.unknownKeys.append(entry.key.value)
        reportUnknownKey(entry.key, of: what, known: known)
      }
    }
    return fields
  }

  private mutating func reportUnknownKey(_ key: Located<String>, of what: String, known: [String]) {
    var help: [String] = []
    if let near = nearest(to: key.value, among: known) {
      help = ["did you mean `\(near)`?"]
    } else if known.count <= 8 {
      help = ["it takes \(list(known))"]
    }
    report(.unknownKey, "\(what) has no key `\(key.value)`", key.span, help: help)
  }

  /// The name that was meant; nil too for text far longer than any name, where the search would take its time.
  func nearest(to name: String, among names: [String]) -> String? {
    isFull || name.utf8.count > 64 ? nil : nearestName(to: name, among: names)
  }

  mutating func reportMissing(_ key: String, in what: String, _ span: Span, help: [String] = []) {
    report(.missingKey, "\(what) needs `\(key)`", firstLine(of: span), help: help)
  }

  /// A span cut to its first line: a whole step under carets says nothing.
  func firstLine(of span: Span) -> Span {
    let bytes = file.bytes[span.start..<span.end]
    return Span(span.start, bytes.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? span.end)
  }

  func list(_ names: [String], _ word: String = "and") -> String {
    let quoted = names.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " \(word) " + last
  }

  // MARK: lists

  /// The items of a list; nil, with the reason reported, for what is none.
  mutating func items(_ node: Node, _ name: String) -> [Node]? {
    guard case .sequence(let items) = node.content else {
      reportShape(name, "a list", node)
      return nil
    }
    return items
  }

  /// The entries of a map with names of the author's choice.
  mutating func entries(_ node: Node, _ name: String) -> [Node.Entry]? {
    guard case .mapping(let entries) = node.content else {
      reportShape(name, "a map", node, help: node.isNull ? ["write `{}` for an empty one, or leave it out"] : [])
      return nil
    }
    return entries
  }
}

/// The members of a map, by key.
struct Fields {
  var entries: [Node.Entry]
  var span: Span
  var unknownKeys: [String] = []

  var hasUnknownKey: Bool { !unknownKeys.isEmpty }

  subscript(_ key: String) -> Node? { entry(key)?.value }

  func entry(_ key: String) -> Node.Entry? { entries.first { $0.key.value == key } }
}

extension Node {
  var isNull: Bool {
    if case .scalar(let scalar) = content { scalar.meaning == .null } else { false }
  }

  /// What it is, for a message.
  var shape: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a map"
    case .scalar(let scalar):
      switch scalar.meaning {
      case .null: scalar.text.text.isEmpty ? "empty" : "null"
      case .bool: "a bool"
      case .int, .double: "a number"
      case .string: "a string"
      }
    }
  }
}
