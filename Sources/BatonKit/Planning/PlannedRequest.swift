import FlowPlan
import StepKit
import Values

/// The method and URL of a plain request, as far as they are known.
struct PlannedRequest {
  let method: String
  /// Whole, with its query.
  let url: String
  let token: TokenClass?

  init(_ handler: HandlerPlan, in scope: KnownScope) {
    let with = scope.shownMembers(handler.with)
    method = Self.text(with["method"]) ?? "GET"
    token = with["token"]?.stringValue.flatMap { TokenClass(rawValue: $0) }
    let target = Self.filled(Self.text(with["url"]) ?? "", from: with["path"]?.mapValue ?? ValueMap())
    let isWhole = target.contains("://")
    let base = isWhole || target.hasPrefix("⟨") ? "" : handler.connection.map { scope.shownBase(of: $0) } ?? ""
    let joint = base.isEmpty || target.hasPrefix("/") || target.isEmpty ? "" : "/"
    url = base + joint + target + Self.query(with["query"]?.mapValue ?? ValueMap(), isFirst: !target.contains("?"))
  }

  private static func text(_ value: Value?) -> String? { value.flatMap { $0.redacted.templateText } }

  /// `{name}` stands for a member of `path`.
  private static func filled(_ target: String, from path: ValueMap) -> String {
    var text = target
    for (name, value) in path {
      guard let shown = value.redacted.templateText else { continue }
      text = text.replacing("{\(name.text)}", with: escaped(shown) { PercentEncoding.pathSegment($0) ?? placeholder($0) })
    }
    return text
  }

  private static func query(_ query: ValueMap, isFirst: Bool) -> String {
    var pairs: [String] = []
    for (name, value) in query {
      // `{ value, secret_in_url }` is how a secret says why it stands there.
      let value = value["secret_in_url"] == nil ? value : value["value"].map { $0.hidden() } ?? .null
      for item in value.listValue ?? [value] where item != .null {
        let text = item.redacted.templateText ?? item.redacted.json()
        pairs.append("\(PercentEncoding.component(name.text))=\(escaped(text) { PercentEncoding.component($0) })")
      }
    }
    return pairs.isEmpty ? "" : (isFirst ? "?" : "&") + pairs.joined(separator: "&")
  }

  /// What stands for something unknown or secret is to be read, not to be sent.
  private static func escaped(_ text: String, _ encode: (String) -> String) -> String {
    text.contains("⟨") || text == "[secret]" ? text : encode(text)
  }
}
