import StepKit

/// Where a `ws` or `wss` URL leads.
struct SocketTarget: Sendable {
  let isEncrypted: Bool
  /// Lower case; an IPv6 address without its brackets.
  let host: String
  let port: Int
  /// The path with its query, as the request line has it.
  let path: String
  /// As the `Host` header has it: the port where it is not the scheme's own.
  let authority: String
  /// The same as `https` or `http`.
  let webURL: String

  /// - Throws: `.invalidRequest`, nothing sent, for what is no absolute `ws` or `wss` URL.
  init(_ url: String) throws(TransportFailure) {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard scheme == "ws" || scheme == "wss" else {
      throw .invalidRequest("the scheme `\(scheme)` is not supported; use `ws` or `wss`")
    }
    let address: WebAddress
    do {
      address = try WebAddress("http\(url.dropFirst(2))")
    } catch {
      throw .invalidRequest(error.detail)
    }
    isEncrypted = scheme == "wss"
    host = address.host
    port = address.port
    path = address.path + (address.query.map { "?\($0)" } ?? "")
    authority = String(address.origin.dropFirst("\(address.scheme)://".count))
    webURL = address.text
  }

  /// `host:port`, for messages.
  var shown: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
