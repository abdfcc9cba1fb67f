import FlowSyntax
import JSONSchema
import SourceText
import Values

/// From a part of a value back to where it was written.
extension ScenarioResolver {
  /// The place of a member, or of the nearest that there is around it; a member that is a map is shown by its key.
  ///
  /// - Parameter ofKey: whether it is the last key that is wrong, and not what stands under it.
  func place(of path: [SchemaViolation.PathToken], in data: DataSyntax, ofKey: Bool = false) -> Span {
    var data = data
    var best = line(of: data.span)
    for (position, token) in path.enumerated() {
      let isKey = ofKey && position == path.count - 1
      switch (token, data) {
      case (.key(let name), .map(let entries, _)):
        guard let entry = entries.first(where: { $0.key.value == name }) else { return best }
        data = entry.value
        if case .map = data { best = entry.key.span } else { best = isKey ? entry.key.span : line(of: data.span) }
      case (.index(let index), .list(let items, _)) where items.indices.contains(index):
        data = items[index]
        best = line(of: data.span)
      default: return best
      }
    }
    return best
  }

  /// `given.rapidsos.users[0].name`, taken apart.
  func pathTokens(_ text: String) -> [SchemaViolation.PathToken] {
    text.split(whereSeparator: { ".[]".contains($0) }).map { part in Int(part).map { .index($0) } ?? .key(String(part)) }
  }
}

extension DataSyntax {
  /// Where its first `${{ }}` stands.
  var firstTemplate: Span? {
    switch self {
    case .scalar(let scalar): scalar.constant == nil ? scalar.span : nil
    case .list(let items, _): items.lazy.compactMap(\.firstTemplate).first
    case .map(let entries, _): entries.lazy.compactMap(\.value.firstTemplate).first
    }
  }
}
