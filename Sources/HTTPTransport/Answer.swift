import StepKit

/// A whole answer as the loop hands it over: the header fields are read on the caller's thread, not on the loop's.
struct Answer: Sendable {
  let status: Int
  let head: ResponseHead
  let body: [UInt8]
  let spool: (any BodySpool)?
  let url: String
  let timings: TransferTimings

  func reply() -> TransportReply {
    var reply = TransportReply(status: status, headers: head.fields(), body: body, url: url, timings: timings)
    reply.spool = spool
    return reply
  }
}
