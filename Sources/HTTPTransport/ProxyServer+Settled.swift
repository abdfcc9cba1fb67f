import Glibc
package import StepKit

extension ProxyVariables {
  /// The variables of this process, as they are now.
  package static var ofProcess: ProxyVariables {
    ProxyVariables { name in
      guard let value = unsafe getenv(name) else { return nil }
      return unsafe String(cString: value)
    }
  }
}

extension ProxyServer {
  /// Through whom a request goes; nil where it goes straight to its host.
  ///
  /// Never for loopback, which a proxy would take for its own; what is sent once goes through no proxy but one that was stated.
  /// - Throws: `.invalidRequest`, for a variable that names no proxy.
  static func settled(for request: TransportRequest, to target: Target) throws(TransportFailure) -> ProxyServer? {
    guard !target.isLoopback else { return nil }
    switch request.proxy {
    case .direct: return nil
    case .server(let server): return server
    case .environment:
      guard request.delivery != .once else { return nil }
      do {
        return try ProxyVariables.ofProcess.proxy(scheme: target.scheme, host: target.host)?.server
      } catch {
        throw TransportFailure(.invalidRequest, sent: .no, message: error.detail)
      }
    }
  }
}
