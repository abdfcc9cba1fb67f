internal import FlowSyntax
internal import SourceText
internal import YAMLTree

extension NativeReader {
  /// A tree whose scalars may be templates.
  func data(_ node: Node) -> DataSyntax {
    switch node.content {
    case .scalar(let scalar): .scalar(self.scalar(scalar, node.span))
    case .sequence(let items): .list(items.map { data($0) }, node.span)
    case .mapping(let entries): .map(data(entries), node.span)
    }
  }

  func data(_ entries: [Node.Entry]) -> [DataSyntax.Entry] {
    entries.map { DataSyntax.Entry(key: $0.key, value: data($0.value)) }
  }

  private func scalar(_ scalar: Scalar, _ span: Span) -> ScalarSyntax {
    let literal: ScalarSyntax.Literal =
      switch scalar.meaning {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .double(let value): .double(value)
      case .string: .string
      }
    return ScalarSyntax(literal: literal, text: scalar.text, span: span, isQuoted: scalar.style != .plain)
  }

  /// A string that may be a template.
  mutating func template(_ node: Node, _ name: String) -> DataSyntax? {
    if case .scalar(let scalar) = node.content, scalar.meaning == .string, !scalar.text.text.isEmpty { return data(node) }
    // `text` reports what is wrong; a template passes above.
    _ = text(node, name)
    return nil
  }

  /// A map of data, such as `with`.
  mutating func dataMap(_ node: Node, _ name: String) -> [DataSyntax.Entry] {
    data(entries(node, name) ?? [])
  }

  /// `outputs`: `name: VALUE`, or `name: { value, type, secret }`.
  mutating func outputs(_ node: Node) -> [OutputSyntax] {
    (entries(node, "outputs") ?? []).compactMap { entry in
      guard case .mapping(let members) = entry.value.content, members.contains(where: { $0.key.value == "value" }) else {
        return OutputSyntax(name: entry.key, value: data(entry.value))
      }
      // A map with the key `value` is this form; data that looks like it goes inside of `value`.
      guard let fields = fields(entry.value, of: "an output", known: NativeKeys.output),
        let value = fields["value"]
      else { return nil }
      return OutputSyntax(
        name: entry.key, value: data(value), type: fields["type"].flatMap { text($0, "type") },
        isSecret: fields["secret"].flatMap { bool($0, "secret") } ?? false)
    }
  }
}
