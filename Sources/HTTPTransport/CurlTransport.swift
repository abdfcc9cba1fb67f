import HTTPTypes
package import StepKit

/// HTTP over libcurl: one loop on a thread of its own for all transfers, except that each `once` request gets a
/// thread, a handle and a connection to itself.
///
/// libcurl sends some requests twice of its own accord: a POST on a reused connection that died, an `Expect` that was
/// refused. The pre-request hook is asked before every send, and for `single` and `once` says yes one time.
package final class CurlTransport: HTTPTransporting {
  /// The transport of the process; its thread starts with the first request or with `preload`.
  package static let shared = CurlTransport()

  private let loop = CurlLoop(.shared)
  private let rules: TransferRules

  package convenience init() { self.init(TransferRules()) }

  /// For tests, which cannot wait as long as a person does.
  init(_ rules: TransferRules) { self.rules = rules }

  deinit { loop.end() }

  /// Loads and initialises libcurl on the loop's thread, some 10 ms, so that the first request need not wait.
  package func preload() {
    CurlLibrary.stopKeyLog()
    loop.start()
  }

  package func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    let deadline = ContinuousClock.now + request.timeout
    var hop = request
    var followed = 0
    while true {
      var reply: TransportReply
      do {
        reply = try await send(hop, deadline)
      } catch {
        var failure = error
        // What was redirected has left, whatever became of the next hop.
        if followed > 0, failure.sent == .no { failure.sent = .maybe }
        throw failure
      }
      let decision = Redirect.decide(
        status: reply.status, location: reply.headers[.location], of: hop, limit: request.redirects, followed: followed)
      switch decision {
      case .keep: return reply
      case .refuse(let failure): throw failure
      case .follow(let next):
        hop = next
        hop.willSend = nil  // the first byte has left long ago
        followed += 1
      }
    }
  }

  /// One request and its answer, redirects not followed.
  private func send(_ request: TransportRequest, _ deadline: ContinuousClock.Instant) async throws(TransportFailure) -> TransportReply {
    let transfer = Transfer(request, try RequestLines(request), rules, deadline: deadline)
    let loop = request.delivery == .once && !rules.weakening.contains(.reuse) ? CurlLoop(.single) : loop
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { loop.begin(transfer, $0) }
    } onCancel: {
      transfer.requestCancel()
      loop.cancel(transfer)
    }
    return try outcome.get().reply()
  }
}
