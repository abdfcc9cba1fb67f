import CEL
import Diagnostics
import FlowSyntax
import SourceText
import Values

/// Every loop is bounded, and goes over something.
extension Resolver {
  mutating func checkBound(_ loop: ForEachSyntax, _ items: Items) {
    guard items.source != nil else { return }
    let place = loop.sourceSpan
    if items.bound == 0, !isTable(items) {
      return report(
        .cannotFail, "this list is empty: the steps under it never run", at: place, help: ["put an item in, or take the step out"])
    }
    if let bound = items.bound {
      if let max = loop.maxItems, isLiteral(items), bound > max.value {
        report(
          .invalidValue, "there are \(bound) items, and `max_items` is \(max.value)", at: max.span, related: [(place, "the items")],
          help: ["raise it, or take items out"])
      } else if let min = loop.minItems, bound < min.value {
        report(
          .invalidValue, "there are never \(min.value) items: \(bound) at most", at: min.span, related: [(place, "the items")],
          help: ["lower `min_items`, or put items in"])
      }
      return
    }
    guard loop.maxItems == nil else { return }
    var help = ["say how many there may be: `max_items: 100`"]
    if case .expression(let syntax) = loop.source, let name = inputName(syntax) {
      help.append("or give the input `\(name)` a `maxItems`")
    }
    report(.unbounded, "nothing says how many items there may be", at: place, label: "any number", help: help)
  }

  private func isTable(_ items: Items) -> Bool {
    if case .rows? = items.source { true } else { false }
  }

  /// Whether the bound is the number of items itself.
  private func isLiteral(_ items: Items) -> Bool {
    switch items.source {
    case .rows?, .data(.list)?, .data(.map)?: true
    case .data?, nil: false
    }
  }

  private func inputName(_ syntax: ExpressionSyntax) -> String? {
    let text = syntax.text.text.trimmed
    return inputs.first { text == "inputs.\($0.name.value)" || text == "${{ inputs.\($0.name.value) }}" }?.name.value
  }

  /// How many elements an expression gives at most; nil where nothing says so.
  func itemBound(of expression: Expression) -> Int? {
    switch expression.kind {
    case .list(let elements): return elements.count
    case .map(let entries): return entries.count
    case .comprehension(let comprehension): return itemBound(of: comprehension.range)
    case .conditional(_, let yes, let no):
      guard let a = itemBound(of: yes), let b = itemBound(of: no) else { return nil }
      return max(a, b)
    case .fallback(let path, let fallback):
      guard let a = itemBound(of: path), let b = itemBound(of: fallback) else { return nil }
      return max(a, b)
    case .literal, .variable, .local, .select, .has, .index, .call, .and, .or, .not, .binary, .negate, .bind, .optionalMap, .unresolved:
      return expression.path.flatMap { itemBound(ofSlot: $0.slot, $0.fields) }
    }
  }

  private func itemBound(ofSlot slot: Int, _ fields: [String]) -> Int? {
    let slots = Slots(count: 0)
    if let (index, part) = table.entry(ofSlot: slot) { return part == .outputs && fields == ["items"] ? table[index].itemBound : nil }
    guard let name = fields.first, slot == slots.inputs || slot == slots.state else { return nil }
    let declared = slot == slots.inputs ? document.inputs : document.state
    var schema = declared.first { $0.name.value == name }?.schema.constant
    for field in fields.dropFirst() { schema = schema?["properties"]?[field] }
    guard let schema else { return nil }
    return (schema["maxItems"] ?? schema["maxProperties"])?.intValue.flatMap { Int(exactly: $0) }
  }
}

extension ForEachSyntax {
  var sourceSpan: Span {
    switch source {
    case .expression(let expression): expression.span
    case .data(let data): data.span
    }
  }
}
