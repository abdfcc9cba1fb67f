import Crypto
import FoundationEssentials
import Glibc

/// Seals what a run needs again and nobody may read: ChaCha20-Poly1305 (RFC 8439) with one key for a state directory.
///
/// What is sealed for one context opens for no other, so that a text which somebody moved in the database is told.
package struct JournalSeal: Sendable {
  /// The environment variable that may hold the key: base64 of 32 bytes.
  package static let variable = "BATON_STATE_KEY"
  /// The file of the state directory that holds the key otherwise.
  package static let fileName = "seal.key"

  private static let keyBytes = 32

  private let key: SymmetricKey
  /// What the key is used for, so that one key serves several purposes and no text passes for another's.
  private let purpose: String

  /// The seal of a key that is kept elsewhere; nil where it has another length.
  package init?(key bytes: [UInt8], purpose: String) {
    guard bytes.count == Self.keyBytes else { return nil }
    key = SymmetricKey(data: bytes)
    self.purpose = purpose
  }

  /// A key of random bytes.
  package static func newKey() -> [UInt8] {
    unsafe SymmetricKey(size: SymmetricKeySize(bitCount: keyBytes * 8)).withUnsafeBytes { unsafe Array($0) }
  }

  /// The seal of a state directory: with the key of the environment, else of the file, which its first user makes.
  ///
  /// - Throws: `sealed` where the variable holds no key, whose value is never shown; `corrupt` where the file does;
  ///   `unsafePath` where others can read or replace the file; every error of the disk.
  package init(
    in directory: StateDirectory, environmentKey: String? = Self.environmentKey, purpose: String = "journal"
  ) throws(JournalError) {
    self.purpose = purpose
    guard let text = environmentKey else {
      key = SymmetricKey(data: try directory.keyFile(Self.fileName, bytes: Self.keyBytes))
      return
    }
    guard let bytes = Data(base64Encoded: text), bytes.count == Self.keyBytes else {
      throw JournalError(
        .sealed, "`\(Self.variable)` holds no key",
        mend: "set it to the base64 of 32 random bytes, such as `openssl rand -base64 32` prints")
    }
    key = SymmetricKey(data: bytes)
  }

  /// What the variable holds; nil where it is not set.
  package static var environmentKey: String? {
    guard let text = unsafe getenv(variable) else { return nil }
    return unsafe String(cString: text)
  }

  /// The text as only this key opens it, and only for the same context: base64 of nonce, ciphertext and tag.
  ///
  /// - Throws: `other` where the library refuses, which it has no reason for.
  package func seal(_ text: String, for context: String) throws(JournalError) -> String {
    do {
      return try ChaChaPoly.seal(Data(text.utf8), using: key, authenticating: authenticated(context)).combined.base64EncodedString()
    } catch {
      throw JournalError(.other, "cannot seal what belongs to `\(context)`")
    }
  }

  /// The text that was sealed for a context.
  ///
  /// - Throws: `sealed` where the key or the context is another one, or the text was changed.
  package func open(_ sealed: String, for context: String) throws(JournalError) -> String {
    guard let bytes = Data(base64Encoded: sealed), let box = try? ChaChaPoly.SealedBox(combined: bytes),
      let text = try? ChaChaPoly.open(box, using: key, authenticating: authenticated(context))
    else {
      throw JournalError(
        .sealed, "cannot open what was sealed for `\(context)`: the key is another one, or the text was changed",
        mend: "use the `\(Self.variable)`, or the `\(Self.fileName)`, with which it was stored")
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func authenticated(_ context: String) -> Data { Data("baton \(purpose) 1\0\(context)".utf8) }
}
