package import StepKit

/// Ostelco mobile operator, first generation.
package enum Ostelco {
  /// The system as the catalogue lists it: connection, tokens, steps.
  package static let system = SystemDescription(
    name: "ostelco", title: "Ostelco mobile operator, first generation", settings: { Settings.recordShape }, tokens: nil, steps: [])

  /// The settings of a connection.
  package struct Settings: Sendable {
    let baseURL: String?
  }
}

extension Ostelco.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    baseURL = field("base_url", "The API; the sandbox has its own.", format: .uri)
  }
}
