import CLibCurl

// The owners of libcurl's handles: each handle has one, which frees it.

/// An easy handle: one transfer at a time, many after each other.
@safe struct EasyHandle: ~Copyable {
  let raw: UnsafeMutableRawPointer

  init?() {
    guard let handle = unsafe clibcurl_easy_init() else { return nil }
    unsafe raw = handle
  }

  deinit { unsafe clibcurl_easy_cleanup(raw) }
}

/// The header lines of a request; libcurl reads them until the transfer ends.
@safe struct HeaderList: ~Copyable {
  private(set) var raw: UnsafeMutablePointer<curl_slist>?

  /// Nil where there is no memory.
  init?(_ lines: [String]) {
    unsafe raw = nil
    for line in lines {
      guard let longer = unsafe clibcurl_slist_append(raw, line) else { return nil }
      unsafe raw = longer
    }
  }

  deinit { unsafe clibcurl_slist_free_all(raw) }
}

/// TLS sessions shared by the easy handles of one loop; only that loop's thread may use it.
@safe struct SessionShare: ~Copyable {
  private let raw: UnsafeMutableRawPointer

  init?() {
    guard let handle = unsafe clibcurl_share_tls_sessions() else { return nil }
    unsafe raw = handle
  }

  /// Stays over `EasySlot.reset`.
  func attach(_ slot: EasySlot) { unsafe _ = clibcurl_set_pointer(slot.handle.raw, CURLOPT_SHARE, raw) }

  deinit { unsafe _ = clibcurl_share_cleanup(raw) }
}

/// A multi handle. A class, because other threads hold it to wake the one that polls it.
///
/// `@unchecked Sendable`: `wake` is the one call that libcurl allows from any thread; all else is called by the
/// loop's thread alone.
@safe final class MultiHandle: @unchecked Sendable {
  private let raw: UnsafeMutableRawPointer

  init?() {
    guard let handle = unsafe clibcurl_multi_init() else { return nil }
    unsafe raw = handle
  }

  func add(_ slot: EasySlot) -> Bool { unsafe clibcurl_multi_add_handle(raw, slot.handle.raw) == CURLM_OK }

  func remove(_ slot: EasySlot) { unsafe _ = clibcurl_multi_remove_handle(raw, slot.handle.raw) }

  /// Moves every transfer on; false where libcurl itself is broken.
  func advance() -> Bool {
    var running: Int32 = 0
    return unsafe clibcurl_multi_perform(raw, &running) == CURLM_OK
  }

  /// Sleeps until a socket, a timer of libcurl, `wake` or `milliseconds` ends it; for a second at most, so that a `wake` that
  /// the system refuses costs that, and is no hang.
  func poll(milliseconds: Int32) { unsafe _ = clibcurl_multi_poll(raw, min(milliseconds, 1000)) }

  /// Ends the running or the next `poll`, from any thread.
  func wake() { unsafe _ = clibcurl_multi_wakeup(raw) }

  /// A transfer that has ended, taken from the multi's list, and its code.
  func nextFinished() -> (transfer: Transfer, code: CURLcode)? {
    var code = CURLE_OK
    guard let easy = unsafe clibcurl_multi_next_finished(raw, &code) else { return nil }
    var context: UnsafeMutableRawPointer?
    guard unsafe clibcurl_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK, let context = unsafe context else {
      preconditionFailure("a finished transfer without its context")
    }
    return (unsafe Transfer.from(context), code)
  }

  deinit { unsafe _ = clibcurl_multi_cleanup(raw) }
}

/// An easy handle with what must live as long as its transfer; kept on the idle stack between two.
@safe final class EasySlot {
  let handle: EasyHandle
  let errorText: UnsafeMutablePointer<CChar>
  var headers: HeaderList?

  init?() {
    guard let handle = EasyHandle() else { return nil }
    self.handle = handle
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  /// Forgets the last transfer's options, and not its connection, its TLS session or the share.
  func reset() {
    unsafe clibcurl_easy_reset(handle.raw)
    headers = nil
    unsafe errorText[0] = 0
  }

  deinit { unsafe errorText.deallocate() }
}
