internal import Diagnostics
internal import SourceText

/// Builds the nodes of one document from libyaml's events, under the limits of the language.
struct TreeBuilder: ~Copyable {
  /// A node with what an alias to it would cost.
  struct Built {
    var node: Node
    /// This node and all below it, aliases expanded.
    var nodes = 1
    /// Levels of lists and maps in it.
    var height = 0
  }

  /// Reading cannot go on; the reason is in `problem` or `diagnostics`.
  struct Stop: Error {}

  private(set) var diagnostics: [Diagnostic] = []
  /// What libyaml could not read, if it came to that.
  private(set) var problem: SyntaxProblem?
  let file: SourceFile
  /// What libyaml reads: the file's bytes, but for lines that were mended in place.
  let bytes: [UInt8]
  private var parser: EventParser?
  /// Nil while the node is still being read.
  private var anchors: [String: (built: Built?, span: Span)] = [:]
  private var aliasedNodes = 0

  init(_ file: SourceFile, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes
    parser = EventParser(bytes)
  }

  /// Keeps the first few hundred findings: a file with more of them is no flow.
  mutating func report(
    _ kind: DiagnosticKind, _ message: String, _ span: Span, label: String = "",
    related: [Diagnostic.Label] = [], help: [String] = []
  ) {
    guard diagnostics.count < 500 else { return }
    let end = min(span.end, bytes.count)
    let place = Place(file, Span(min(span.start, end), end))
    diagnostics.append(Diagnostic(kind, message, at: place, label: label, related: related, help: help))
  }

  // MARK: document

  /// The root of the only document; nil where there is none or it could not be read.
  mutating func document() -> Node? {
    do throws(Stop) {
      return try readDocument()
    } catch {
      return nil
    }
  }

  private mutating func readDocument() throws(Stop) -> Node? {
    var root: Node?
    var firstDocument: Span?
    while true {
      let event = try next()
      switch event.kind {
      case .streamStart, .documentEnd: continue
      case .streamEnd:
        if firstDocument == nil { reportEmptyFile() }
        return root
      case .documentStart(let version, let hasTagDirective):
        if let firstDocument {
          report(
            .invalidYAML, "a file holds one document, this one holds several", event.span, label: "a second document",
            related: [.init(Place(file, firstDocument), "the first one")], help: ["give each document a file of its own"])
          return nil
        }
        checkDirectives(event.span, version, hasTagDirective)
        let built = try node(try next(), depth: 0, isInFlow: false)
        // An explicit start has its `---`; else the document is marked by its first bytes.
        firstDocument =
          event.span.length > 0 ? event.span : Span(built.node.span.start, min(built.node.span.start + 1, built.node.span.end))
        if case .scalar(let scalar) = built.node.content, scalar.text.text.isEmpty, scalar.style == .plain {
          reportEmptyFile()
        } else {
          root = built.node
        }
      case .alias, .scalar, .sequenceStart, .sequenceEnd, .mappingStart, .mappingEnd:
        throw Stop()
      }
    }
  }

  private mutating func reportEmptyFile() {
    report(.invalidYAML, "the file is empty", Span(0, 0))
  }

  private mutating func checkDirectives(_ span: Span, _ version: (major: Int, minor: Int)?, _ hasTagDirective: Bool) {
    if let version, version != (1, 2) {
      report(
        .invalidYAML, "the file is read as YAML 1.2, not \(version.major).\(version.minor)", span,
        help: ["delete the line `%YAML \(version.major).\(version.minor)`"])
    }
    if hasTagDirective { report(.invalidYAML, "custom tags are not allowed", span, help: ["delete the line `%TAG …`"]) }
  }

  mutating func next() throws(Stop) -> Event {
    do throws(SyntaxProblem) {
      // libyaml has no memory for a parser only where nothing else would have any.
      guard let event = try parser?.next() else { throw SyntaxProblem(problem: "out of memory", context: "", offset: 0, contextOffset: 0) }
      return event
    } catch {
      problem = error
      throw Stop()
    }
  }

  // MARK: nodes

  /// - Parameter depth: how many lists and maps stand around it.
  mutating func node(_ event: Event, depth: Int, isInFlow: Bool) throws(Stop) -> Built {
    if let anchor = event.anchor { anchors[anchor] = (nil, event.span) }
    let built: Built
    switch event.kind {
    case .alias(let name): return try expanded(name, event.span, depth: depth)
    case .scalar(let text, let style): built = Built(node: scalar(event, text, style, isInFlow: isInFlow))
    case .sequenceStart(let isFlow):
      try checkDepth(depth + 1, event.span)
      checkCollectionTag(event, core: "seq")
      built = try sequence(event, isFlow: isFlow, depth: depth + 1, isInFlow: isInFlow || isFlow)
    case .mappingStart(let isFlow):
      try checkDepth(depth + 1, event.span)
      checkCollectionTag(event, core: "map")
      built = try mapping(event, isFlow: isFlow, depth: depth + 1, isInFlow: isInFlow || isFlow)
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd: throw Stop()
    }
    if let anchor = event.anchor { anchors[anchor] = (built, event.span) }
    return built
  }

