import CLibCurl
import Glibc
import StepKit

extension Transfer {
  /// What came of a transfer that libcurl has ended with `code`; its handle must still be there.
  func outcome(_ code: CURLcode) -> Result<Answer, TransportFailure> {
    if var stop {
      stop.curlCode = Int(code.rawValue)
      return .failure(stop)
    }
    guard code == CURLE_OK else { return .failure(failure(code)) }
    // libcurl takes headers that end with the connection for a whole answer, if they announce no body.
    guard head.isComplete, let slot, let target else { return .failure(TransportFailure(.reset, sent: .maybe, message: closedEarly)) }
    return .success(
      Answer(
        status: slot.long(CURLINFO_RESPONSE_CODE), head: head, body: body.held, spool: body.spool, url: target.url, timings: slot.timings())
    )
  }

  private func failure(_ code: CURLcode) -> TransportFailure {
    let verdict = CurlVerdict.of(Int(code.rawValue))
    let sent: Sent = sends == 0 && verdict?.sent == .no ? .no : .maybe
    let (reason, message) = explain(code, verdict?.reason ?? .system)
    return TransportFailure(reason, sent: sent, message: message, curlCode: Int(code.rawValue))
  }

  /// The reason, sharper than the code alone has it, and its sentence.
  private func explain(_ code: CURLcode, _ reason: TransportFailure.Reason) -> (TransportFailure.Reason, String) {
    let detail = self.detail(code)
    switch code {
    case CURLE_UNSUPPORTED_PROTOCOL where sends > 0:
      return (.malformed, "the answer of \(authority) is not HTTP")
    case CURLE_COULDNT_RESOLVE_HOST:
      return (reason, "cannot find the address of `\(target?.host ?? "")`")
    case CURLE_COULDNT_RESOLVE_PROXY:
      return (reason, "cannot find the address of the proxy (\(detail))")
    case CURLE_COULDNT_CONNECT:
      return (reason, refusal)
    case CURLE_BAD_CONTENT_ENCODING:
      // Some of its sentences go on with a list of what this libcurl understands.
      return (reason, "\(authority) does not keep to HTTP (\(detail.prefix { $0 != "." }))")
    case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP3:
      return (reason, "\(authority) does not keep to HTTP (\(detail))")
    case CURLE_PARTIAL_FILE:
      return (reason, closedEarly)
    case CURLE_GOT_NOTHING:
      return (reason, "\(authority) closed the connection without an answer")
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
      return explainTraffic(detail)
    case CURLE_OUT_OF_MEMORY where sends > 0 && !head.isComplete, tooLarge where sends > 0:
      return (.headersTooLarge, "a header line of the answer of \(authority) is longer than 100 KB")
    case CURLE_OPERATION_TIMEDOUT:
      return explainTime(detail)
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_PEER_FAILED_VERIFICATION:
      return (reason, explainCertificate(code, detail))
    default:
      return reason == .tlsHandshake
        ? (reason, "no TLS connection with \(authority) (\(detail))") : (reason, "the transfer with \(authority) failed (\(detail))")
    }
  }

  private var closedEarly: String {
    "\(authority) closed the connection in the middle of the \(head.isComplete ? "body" : "headers")"
  }

  private func explainTraffic(_ detail: String) -> (TransportFailure.Reason, String) {
    // Before the request there is only a proxy to talk with.
    if sends == 0 { return (.connect, "no way to \(authority) through the proxy (\(detail))") }
    if detail.contains("chunk") { return (.malformed, "\(authority) does not keep to HTTP (\(detail))") }
    if detail.hasPrefix("too large response headers") {
      return (.headersTooLarge, "the headers of the answer of \(authority) are too long")
    }
    return (.reset, "the connection with \(authority) broke (\(detail))")
  }

  private func explainTime(_ detail: String) -> (TransportFailure.Reason, String) {
    // libcurl's clock need not agree with ours on the last millisecond.
    if deadline - .now < .milliseconds(2) { return (.timeout, timedOut.message) }
    if sends == 0 { return (.connectTimeout, "no connection with \(authority) within \(request.connectTimeout.shown)") }
    if detail.hasPrefix("operation too slow") {
      let rate = "\(rules.slowestBytesPerSecond) bytes a second for \(rules.slowSeconds) s"
      return (.timeout, "the answer of \(authority) came slower than \(rate)")
    }
    return (.timeout, timedOut.message)
  }

  private func explainCertificate(_ code: CURLcode, _ detail: String) -> String {
    let host = target?.host ?? ""
    switch code {
    case CURLE_SSL_CACERT_BADFILE: return "cannot read trusted roots from `\(request.tls.caFile ?? "the system's store")`"
    case CURLE_SSL_CERTPROBLEM: return "cannot use the client certificate `\(request.tls.certificateFile ?? "")` (\(detail))"
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return "the public key of `\(host)` is not the pinned one"
    default: break
    }
    if detail.contains("no alternative certificate subject name") || detail.contains("does not match target host name") {
      return "the certificate of `\(host)` is for another host"
    }
    let prefix = "SSL certificate problem: "
    return "the certificate of `\(host)` is not trusted (\(detail.hasPrefix(prefix) ? String(detail.dropFirst(prefix.count)) : detail))"
  }

  private var refusal: String {
    let proxied = proxy.map { ", through the proxy \($0.shown)" } ?? ""
    switch Int32(slot?.long(CURLINFO_OS_ERRNO) ?? 0) {
    case ECONNREFUSED: return "connection refused by \(authority)\(proxied)"
    case 0: return "cannot connect to \(authority)\(proxied)"
    case let number: return "cannot connect to \(authority)\(proxied) (\(errorText(number)))"
    }
  }

  /// libcurl's own words on this failure, the first letter small unless it begins an acronym.
  private func detail(_ code: CURLcode) -> String {
    var text = slot?.errorMessage ?? ""
    if text.isEmpty, let general = unsafe clibcurl_easy_strerror(code) { text = unsafe String(cString: general) }
    return text.dropFirst().first?.isLowercase == true ? text.prefix(1).lowercased() + text.dropFirst() : text
  }
}

/// CURLE_TOO_LARGE, which came after the headers this is built with (8.6).
private let tooLarge = CURLcode(rawValue: 100)

private func errorText(_ number: Int32) -> String {
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text).lowercased()
}

extension EasySlot {
  var errorMessage: String { unsafe String(cString: errorText) }

  func long(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe clibcurl_get_long(handle.raw, info, &value) == CURLE_OK ? value : 0
  }

  /// When each phase had ended. On a reused connection libcurl gives small times to phases that did not happen.
  func timings() -> TransferTimings {
    var timings = TransferTimings()
    timings.isConnectionReused = long(CURLINFO_NUM_CONNECTS) == 0
    if !timings.isConnectionReused {
      timings.nameLookup = time(CURLINFO_NAMELOOKUP_TIME_T)
      timings.connect = time(CURLINFO_CONNECT_TIME_T)
      timings.tls = time(CURLINFO_APPCONNECT_TIME_T)
    }
    timings.firstByte = time(CURLINFO_STARTTRANSFER_TIME_T)
    timings.total = time(CURLINFO_TOTAL_TIME_T)
    return timings
  }

  private func time(_ info: CURLINFO) -> Duration {
    var microseconds: curl_off_t = 0
    return unsafe clibcurl_get_offset(handle.raw, info, &microseconds) == CURLE_OK ? .microseconds(microseconds) : .zero
  }
}
