package import StepKit

/// Afero cloud Client API.
package enum Afero {
  /// The system as the catalogue lists it: connection, tokens, steps.
  package static let system = SystemDescription(
    name: "afero", title: "Afero cloud Client API", settings: { Settings.recordShape }, tokens: nil, steps: [])

  /// The settings of a connection.
  package struct Settings: Sendable {
    let baseURL: String?
  }
}

extension Afero.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    baseURL = field("base_url", "The API; the sandbox has its own.", format: .uri)
  }
}