  private mutating func checkDepth(_ depth: Int, _ span: Span) throws(Stop) {
    guard depth > YAMLParse.maximumDepth else { return }
    report(.invalidYAML, "nested deeper than \(YAMLParse.maximumDepth) levels", Span(span.start, min(span.start + 1, span.end)))
    throw Stop()
  }

  private mutating func expanded(_ name: String, _ span: Span, depth: Int) throws(Stop) -> Built {
    guard let anchor = anchors[name] else {
      let near = anchors.count < 100 ? nearestName(to: name, among: anchors.keys.sorted()) : nil
      report(
        .quoteThisString, "`*\(name)` is an alias, and nothing above is named `&\(name)`", span,
        help: (near.map { ["did you mean `*\($0)`?"] } ?? [])
          + [QuoteAdvice.help(quoting: QuoteTrap.value(at: span.start, in: file) ?? span, in: file)])
      return Built(
        node: Node(.scalar(Scalar(text: EmbeddedText(verbatim: "", at: span.start), style: .plain, meaning: .null, isInFlow: false)), span))
    }
    let related = [Diagnostic.Label(Place(file, nameSpan(anchor.span)), "`&\(name)` stands here")]
    guard let built = anchor.built else {
      report(.invalidYAML, "`*\(name)` stands inside what it repeats", span, related: related)
      throw Stop()
    }
    aliasedNodes += built.nodes
    if aliasedNodes > YAMLParse.maximumAliasedNodes {
      report(.invalidYAML, "the aliases of this file stand for more than 10,000 nodes", span, label: "too many here", related: related)
      throw Stop()
    }
    if depth + built.height > YAMLParse.maximumDepth {
      report(
        .invalidYAML, "with what `*\(name)` repeats, this is nested deeper than \(YAMLParse.maximumDepth) levels", span, related: related)
      throw Stop()
    }
    return built
  }

  /// The `&name` at the start of an anchored node.
  private func nameSpan(_ span: Span) -> Span {
    var end = span.start
    while end < bytes.count, !ScalarText.isBlank(bytes[end]), !ScalarText.isBreak(bytes[end]) { end += 1 }
    return Span(span.start, end)
  }

  private mutating func sequence(_ start: Event, isFlow: Bool, depth: Int, isInFlow: Bool) throws(Stop) -> Built {
    var items: [Node] = []
    var built = Built(node: Node(.sequence([]), start.span), nodes: 1, height: 1)
    while true {
      let event = try next()
      if case .sequenceEnd = event.kind {
        let span = collectionSpan(start, isFlow: isFlow, end: event, last: items.last?.span)
        built.node = Node(.sequence(items), span)
        if isFlow { checkSplitCalls(items) }
        for item in items { checkTernary(item, isInFlow: isFlow) }
        return built
      }
      let item = try node(event, depth: depth, isInFlow: isInFlow)
      items.append(item.node)
      built.nodes += item.nodes
      built.height = max(built.height, item.height + 1)
    }
  }

  private mutating func mapping(_ start: Event, isFlow: Bool, depth: Int, isInFlow: Bool) throws(Stop) -> Built {
    var entries: [Node.Entry] = []
    var seen: [[UInt8]: Span] = [:]
    var built = Built(node: Node(.mapping([]), start.span), nodes: 1, height: 1)
    while true {
      let event = try next()
      if case .mappingEnd = event.kind {
        let span = collectionSpan(start, isFlow: isFlow, end: event, last: entries.last.map { $0.key.span.joined(with: $0.value.span) })
        built.node = Node(.mapping(entries), span)
        if isFlow { checkSplitCalls(entries) }
        return built
      }
      let key = try self.key(event, depth: depth, isInFlow: isInFlow)
      let value = try node(try next(), depth: depth, isInFlow: isInFlow)
      built.nodes += value.nodes + 1
      built.height = max(built.height, value.height + 1)
      guard let key else { continue }
      if let first = seen.updateValue(key.span, forKey: Array(key.value.utf8)) {
        seen[Array(key.value.utf8)] = first
        report(
          .duplicateKey, "the key `\(key.value)` stands twice in this map", key.span, label: "again",
          related: [.init(Place(file, first), "first here")])
      } else {
        entries.append(Node.Entry(key: key, value: value.node))
      }
    }
  }

  /// From its first child or bracket to its last one; libyaml ends a block collection at the next token.
  private func collectionSpan(_ start: Event, isFlow: Bool, end: Event, last: Span?) -> Span {
    let from = start.anchor == nil && start.tag == nil ? start.span.start : contentStart(start.span)
    let isBracketed = isFlow && from < bytes.count && (bytes[from] == UInt8(ascii: "[") || bytes[from] == UInt8(ascii: "{"))
    return Span(from, max(from, isBracketed ? end.span.end : last?.end ?? start.span.end))
  }
}
