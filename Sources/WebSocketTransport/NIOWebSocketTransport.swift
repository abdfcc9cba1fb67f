package import StepKit

/// WebSockets over SwiftNIO (RFC 6455): `ws`, and `wss` with TLS 1.2 or newer, verified.
///
/// Its one thread starts with the first socket and ends with the last. It speaks to hosts directly: no proxy, whichever a
/// variable names.
package final class NIOWebSocketTransport: WebSocketTransporting {
  private let loops = EventLoops()
  private let patience: Duration

  package convenience init() { self.init(patience: .seconds(1)) }

  /// - Parameter patience: how long a server's close frame is waited for.
  init(patience: Duration) { self.patience = patience }

  package func open(_ request: WebSocketRequest) async throws(TransportFailure) -> WebSocketOpening {
    let target = try SocketTarget(request.url)
    let handshake = try HandshakeRequest(request, target)
    let tls = try target.isEncrypted ? ClientTLS(request.tls, host: target.host) : nil
    let opening = Opening(request, target, handshake, tls, patience: patience)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { opening.begin(on: loops.lease(), $0) }
    } onCancel: {
      opening.cancel()
    }
    return try outcome.get()
  }
}
