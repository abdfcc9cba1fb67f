import Diagnostics

extension Terminal {
  /// Shows findings to a person, on the error stream.
  func show(_ diagnostics: [Diagnostic]) {
    write(diagnostics.rendered(as: .human, isColoured: isColoured(.error)), to: .error)
  }
}
