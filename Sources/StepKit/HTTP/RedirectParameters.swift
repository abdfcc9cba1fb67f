/// The parameters of a URL that a server sends somebody to, those of its query and then those of its fragment.
package enum RedirectParameters {
  /// One of them.
  package struct Parameter: Hashable, Sendable {
    package let name: String
    /// Decoded as in a form.
    package let value: String
    /// As it stands in the URL.
    package let written: String
  }

  /// In their order, as far as they can be read.
  package static func read(_ url: String) -> [Parameter] {
    let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
    return pairs(query) + (parts.count == 2 ? pairs(parts[1]) : [])
  }

  /// Those of a form's body.
  static func pairs(_ text: Substring) -> [Parameter] {
    text.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let written = halves.count == 2 ? halves[1] : ""
      return Parameter(name: PercentEncoding.formDecoded(halves[0]), value: PercentEncoding.formDecoded(written), written: written)
    }
  }
}

extension [RedirectParameters.Parameter] {
  /// What nothing may show where these names are secret, decoded and as it is written: it may turn up either way.
  func secretTexts(_ names: Set<String>) -> [String] {
    filter { names.contains($0.name) }.flatMap { $0.value == $0.written ? [$0.value] : [$0.value, $0.written] }.filter { !$0.isEmpty }
  }
}
