import CLibCurl
import StepKit
import Synchronization

/// One request on its way, and all that is known of it.
///
/// `@unchecked Sendable`: all but `isCancelRequested` is touched only by the thread of the loop that runs it, to
/// which it comes through the loop's inbox.
@safe final class Transfer: @unchecked Sendable {
  let request: TransportRequest
  let lines: RequestLines
  let rules: TransferRules
  /// When the whole attempt is over, redirects and waiting for a handle included.
  let deadline: ContinuousClock.Instant
  private let cancelRequest = Atomic(false)

  /// Set from the moment the loop has it until it is answered.
  var continuation: CurlLoop.Continuation?
  var target: Target?
  /// Through whom it goes.
  var proxy: ProxyServer?
  var slot: EasySlot?
  /// Its place among the loop's live transfers.
  var liveIndex = 0

  private(set) var head = ResponseHead()
  private(set) var body = ReceivedBody()
  /// How often the request was allowed onto the wire.
  private(set) var sends = 0
  /// Why one of the callbacks ended the transfer; libcurl only says 23 or 42.
  private(set) var stop: TransportFailure?

  init(_ request: TransportRequest, _ lines: RequestLines, _ rules: TransferRules, deadline: ContinuousClock.Instant) {
    self.request = request
    self.lines = lines
    self.rules = rules
    self.deadline = deadline
  }

  // MARK: - From any thread

  var isCancelRequested: Bool { cancelRequest.load(ordering: .relaxed) }

  func requestCancel() { cancelRequest.store(true, ordering: .relaxed) }

  // MARK: - From the loop's thread

  var isOver: Bool { continuation == nil }

  var sent: Sent { sends > 0 ? .maybe : .no }

  var cancelled: TransportFailure { TransportFailure(.cancelled, sent: sent, message: "the request was cancelled") }

  var timedOut: TransportFailure {
    TransportFailure(.timeout, sent: sent, message: "no whole answer within \(request.timeout.shown)")
  }

  func finish(_ outcome: Result<Answer, TransportFailure>) {
    continuation.take()?.resume(returning: outcome)
  }

  /// Whether the request may go onto the wire now: asked before every send, those that libcurl repeats of its own
  /// accord included.
  func maySend(to peer: String) -> Bool {
    guard sends == 0 || request.delivery == .repeatable || rules.weakening.contains(.secondSend) else {
      stop = TransportFailure(
        .refusedSecondSend, sent: .maybe,
        message: "\(authority) ended the connection without an answer, and this request may be sent only once")
      return false
    }
    // Reading an address costs more than a look at how it begins, and every request comes through here.
    let mayBeLinkLocal = peer.hasPrefix("169.254.") || peer.utf8.contains(UInt8(ascii: ":"))
    guard request.allowsLinkLocal || !mayBeLinkLocal || !PeerAddress(peer).isLinkLocal else {
      stop = TransportFailure(.connect, sent: sent, message: "\(peer), the address of \(authority), is link-local, which is refused")
      return false
    }
    if isCancelRequested { stop = cancelled }
    guard stop == nil else { return false }
    guard sends == 0, let willSend = request.willSend else {
      sends += 1
      return true
    }
    guard willSend() else {
      stop = TransportFailure(.refusedByCaller, sent: .no, message: "the request was held back before it was sent")
      return false
    }
    // It stands written somewhere that it leaves: whatever comes now, nobody may call it unsent.
    sends += 1
    // It may have taken its time.
    if deadline <= .now { stop = timedOut }
    if isCancelRequested { stop = cancelled }
    return stop == nil
  }

  /// Takes a header line; false ends the transfer.
  func take(headerLine: Span<UInt8>) -> Bool {
    let wasComplete = head.isComplete
    switch head.take(headerLine) {
    case nil: break
    case .tooLarge(let message): stop = TransportFailure(.headersTooLarge, sent: .maybe, message: message)
    case .malformed(let message): stop = TransportFailure(.malformed, sent: .maybe, message: message)
    }
    if !wasComplete, head.isComplete { watchSpeed() }
    return stop == nil
  }

  /// Takes a piece of the decoded body; false ends the transfer. The count is ours, because libcurl's limit knows
  /// neither chunks nor what a compressed body grows to.
  func take(bodyPiece piece: Span<UInt8>) -> Bool {
    guard piece.count <= request.maxBodyBytes - body.count else {
      stop = TransportFailure(
        .bodyTooLarge, sent: .maybe, message: "the body of the answer is longer than \(request.maxBodyBytes) bytes")
      return false
    }
    do {
      try body.append(piece, request.openSpool, mostHeld: rules.mostBytesHeld)
      return true
    } catch {
      stop = TransportFailure(.system, sent: .maybe, message: "the body of the answer has no place: \(error.detail)")
      return false
    }
  }

  /// Ends an answer that has begun and then crawls. Not before: a server may think for as long as the deadline allows.
  private func watchSpeed() {
    guard let easy = unsafe slot?.handle.raw else { return }
    unsafe _ = clibcurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, rules.slowestBytesPerSecond)
    unsafe _ = clibcurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, rules.slowSeconds)
  }

  /// `host:port`, for messages.
  var authority: String { target?.authority ?? request.url }
}

extension Duration {
  /// `300 ms` or `30 s`.
  package var shown: String {
    let milliseconds = wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
