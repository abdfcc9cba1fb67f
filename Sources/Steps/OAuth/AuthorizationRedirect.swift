package import StepKit

/// What an authorization server says in the URL that it sends the browser to (RFC 6749 §4.1.2, §4.2.2), read pair by pair.
package struct AuthorizationRedirect: Sendable {
  /// Decoded, in their order; the fragment's pairs behind the query's.
  package let pairs: [(name: String, value: String)]

  /// - Parameter url: the value of `Location`, or what stands in the browser's address bar.
  package init(_ url: String) {
    pairs = RedirectParameters.read(url).map { (name: $0.name, value: $0.value) }
  }

  /// The first value under a name.
  package subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// The URL without query and fragment.
  static func address(of url: String) -> Substring { url.prefix { $0 != "?" && $0 != "#" } }

  /// The parameters that nothing may show.
  static let secretNames: Set<String> = ["code", "access_token", "id_token", "refresh_token"]

  /// What of it nothing may show.
  var secretTexts: [String] { pairs.filter { Self.secretNames.contains($0.name) && !$0.value.isEmpty }.map(\.value) }

  /// - Throws: `auth.denied` for the error that the server names, `auth.state` where `state` is not the one that was sent.
  package func check(state: String?) throws(StepFailure) {
    // Whose answer it is comes before what it says (RFC 9700 §4.7).
    if let state, self["state"] != state {
      throw OAuthRefusal.wrongState.local(
        detail: self["state"] == nil ? "the redirect has no `state`" : "the redirect's `state` is not the one that was sent")
    }
    guard let error = self["error"] else { return }
    let detail = ["`\(error)`", self["error_description"]].compactMap { $0 }.joined(separator: ": ")
    throw OAuthRefusal.denied.local(detail: detail)
  }
}
