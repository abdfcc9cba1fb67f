import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import StepKit

extension Opening {
  /// Why there is no connection at all.
  func failConnecting(_ error: any Error) {
    switch error {
    case let error as NIOConnectionError:
      guard error.connectionErrors.isEmpty else {
        return failConnecting(error.connectionErrors[0].error)
      }
      fail(.dns, "cannot find the address of `\(target.host)`", sent: .no)
    case let error as ChannelError where error.isTimeout:
      fail(.connectTimeout, "no connection with \(target.shown) within \(request.connectTimeout.shown)", sent: .no)
    case let error as IOError where error.errnoCode == ECONNREFUSED:
      fail(.connect, "connection refused by \(target.shown)", sent: .no)
    case let error as IOError:
      fail(.connect, "cannot connect to \(target.shown) (\(error.reasonText))", sent: .no)
    default:
      fail(.connect, "cannot connect to \(target.shown) (\(error))", sent: .no)
    }
  }

  /// Why a connection gave no answer to the handshake.
  func failTalking(_ error: any Error) {
    switch error {
    case NIOSSLError.handshakeFailed(let cause): failTLS(cause)
    case let error as NIOSSLExtraError where error == .failedToValidateHostname:
      fail(.tlsCertificate, "the certificate of `\(target.host)` is for another host", sent: .no)
    case is ClientTLS.PinMismatch:
      fail(.tlsCertificate, "the public key of `\(target.host)` is not the pinned one", sent: .no)
    case HTTPParserError.headerOverflow:
      fail(.headersTooLarge, "the headers of the answer of \(target.shown) are too long")
    case HTTPParserError.invalidEOFState, NIOSSLError.uncleanShutdown:
      fail(.reset, "\(target.shown) closed the connection in the middle of its answer")
    case is HTTPParserError:
      fail(.malformed, "\(target.shown) does not keep to HTTP (\(error))")
    case is BoringSSLError:
      fail(.tlsHandshake, "\(target.shown) ended the TLS connection (\(error))")
    case let error as IOError:
      fail(.reset, "the connection with \(target.shown) broke (\(error.reasonText))")
    default:
      fail(.reset, "the connection with \(target.shown) broke (\(error))")
    }
  }

  private func failTLS(_ cause: BoringSSLError) {
    let text = "\(cause)"
    guard text.contains("CERTIFICATE_VERIFY_FAILED") else {
      return fail(.tlsHandshake, "no TLS connection with \(target.shown) (\(cause.reasonText))", sent: .no)
    }
    fail(.tlsCertificate, "the certificate of `\(target.host)` is not trusted", sent: .no)
  }
}

extension ChannelError {
  fileprivate var isTimeout: Bool { if case .connectTimeout = self { true } else { false } }
}

extension IOError {
  /// The system's own words.
  var reasonText: String {
    guard let text = unsafe strerror(errnoCode) else { return "error \(errnoCode)" }
    return unsafe String(cString: text)
  }
}

extension BoringSSLError {
  /// What BoringSSL calls the first of its errors, such as `wrong version number`.
  fileprivate var reasonText: String {
    switch self {
    case .sslError(let stack), .unknownError(let stack), .invalidSNIName(let stack), .failedToSetALPN(let stack):
      let text = stack.first.map { "\($0)" } ?? "unknown"
      // `Error: 268435703 error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at …`
      let name = text.split(separator: ":").last?.split(separator: " ").first ?? ""
      return name.isEmpty ? text : name.lowercased().split(separator: "_").joined(separator: " ")
    case .syscallError, .zeroReturn: return "the other side ended it"
    case .noError, .wantRead, .wantWrite, .wantConnect, .wantAccept, .wantX509Lookup, .wantCertificateVerify: return "\(self)"
    }
  }
}

extension TransportFailure {
  static func invalidRequest(_ message: String) -> TransportFailure { TransportFailure(.invalidRequest, sent: .no, message: message) }
}

extension TimeAmount {
  /// Clipped to what it can hold.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    self = .nanoseconds(overflow || seconds > 1 << 32 ? 1 << 62 : nanoseconds + attoseconds / 1_000_000_000)
  }
}

extension Duration {
  /// `300 ms` or `30 s`.
  var shown: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    return milliseconds == 0 ? "\(seconds) s" : "\(seconds * 1000 + milliseconds) ms"
  }
}
