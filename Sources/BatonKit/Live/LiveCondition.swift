import Diagnostics
import SourceText

/// One of the conditions under which an emergency may leave for somebody real.
struct LiveCondition {
  enum Name: String, CaseIterable {
    /// `live: true` in the environment.
    case environment
    /// `--live`
    case flag
    /// Somebody, or `--confirm`, confirms the key.
    case confirmation
    /// No variable changes what is loaded, or writes down the keys of TLS.
    case variables
    /// The ledger and the journal outlast a restart.
    case records
    /// The address is https.
    case https
    /// What became of it can be found out, or the flow says why not.
    case verification
    /// The key is among those that `--confirm` names.
    case key
  }

  let name: Name
  /// Nil where only the run can tell.
  let isMet: Bool?
  /// What is so; stands alone.
  let text: String
  var kind = DiagnosticKind.invalidValue
  var related: [Diagnostic.Label] = []
  /// How to mend it.
  var help: [String] = []

  static func met(_ name: Name, _ text: String) -> LiveCondition { LiveCondition(name: name, isMet: true, text: text) }
  static func open(_ name: Name, _ text: String) -> LiveCondition { LiveCondition(name: name, isMet: nil, text: text) }

  /// The finding that refuses the run; nil unless the condition is known not to hold.
  func finding(at place: Place?) -> Diagnostic? {
    guard isMet == false else { return nil }
    return Diagnostic(kind, text, at: place, related: related, help: help)
  }
}
