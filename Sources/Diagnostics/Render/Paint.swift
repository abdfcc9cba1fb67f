/// The colours of a terminal, as rustc has them; or none.
struct Paint {
  let isColoured: Bool
  let severity: Diagnostic.Severity

  func blue(_ text: String) -> String { painted(text, "1;34") }
  func bold(_ text: String) -> String { painted(text, "1") }

  /// In the colour of the severity.
  func strong(_ text: String) -> String {
    switch severity {
    case .error, .failure: painted(text, "1;31")
    case .warning: painted(text, "1;33")
    }
  }

  func mark(_ text: String, _ isPrimary: Bool) -> String { isPrimary ? strong(text) : blue(text) }

  private func painted(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
