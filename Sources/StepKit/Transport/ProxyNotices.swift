import Synchronization

/// A transport that says, once for each, which proxy a variable puts between the run and its hosts.
///
/// It settles `ProxySetting.environment` before the transport below sees it, so that what is said is what is done.
package final class ProxyNotices: HTTPTransporting {
  private let transport: any HTTPTransporting
  private let variables: ProxyVariables
  private let notify: @Sendable (String) -> Void
  private let told = Mutex<Set<ProxyVariables.Choice>>([])

  /// - Parameter notify: shown one line, such as on the standard error stream.
  package init(_ transport: any HTTPTransporting, variables: ProxyVariables, notify: @escaping @Sendable (String) -> Void) {
    self.transport = transport
    self.variables = variables
    self.notify = notify
  }

  package func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    guard request.proxy == .environment, request.redirects == 0 else { return try await transport.perform(request) }
    var settled = request
    settled.proxy = try setting(for: request)
    return try await transport.perform(settled)
  }

  private func setting(for request: TransportRequest) throws(TransportFailure) -> ProxySetting {
    guard request.delivery != .once, !variables.isEmpty else { return .direct }
    do throws(StepFailure) {
      let address = try WebAddress(request.url)
      guard !address.isLoopback, let choice = try variables.proxy(scheme: address.scheme, host: address.host) else { return .direct }
      if told.withLock({ $0.insert(choice).inserted }) {
        notify(
          "requests such as to `\(address.host)` go through the proxy `\(choice.server.shown)`, which the variable `\(choice.variable)` names"
        )
      }
      return .server(choice.server)
    } catch {
      throw TransportFailure(.invalidRequest, sent: .no, message: error.detail)
    }
  }
}
