package import StepKit

/// OYA mobile operator, second generation of Ostelco.
package enum Oya {
  /// The system as the catalogue lists it: connection, tokens, steps.
  package static let system = SystemDescription(
    name: "oya", title: "OYA mobile operator, second generation of Ostelco", settings: { Settings.recordShape }, tokens: nil, steps: [])

  /// The settings of a connection.
  package struct Settings: Sendable {
    let baseURL: String?
  }
}

extension Oya.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    baseURL = field("base_url", "The API; the sandbox has its own.", format: .uri)
  }
}
