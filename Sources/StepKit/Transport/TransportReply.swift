package import HTTPTypes

/// A complete answer.
package struct TransportReply: Sendable {
  package var status: Int
  /// Of the last answer only, trailers not included; every field once for each line.
  package var headers: HTTPFields
  /// Decoded (gzip and so on removed); empty where it was spooled.
  package var body: [UInt8]
  /// The whole body, decoded, where it was too large to hold and the request has a spool.
  package var spool: (any BodySpool)?
  /// The URL that answered, after redirects.
  package var url: String
  package var timings: TransferTimings

  package init(status: Int, headers: HTTPFields, body: [UInt8], url: String, timings: TransferTimings = TransferTimings()) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.timings = timings
  }
}

/// When each phase of a transfer had ended, counted from its start; zero where it did not happen.
package struct TransferTimings: Hashable, Sendable {
  package var nameLookup = Duration.zero
  package var connect = Duration.zero
  package var tls = Duration.zero
  package var firstByte = Duration.zero
  package var total = Duration.zero
  package var isConnectionReused = false

  package init() {}
}

/// Whether a request reached the other side, as far as anyone here can know.
package enum Sent: String, Hashable, Sendable {
  /// Not a byte left: name look-up, connect or TLS failed, or it was stopped before.
  case no
  /// Bytes may have left and no whole answer came back.
  case maybe
  /// A whole answer came back.
  case yes
}

/// Why a transfer gave no usable answer.
package struct TransportFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case dns
    case connect
    case connectTimeout
    case tlsHandshake
    case tlsCertificate
    /// The whole attempt took too long.
    case timeout
    /// The connection ended, or was reset, before the answer was whole.
    case reset
    /// The other side does not speak HTTP as RFC 9110 and 9112 have it.
    case malformed
    case bodyTooLarge
    /// More headers, or a longer one, than are accepted.
    case headersTooLarge
    case tooManyRedirects
    /// The request itself cannot be sent: an unsupported scheme, a bad URL, CR or LF in a header.
    case invalidRequest
    /// The transport was about to send a second time what may be sent only once.
    case refusedSecondSend
    /// `willSend` said no.
    case refusedByCaller
    case cancelled
    /// Out of memory, no such library, and the like.
    case system
  }

  package var reason: Reason
  package var sent: Sent
  /// One sentence, lower case, with the host or the number that matters.
  package var message: String
  /// libcurl's code, 0 where it has none.
  package var curlCode: Int

  package init(_ reason: Reason, sent: Sent, message: String, curlCode: Int = 0) {
    self.reason = reason
    self.sent = sent
    self.message = message
    self.curlCode = curlCode
  }
}

extension TransportFailure.Reason {
  /// What the author of a flow can do about it: one clause, lower case.
  package var hint: String {
    switch self {
    case .dns: "check the host's name, and that this machine can look up names"
    case .connect: "check the host and the port, and that the server runs"
    case .connectTimeout: "check that the host can be reached from here, or give it longer with `connect_timeout`"
    case .tlsHandshake: "check that the port speaks TLS 1.2 or newer, and whether the server wants a client certificate (`tls.cert`)"
    case .tlsCertificate: "check the certificate's names and dates; name the root of a private one with `tls.ca`"
    case .timeout: "give it longer with `attempt_timeout`; where it may have been sent, look at the other side first"
    case .reset: "the server or something on the way gave up; where it may have been sent, look at the other side first"
    case .malformed: "check that the port speaks HTTP and that nothing on the way rewrites its answers"
    case .bodyTooLarge: "allow more with `max_body`, and keep a large body with `save`"
    case .headersTooLarge: "check the server's answer; headers past 256 KiB, or one past 64 KiB, are refused"
    case .tooManyRedirects: "check for redirects that lead in a circle, or allow more with `follow`"
    case .invalidRequest: "mend the request; nothing of it was sent"
    case .refusedSecondSend: "find out on the other side whether the first one arrived before you send another"
    case .refusedByCaller: "nothing was sent; what held it back says why"
    case .cancelled: "run it again once nothing of it is in doubt"
    case .system: "check this machine's memory, disk and installation of libcurl"
    }
  }
}

/// Sends one request. Conformers keep true: never more than one send for `single` and `once`; the body is counted
/// as it streams, and is held whole unless the request has a spool; a cancelled task stops the transfer and throws
/// `.cancelled`; no failure says `sent: no` once a byte may have left.
package protocol HTTPTransporting: Sendable {
  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply
}
