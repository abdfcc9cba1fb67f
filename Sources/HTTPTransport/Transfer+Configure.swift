import CLibCurl
import HTTPTypes
import StepKit

extension Transfer {
  /// Sets every option of the request on a fresh or reset handle; returns why it cannot be sent.
  func configure(_ slot: EasySlot) -> TransportFailure? {
    let target: Target
    do { target = try Target(request.url) } catch { return error }
    self.target = target
    let remaining = (deadline - .now).wholeMilliseconds
    guard remaining > 0 else { return timedOut }
    guard let headers = HeaderList(headerLines) else { return TransportFailure(.system, sent: .no, message: "out of memory") }

    var options = EasyOptions(slot)
    options.set(CURLOPT_URL, target.url)
    unsafe options.check(clibcurl_set_list(slot.handle.raw, CURLOPT_HTTPHEADER, headers.raw))
    setMessage(&options)
    setLimits(&options, remaining: remaining)
    setTLS(&options)
    setCallbacks(&options, slot)
    do { proxy = try ProxyServer.settled(for: request, to: target) } catch { return error }
    setProxy(&options)
    setVersion(&options)
    weaken(&options)
    if request.delivery == .once, !rules.weakening.contains(.reuse) {
      options.set(CURLOPT_FRESH_CONNECT, 1)
      options.set(CURLOPT_FORBID_REUSE, 1)
    }
    slot.headers = consume headers
    guard options.failed == CURLE_OK else {
      return TransportFailure(
        .system, sent: .no, message: "libcurl refuses an option of the request", curlCode: Int(options.failed.rawValue))
    }
    return nil
  }

