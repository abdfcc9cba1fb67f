package import StepKit

/// SecureNode caller identity.
package enum SecureNode {
  /// The system as the catalogue lists it: connection, tokens, steps.
  package static let system = SystemDescription(
    name: "securenode", title: "SecureNode caller identity", settings: { Settings.recordShape }, tokens: nil, steps: [])

  /// The settings of a connection.
  package struct Settings: Sendable {
    let baseURL: String?
  }
}

extension SecureNode.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    baseURL = field("base_url", "The API; the sandbox has its own.", format: .uri)
  }
}
