internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

extension NativeReader {
  /// A list of expressions, or a map of checks.
  mutating func expect(_ node: Node) -> ExpectSyntax? {
    var expect = ExpectSyntax(span: node.span)
    switch node.content {
    case .sequence(let items):
      if items.isEmpty { reportEmpty(node) }
      expect.that = items.compactMap { expression($0, "an item of `expect`") }
    case .mapping(let entries):
      if entries.isEmpty { reportEmpty(node) }
      guard let fields = fields(node, of: "`expect`", known: NativeKeys.expect) else { return nil }
      expect.statuses = fields["status"].map { statuses($0) } ?? []
      expect.headers = fields["headers"].map { dataMap($0, "headers") } ?? []
      expect.body = fields["body"].map { data($0) }
      expect.schema = fields["schema"].flatMap { schema($0) }
      expect.that = fields["that"].map { expressions($0, "that") } ?? []
      expect.maxDuration = fields["max_duration"].flatMap { duration($0, "max_duration") }
      expect.error = fields["error"].flatMap { text($0, "error") }
    case .scalar(let scalar):
      let help = scalar.meaning == .string ? ["put the expression into a list, after `- `"] : []
      reportShape("expect", "a list of expressions or a map", node, help: help)
      return nil
    }
    return expect
  }

  /// A schema in place, or the path of a file that holds one.
  private mutating func schema(_ node: Node) -> DataSyntax? {
    switch node.content {
    case .mapping: return data(node)
    case .scalar(let scalar):
      if scalar.meaning == .string { return text(node, "schema").map { _ in data(node) } }
    case .sequence: break
    }
    reportShape("schema", "a JSON Schema, or the path of a file that holds one", node)
    return nil
  }

  private mutating func reportEmpty(_ node: Node) {
    report(.cannotFail, "this `expect` checks nothing", node.span, help: ["say what must hold, or leave it out"])
  }

  /// `201`, `2xx`, or a list of them.
  private mutating func statuses(_ node: Node) -> [Located<StatusPattern>] {
    switch node.content {
    case .sequence(let items):
      if items.isEmpty { report(.cannotFail, "this `status` allows none", node.span) }
      return items.compactMap { status($0) }
    case .scalar, .mapping: return status(node).map { [$0] } ?? []
    }
  }

  private mutating func status(_ node: Node) -> Located<StatusPattern>? {
    guard case .scalar(let scalar) = node.content else {
      reportShape("status", "a status, a class such as `2xx`, or a list of them", node)
      return nil
    }
    let text = scalar.text.text
    if case .int(let value) = scalar.meaning, (100...599).contains(value) { return Located(.exactly(Int(value)), node.span) }
    if scalar.meaning == .string, text.utf8.count == 3, text.hasSuffix("xx"), let hundred = text.first?.wholeNumberValue,
      (1...5).contains(hundred)
    {
      return Located(.hundred(hundred), node.span)
    }
    let isQuoted = scalar.meaning == .string && Int(text) != nil
    report(
      .invalidValue, "`\(text)` is no status", node.span,
      help: [isQuoted ? "write `\(text)` without quotes" : "a status is a number from 100 to 599, or a class such as `2xx`"])
    return nil
  }
}
