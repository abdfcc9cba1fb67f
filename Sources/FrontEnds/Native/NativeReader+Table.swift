internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

/// Cases out of a table: each row becomes the node that a person would have written for it, and is read as such.
extension NativeReader {
  /// - Parameter span: the `csv(…)` that names the table; what is found wrong points there if the table has no places.
  mutating func scenarios(_ table: ScenarioTable, at span: Span) -> [(scenario: ScenarioSyntax, row: ScenarioTable.Row)] {
    if table.rows.isEmpty { report(.cannotFail, "`\(table.name)` has no row", span) }
    var lines: [String: Int] = [:]
    return table.rows.compactMap { row in
      subject = "line \(row.line) of `\(table.name)`: "
      if let place = row.place, let header = table.header { tablePlaces = (place, header) }
      defer { (subject, tablePlaces) = ("", nil) }
      guard let node = node(of: row, at: span), let scenario = scenario(node, of: "a case", known: NativeKeys.scenario) else { return nil }
      if let name = scenario.name?.value {
        if let first = lines[name] { report(.duplicateID, "the case of line \(first) is named `\(name)` too", span) }
        lines[name] = lines[name] ?? row.line
      }
      return (scenario, row)
    }
  }

  /// Nil, with the reason reported, where two headers contradict each other.
  private mutating func node(of row: ScenarioTable.Row, at span: Span) -> Node? {
    var root = TableNode.branch([])
    for cell in row.cells where !cell.text.isEmpty {
      let path = Self.path(of: cell.header)
      guard root.insert(.cell(cell.text), at: path[...]) else {
        report(.duplicateKey, "the column `\(cell.header)` and another one are for the same key", span)
        return nil
      }
    }
    return Self.node(root, [], span)
  }

  /// The keys that a header names; a route's own dots part nothing.
  private static func path(of header: String) -> [String] {
    let prefix = "expect.requests."
    if header.hasPrefix(prefix) { return ["expect", "requests", String(header.dropFirst(prefix.count))] }
    return header.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private static func node(_ table: TableNode, _ path: [String], _ span: Span) -> Node {
    switch table {
    case .branch(let members):
      return Node(
        .mapping(members.map { Node.Entry(key: Located($0.key, span), value: node($0.value, path + [$0.key], span)) }), span)
    case .cell(let text):
      guard path.last == "tags", path.count == 1 else { return cell(text, path, span) }
      let tags = text.split(separator: ",").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
      return Node(.sequence(tags.map { cell(String($0), path, span) }), span)
    }
  }

  private static func cell(_ text: String, _ path: [String], _ span: Span) -> Node {
    let meaning: Scalar.Meaning =
      switch path.prefix(2) {
      case ["expect", "requests"], ["expect", "outputs"], ["sandbox", "given"]: self.meaning(of: text)
      default: .string
      }
    // An input is read by its declared type, as on the command line: it is text without quotes.
    let isPlain = path.first == "inputs" || meaning != .string
    let whole = EmbeddedText(text: text, pieces: [.init(text: Span(0, text.utf8.count), file: span)], fileSpan: span)
    return Node(.scalar(Scalar(text: whole, style: isPlain ? .plain : .doubleQuoted, meaning: meaning, isInFlow: false)), span)
  }

  /// Bools and numbers as JSON writes them; everything else is text, `007` too.
  private static func meaning(of text: String) -> Scalar.Meaning {
    if text == "true" || text == "false" { return .bool(text == "true") }
    let digits = text.drop { $0 == "-" }
    guard let first = digits.utf8.first, (0x30...0x39).contains(first), text.utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }),
      first != 0x30 || digits.count == 1 || digits.hasPrefix("0.")
    else { return .string }
    if let whole = Int64(text) { return .int(whole) }
    if let number = Double(text), number.isFinite { return .double(number) }
    return .string
  }
}

/// The cells of a row, nested by their headers.
private indirect enum TableNode {
  case cell(String)
  case branch([(key: String, value: TableNode)])

  /// False where something stands there already.
  mutating func insert(_ node: TableNode, at path: ArraySlice<String>) -> Bool {
    guard case .branch(var members) = self, let key = path.first else { return false }
    let rest = path.dropFirst()
    if let index = members.firstIndex(where: { $0.key == key }) {
      guard !rest.isEmpty, members[index].value.insert(node, at: rest) else { return false }
    } else {
      var value = rest.isEmpty ? node : .branch([])
      guard rest.isEmpty || value.insert(node, at: rest) else { return false }
      members.append((key, value))
    }
    self = .branch(members)
    return true
  }
}
