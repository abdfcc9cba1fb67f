import Glibc

/// An IP address by its text, as far as it decides where a request may go.
package struct PeerAddress: Hashable, Sendable {
  /// Four or sixteen bytes in network order; empty where the text is no address.
  private let bytes: [UInt8]

  /// Reads `127.0.0.1`, `::1` or `[::1]`; anything else, such as a name, is no address and answers no to everything.
  package init(_ text: String) {
    let inner = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    let plain = String(inner.prefix { $0 != "%" })  // fe80::1%eth0
    var buffer = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, plain, &buffer) == 1 {
      bytes = Array(buffer[..<4])
    } else if unsafe inet_pton(AF_INET6, plain, &buffer) == 1 {
      // ::ffff:127.0.0.1 is 127.0.0.1.
      let isMapped = buffer[..<10].allSatisfy { $0 == 0 } && buffer[10] == 0xFF && buffer[11] == 0xFF
      bytes = isMapped ? Array(buffer[12...]) : buffer
    } else {
      bytes = []
    }
  }

  /// 127.0.0.0/8 or ::1.
  package var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.count == 16 && bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// 169.254.0.0/16 or fe80::/10, where cloud machines keep their credentials.
  package var isLinkLocal: Bool {
    bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }
}