  private func setMessage(_ options: inout EasyOptions) {
    switch request.method {
    case .head:
      options.set(CURLOPT_NOBODY, 1)
    case .post, .put, .patch:
      // Without a body too: these say `Content-Length: 0` (RFC 9110 §8.6).
      options.setBody(request.body ?? [])
    default:
      if let body = request.body { options.setBody(body) }
    }
    if request.method != .head { options.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
    // Every encoding that this libcurl can undo; a caller's own header is sent instead, and still undone.
    if request.isCompressed { options.set(CURLOPT_ACCEPT_ENCODING, "") }
  }

  private var headerLines: [String] {
    guard rules.weakening.contains(.expect) else { return lines.headers }
    return lines.headers.map { $0 == "Expect:" ? "Expect: 100-continue" : $0 }
  }

  private func weaken(_ options: inout EasyOptions) {
    if rules.weakening.contains(.following) { options.set(CURLOPT_FOLLOWLOCATION, 1) }
    guard rules.weakening.contains(.negotiation) else { return }
    options.set(CURLOPT_HTTPAUTH, clibcurl_auth_any)
    options.set(CURLOPT_USERNAME, "user")
    options.set(CURLOPT_PASSWORD, "password")
  }

  private func setVersion(_ options: inout EasyOptions) {
    if request.delivery == .once { return options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)) }
    switch request.httpVersion {
    case nil: break
    case .http1_1: options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    // Not over plain text, where it would begin with an `Upgrade` that a POST cannot afford.
    case .http2: options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    }
  }

  /// Always states a proxy or none, so that libcurl reads no variable of its own accord.
  private func setProxy(_ options: inout EasyOptions) {
    options.set(CURLOPT_NOPROXY, "")
    options.set(CURLOPT_PROXY, proxy?.shown ?? "")
    if proxy?.scheme == "https" { options.set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)) }
    guard let username = proxy?.username else { return }
    options.set(CURLOPT_PROXYUSERNAME, username)
    options.set(CURLOPT_PROXYPASSWORD, proxy?.password ?? "")
    // No negotiation: a refused CONNECT or request is not sent again.
    options.set(CURLOPT_PROXYAUTH, clibcurl_auth_basic)
  }

  private func setLimits(_ options: inout EasyOptions, remaining: Int) {
    options.set(CURLOPT_TIMEOUT_MS, min(remaining, Int(Int32.max)))
    options.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, min(remaining, request.connectTimeout.wholeMilliseconds, Int(Int32.max))))
    options.set(CURLOPT_NOSIGNAL, 1)
    // Else a look-up that hangs would hold the loop's thread when its transfer is stopped. New in 7.87.
    options.setIfKnown(CURLOPT_QUICK_EXIT, 1)
    options.set(CURLOPT_FOLLOWLOCATION, 0)
    options.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    // The answer to a proxy's CONNECT is not the answer.
    options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private func setTLS(_ options: inout EasyOptions) {
    options.set(CURLOPT_SSL_VERIFYPEER, 1)
    options.set(CURLOPT_SSL_VERIFYHOST, 2)
    options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let file = request.tls.caFile {
      options.set(CURLOPT_CAINFO, file)
      options.clear(CURLOPT_CAPATH)  // the system's folder of roots would still be trusted
    }
    if let file = request.tls.certificateFile { options.set(CURLOPT_SSLCERT, file) }
    if let file = request.tls.keyFile { options.set(CURLOPT_SSLKEY, file) }
    if let pin = request.tls.pinnedPublicKey { options.set(CURLOPT_PINNEDPUBLICKEY, pin) }
  }

  private func setCallbacks(_ options: inout EasyOptions, _ slot: EasySlot) {
    let easy = unsafe slot.handle.raw
    // Unretained: the loop holds a live transfer until it has taken it off the multi.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe options.check(clibcurl_set_pointer(easy, CURLOPT_ERRORBUFFER, slot.errorText))
    unsafe options.check(clibcurl_set_pointer(easy, CURLOPT_PRIVATE, context))
    unsafe options.check(clibcurl_set_pointer(easy, CURLOPT_PREREQDATA, context))
    unsafe options.check(clibcurl_set_pointer(easy, CURLOPT_HEADERDATA, context))
    unsafe options.check(clibcurl_set_pointer(easy, CURLOPT_WRITEDATA, context))
    unsafe options.check(
      clibcurl_set_prereq(easy) { context, peer, _, _, _ in
        guard let context = unsafe context, let peer = unsafe peer else { return CURL_PREREQFUNC_ABORT }
        let maySend = unsafe Transfer.from(context).maySend(to: String(cString: peer))
        return maySend ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      })
    // Each returns another count than it was given to end the transfer.
    unsafe options.check(
      clibcurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
        guard let context = unsafe context, let bytes = unsafe bytes else { return 0 }
        let line = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: count))
        return unsafe Transfer.from(context).take(headerLine: line) ? count : 0
      })
    unsafe options.check(
      clibcurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
        guard count > 0 else { return 0 }
        guard let context = unsafe context, let bytes = unsafe bytes else { return 0 }
        let piece = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: count))
        return unsafe Transfer.from(context).take(bodyPiece: piece) ? count : 0
      })
    unsafe options.check(clibcurl_set_close_on_exec(easy))
    unsafe options.check(clibcurl_set_http_only(easy))
  }

  /// The transfer behind the context of a callback.
  static func from(_ context: UnsafeMutableRawPointer) -> Transfer {
    unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  }
}

/// Sets options on an easy handle and remembers the first one that was refused.
struct EasyOptions {
  private let slot: EasySlot
  private(set) var failed = CURLE_OK

  init(_ slot: EasySlot) { self.slot = slot }

  mutating func check(_ code: CURLcode) {
    if failed == CURLE_OK { failed = code }
  }

  mutating func set(_ option: CURLoption, _ value: Int) {
    unsafe check(clibcurl_set_long(slot.handle.raw, option, value))
  }

  /// For an option that older versions lack.
  func setIfKnown(_ option: CURLoption, _ value: Int) {
    unsafe _ = clibcurl_set_long(slot.handle.raw, option, value)
  }

  mutating func set(_ option: CURLoption, _ value: String) {
    unsafe check(clibcurl_set_string(slot.handle.raw, option, value))
  }

  mutating func clear(_ option: CURLoption) {
    unsafe check(clibcurl_set_string(slot.handle.raw, option, nil))
  }

  /// The size first: libcurl copies that many bytes.
  mutating func setBody(_ body: [UInt8]) {
    unsafe check(clibcurl_set_offset(slot.handle.raw, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
    unsafe body.withUnsafeBytes { bytes in
      // An empty array may have no address, and a nil would make libcurl ask a read callback.
      let address = unsafe bytes.baseAddress ?? UnsafeRawPointer(slot.errorText)
      unsafe check(clibcurl_set_pointer(slot.handle.raw, CURLOPT_COPYPOSTFIELDS, address))
    }
  }
}
