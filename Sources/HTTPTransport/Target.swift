import CLibCurl
import Glibc
package import StepKit

/// Where a request goes, as libcurl itself reads the URL: a second reader could see another host.
package struct Target: Hashable, Sendable {
  /// The whole URL, percent-encoded where it was not, dot segments resolved.
  package let url: String
  package let scheme: String
  /// Lower case; an IPv6 address stands in brackets.
  package let host: String
  package let port: String

  /// `host:port`, for messages.
  package var authority: String { "\(host):\(port)" }

  /// Whether two URLs share scheme, host and port (RFC 6454): where secrets may go.
  package func isSameOrigin(as other: Target) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// Whether the host is this machine, so that no proxy may see the request.
  package var isLoopback: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    return PeerAddress(host).isLoopback
  }

  /// Reads an absolute URL, or one relative to `base`. libcurl must be loaded.
  ///
  /// - Throws: `.invalidRequest`, nothing sent, where it is no `http` or `https` URL or carries a user name.
  package init(_ text: String, relativeTo base: String? = nil) throws(TransportFailure) {
    guard let parts = URLParts() else { throw TransportFailure(.system, sent: .no, message: "out of memory") }
    try parts.read(text, base: base)
    scheme = parts.get(CURLUPART_SCHEME).lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw Self.refused("the scheme `\(scheme)` is not supported; use `http` or `https`")
    }
    url = parts.get(CURLUPART_URL)
    host = parts.get(CURLUPART_HOST).lowercased()
    port = parts.get(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT))
  }

  fileprivate static func refused(_ message: String) -> TransportFailure {
    TransportFailure(.invalidRequest, sent: .no, message: message)
  }
}

/// The owner of one of libcurl's URL handles.
@safe private struct URLParts: ~Copyable {
  private let raw: OpaquePointer

  init?() {
    guard let handle = unsafe clibcurl_url() else { return nil }
    unsafe raw = handle
  }

  func read(_ text: String, base: String?) throws(TransportFailure) {
    var result = CURLUE_OK
    if let base { result = unsafe clibcurl_url_set(raw, CURLUPART_URL, base, 0) }
    let flags = UInt32(CURLU_DISALLOW_USER | CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
    if result == CURLUE_OK { result = unsafe clibcurl_url_set(raw, CURLUPART_URL, text, flags) }
    switch result {
    case CURLUE_OK: break
    case CURLUE_USER_NOT_ALLOWED: throw Target.refused("the URL carries a user name; leave it out and authenticate with a header")
    default: throw Target.refused("the URL is not an absolute `http` or `https` URL")
    }
  }

  func get(_ part: CURLUPart, _ flags: UInt32 = 0) -> String {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe clibcurl_url_get(raw, part, &text, flags) == CURLUE_OK, let found = unsafe text else { return "" }
    defer { unsafe clibcurl_free(found) }
    return unsafe String(cString: found)
  }

  deinit { unsafe clibcurl_url_cleanup(raw) }
}
