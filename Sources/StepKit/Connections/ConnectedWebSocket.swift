/// The WebSocket port of one step on one connection, under the same rules as its requests.
package struct ConnectedWebSocket: WebSocketPort {
  /// Whose endpoint, session, hooks and limits hold here too.
  package var http: ConnectedHTTP
  package var transport: any WebSocketTransporting

  package init(_ http: ConnectedHTTP, transport: any WebSocketTransporting) {
    self.http = http
    self.transport = transport
  }

  package func open(
    _ call: WebSocketCall, _ body: @Sendable (any WebSocketConnection) async throws(StepFailure) -> Void
  ) async throws(StepFailure) {
    try await NoWebSockets().open(call, body)
  }
}
