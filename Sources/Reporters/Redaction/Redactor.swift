/// Replaces every known secret in a stream of text by `[secret]`, under whatever escape or encoding it appears.
///
/// It is the last thing that every output of the program goes through, one redactor a stream. A secret is found wherever
/// the chunks are cut: what may be the beginning of one is held back until the next chunk or `finish()` decides. A line
/// break ends almost every doubt, so whole lines come through at once. Where two secrets overlap, all that either covers
/// is hidden. Without secrets the text is handed through untouched.
package struct Redactor: Sendable {
  private var patterns = SecretPatterns()
  /// What came and is not yet decided: it begins like a secret.
  private var held: [UInt8] = []
  /// How many of the bytes to come belong to a secret that `[secret]` already stands for.
  private var covered = 0

  private static let mark = Array("[secret]".utf8)

  /// Secrets of fewer than four characters are not searched for.
  package init(secrets: some Sequence<String> = []) {
    add(secrets)
  }

  /// Looks for further secrets from here on, such as a token that was just granted.
  package mutating func add(_ secrets: some Sequence<String>) {
    for secret in secrets { patterns.insert(secret) }
  }

  /// What of the text so far can be shown.
  package mutating func redact(_ chunk: String) -> String {
    guard !patterns.isEmpty else { return chunk }
    return String(decoding: redact(Array(chunk.utf8)), as: UTF8.self)
  }

  /// What of the bytes so far can be shown.
  package mutating func redact(_ chunk: [UInt8]) -> [UInt8] {
    guard !patterns.isEmpty else { return chunk }
    held += chunk
    return release(isEnd: false)
  }

  /// What was held back, once nothing follows or someone waits for an answer.
  package mutating func finish() -> String {
    let rest = String(decoding: release(isEnd: true), as: UTF8.self)
    covered = 0
    return rest
  }

  /// The whole of a text without its secrets; what the stream holds back is not touched.
  package func redacted(_ text: String) -> String {
    guard !patterns.isEmpty else { return text }
    var other = self
    other.held = Array(text.utf8)
    other.covered = 0
    return String(decoding: other.release(isEnd: true), as: UTF8.self)
  }

  private mutating func release(isEnd: Bool) -> [UInt8] {
    let text = held
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var offset = 0
    scan: while offset < text.count {
      switch patterns.finding(in: text.span, at: offset, isEnd: isEnd) {
      case .nothing: break
      case .unfinished: break scan
      case .secret(let length):
        if covered == 0 { output += Self.mark }
        covered = max(covered, length)
      }
      if covered > 0 { covered -= 1 } else { output.append(text[offset]) }
      offset += 1
    }
    held = Array(text[offset...])
    return output
  }
}
