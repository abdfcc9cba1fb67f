import StepKit

/// A transport of WebSockets that name the files of their `tls` as flows do.
struct ProjectSockets: WebSocketTransporting {
  let transport: any WebSocketTransporting
  let places: TLSFilePlaces

  func open(_ request: WebSocketRequest) async throws(TransportFailure) -> WebSocketOpening {
    var placed = request
    placed.tls = try places.placed(request.tls)
    return try await transport.open(placed)
  }
}
