import HTTPTypes
package import StepKit
import Values

extension SecureNode {
  /// The settings of a connection.
  package struct Settings: Sendable {
    let apiKey: Secret<String>
    let baseURL: String?

    /// Where a connection with such settings leads: the root of the API, whichever of its two places was named, with the key
    /// for that origin alone.
    /// - Throws: `config.url`, `config.header`.
    static func endpoint(_ settings: ValueMap) throws(StepFailure) -> ConnectionEndpoint {
      var settings = settings
      if let base = settings["base_url"]?.exposed.stringValue { settings["base_url"] = .string(root(of: base)) }
      var endpoint = try ConnectionEndpoint(settings: settings)
      guard let key = settings["api_key"]?.exposed.stringValue, !key.isEmpty else { return endpoint }
      try endpoint.headers.append("X-API-Key", key)
      endpoint.secrets.append(key)
      return endpoint
    }

    /// `https://api.test/api/` is `https://api.test`, as SecureNode's own clients read it.
    static func root(of base: String) -> String {
      func trimmed(_ text: Substring) -> Substring {
        var rest = text
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        return rest
      }
      let whole = trimmed(base[...])
      guard whole.hasSuffix("/api") else { return String(whole) }
      let root = trimmed(whole.dropLast(4))
      // A host may be called `api` itself.
      return String(root.contains("://") ? root : whole)
    }
  }
}

extension SecureNode.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    apiKey = field("api_key", "The key of the account, which goes with every request to the API and nowhere else.", minLength: 1)
    baseURL = field(
      "base_url", "The API, with or without `/api` at its end, such as `https://edge.securenode.io`; the sandbox has its own.", format: .uri
    )
  }
}
