import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOWebSocket
import StepKit

/// The request of a handshake, and what its answer must say (RFC 6455 §4.1).
struct HandshakeRequest: Sendable {
  let head: HTTPRequestHead
  private let verifier: NIOWebSocketClientUpgrader
  private let subprotocols: [String]

  /// - Throws: `.invalidRequest`, nothing sent, for a header that cannot be sent.
  init(_ request: WebSocketRequest, _ target: SocketTarget) throws(TransportFailure) {
    let key = NIOWebSocketClientUpgrader.randomRequestKey()
    verifier = NIOWebSocketClientUpgrader(requestKey: key) { channel, _ in channel.eventLoop.makeSucceededVoidFuture() }
    var headers = HTTPHeaders([
      ("Host", target.authority), ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
      ("Sec-WebSocket-Key", key),
    ])
    for field in request.headers {
      try Self.check(field)
      headers.add(name: field.name.rawName, value: field.value)
    }
    subprotocols = headers["Sec-WebSocket-Protocol"].flatMap(Self.items)
    head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target.path, headers: headers)
  }

  private static let ownNames: Set = [
    "host", "upgrade", "connection", "sec-websocket-version", "sec-websocket-key", "sec-websocket-accept", "sec-websocket-extensions",
    "content-length", "transfer-encoding", "expect", "te", "trailer",
  ]

  private static func check(_ field: HTTPField) throws(TransportFailure) {
    guard !ownNames.contains(field.name.canonicalName) else {
      throw .invalidRequest("the header `\(field.name.rawName)` is the handshake's own; leave it out")
    }
    guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
      throw .invalidRequest("the header `\(field.name.rawName)` contains a line break or a NUL")
    }
  }

  /// Why a 101 opens no WebSocket; nil where it does.
  func problem(with answer: HTTPResponseHead) -> String? {
    let headers = answer.headers
    if answer.version != .http1_1 { return "it is not HTTP/1.1" }
    if headers["Upgrade"].map({ $0.lowercased() }) != ["websocket"] { return "its `Upgrade` is not `websocket`" }
    if !headers["Connection"].flatMap(Self.items).contains(where: { $0.lowercased() == "upgrade" }) {
      return "its `Connection` does not say `Upgrade`"
    }
    if headers["Sec-WebSocket-Accept"].count != 1 || !verifier.shouldAllowUpgrade(upgradeResponse: answer) {
      return "its `Sec-WebSocket-Accept` is not the answer to this request's key"
    }
    if !headers["Sec-WebSocket-Extensions"].isEmpty { return "it names an extension that nobody asked for" }
    let chosen = headers["Sec-WebSocket-Protocol"]
    if chosen.count > 1 || chosen.contains(where: { !subprotocols.contains($0) }) {
      return "it names a subprotocol that nobody asked for"
    }
    return nil
  }

  private static func items(_ value: String) -> [String] {
    value.split(separator: ",").map { item in
      let rest = item.drop { $0 == " " || $0 == "\t" }
      return String(rest.prefix { $0 != " " && $0 != "\t" })
    }
  }
}

extension HTTPResponseHead {
  /// Every field, one for each line; what is no field is left out.
  var fields: HTTPFields {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return fields
  }
}
