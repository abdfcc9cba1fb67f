import CLibCurl
package import StepKit

/// What one of libcurl's codes means: the one table of them.
///
/// A code alone does not always decide. `sent` is `.no` where the code can arise before the first byte, and the
/// pre-request hook then has the last word; it is `.maybe` where bytes must have left, whatever the hook says.
package struct CurlVerdict: Hashable, Sendable {
  package let reason: TransportFailure.Reason
  package let sent: Sent
  /// What the author can do about it.
  package var hint: String { reason.hint }

  /// The number of codes that the headers know, `CURLE_OK` included.
  package static let codeCount = Int(CURL_LAST.rawValue)

  /// libcurl's own words for a code, which it has for those of its own version; libcurl must be loaded.
  package static func text(of code: Int) -> String? {
    guard let raw = UInt32(exactly: code), let text = unsafe clibcurl_easy_strerror(CURLcode(rawValue: raw)) else { return nil }
    return unsafe String(cString: text)
  }

  /// The verdict for a code as libcurl returns it, or nil for success and for a code that the table lacks.
  package static func of(_ code: Int) -> CurlVerdict? {
    guard let raw = UInt32(exactly: code) else { return nil }
    return common(CURLcode(rawValue: raw)) ?? tls(CURLcode(rawValue: raw)) ?? foreign(CURLcode(rawValue: raw))
  }

  private init(_ reason: TransportFailure.Reason, _ sent: Sent) {
    self.reason = reason
    self.sent = sent
  }

  private static func common(_ code: CURLcode) -> CurlVerdict? {
    switch code {
    // 1 is an unknown scheme before the request, and an answer that is no HTTP/1 after it.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT: .init(.invalidRequest, .no)
    case CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN: .init(.system, .no)
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST: .init(.dns, .no)
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_NO_CONNECTION_AVAILABLE: .init(.connect, .no)
    case CURLE_QUIC_CONNECT_ERROR, CURLE_PROXY: .init(.connect, .no)
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_RANGE_ERROR: .init(.malformed, .maybe)
    case CURLE_HTTP2, CURLE_HTTP3: .init(.malformed, .maybe)
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_HTTP2_STREAM: .init(.reset, .maybe)
    // Sending and receiving begin with a proxy's CONNECT.
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR: .init(.reset, .no)
    case CURLE_SEND_FAIL_REWIND: .init(.reset, .maybe)
    // The time may run out in the name look-up as well as in the answer.
    case CURLE_OPERATION_TIMEDOUT: .init(.timeout, .no)
    case CURLE_TOO_MANY_REDIRECTS: .init(.tooManyRedirects, .maybe)
    case CURLE_FILESIZE_EXCEEDED: .init(.bodyTooLarge, .maybe)
    // Our callbacks stop a transfer with these, and then say why themselves.
    case CURLE_ABORTED_BY_CALLBACK: .init(.system, .no)
    case CURLE_WRITE_ERROR, CURLE_READ_ERROR: .init(.system, .maybe)
    case CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_HTTP_POST_ERROR: .init(.system, .no)
    case CURLE_UNKNOWN_OPTION, CURLE_SETOPT_OPTION_SYNTAX, CURLE_FUNCTION_NOT_FOUND: .init(.system, .no)
    case CURLE_HTTP_RETURNED_ERROR, CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR: .init(.system, .maybe)
    // Of headers after those this is built with: CURLE_TOO_LARGE (8.6) and CURLE_ECH_REQUIRED (8.8).
    case CURLcode(rawValue: 100): .init(.system, .maybe)
    case CURLcode(rawValue: 101): .init(.tlsHandshake, .no)
    case CURLE_AGAIN, CURLE_RECURSIVE_API_CALL, CURLE_UNRECOVERABLE_POLL, CURLE_CHUNK_FAILED: .init(.system, .maybe)
    default: nil
    }
  }

  private static func tls(_ code: CURLcode) -> CurlVerdict? {
    switch code {
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .init(.tlsHandshake, .no)
    case CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED: .init(.tlsHandshake, .no)
    // In TLS 1.3 the wish for a client's certificate arrives after the handshake.
    case CURLE_SSL_CLIENTCERT: .init(.tlsHandshake, .no)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH: .init(.tlsCertificate, .no)
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE: .init(.tlsCertificate, .no)
    case CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS: .init(.tlsCertificate, .no)
    case CURLE_SSL_SHUTDOWN_FAILED: .init(.reset, .maybe)
    default: nil
    }
  }

  /// Codes of other protocols and codes that are no longer used: none can come, each has a verdict all the same.
  private static func foreign(_ code: CURLcode) -> CurlVerdict? {
    switch code {
    case CURLE_REMOTE_ACCESS_DENIED, CURLE_FTP_ACCEPT_FAILED, CURLE_FTP_WEIRD_PASS_REPLY, CURLE_FTP_ACCEPT_TIMEOUT,
      CURLE_FTP_WEIRD_PASV_REPLY, CURLE_FTP_WEIRD_227_FORMAT, CURLE_FTP_CANT_GET_HOST, CURLE_FTP_COULDNT_SET_TYPE,
      CURLE_FTP_COULDNT_RETR_FILE, CURLE_FTP_PORT_FAILED, CURLE_FTP_COULDNT_USE_REST, CURLE_FTP_PRET_FAILED,
      CURLE_FTP_BAD_FILE_LIST, CURLE_QUOTE_ERROR, CURLE_UPLOAD_FAILED, CURLE_BAD_DOWNLOAD_RESUME,
      CURLE_FILE_COULDNT_READ_FILE, CURLE_LDAP_CANNOT_BIND, CURLE_LDAP_SEARCH_FAILED, CURLE_TFTP_NOTFOUND,
      CURLE_TFTP_PERM, CURLE_TFTP_ILLEGAL, CURLE_TFTP_UNKNOWNID, CURLE_TFTP_NOSUCHUSER, CURLE_REMOTE_DISK_FULL,
      CURLE_REMOTE_FILE_EXISTS, CURLE_REMOTE_FILE_NOT_FOUND, CURLE_SSH, CURLE_RTSP_CSEQ_ERROR, CURLE_RTSP_SESSION_ERROR,
      CURLE_OBSOLETE20, CURLE_OBSOLETE24, CURLE_OBSOLETE29, CURLE_OBSOLETE32, CURLE_OBSOLETE40, CURLE_OBSOLETE44,
      CURLE_OBSOLETE46, CURLE_OBSOLETE50, CURLE_OBSOLETE51, CURLE_OBSOLETE57, CURLE_OBSOLETE62, CURLE_OBSOLETE75,
      CURLE_OBSOLETE76:
      .init(.system, .maybe)
    default: nil
    }
  }
}
