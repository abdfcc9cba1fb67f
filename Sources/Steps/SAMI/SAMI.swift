package import StepKit

/// SAMI data exchange.
package enum SAMI {
  /// The system as the catalogue lists it: connection, tokens, steps.
  package static let system = SystemDescription(
    name: "sami", title: "SAMI data exchange", settings: { Settings.recordShape }, tokens: nil, steps: [])

  /// The settings of a connection.
  package struct Settings: Sendable {
    let baseURL: String?
  }
}

extension SAMI.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    baseURL = field("base_url", "The API; the sandbox has its own.", format: .uri)
  }
}
