package import StepKit

/// A code verifier and its challenge (PKCE, RFC 7636 §4.1, §4.2).
package struct ProofKey: Hashable, Sendable {
  /// 43 characters.
  package let verifier: String
  /// By `S256`.
  package let challenge: String

  /// A new one for each consent.
  package init(_ random: any RandomPort) { self.init(verifier: Base64URL.encoded(random.bytes(32))) }

  package init(verifier: String) {
    self.verifier = verifier
    let digest = HashDigest.sha256(Array(verifier.utf8))
    let digits = Array(digest)
    challenge = Base64URL.encoded(stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) })
  }
}
