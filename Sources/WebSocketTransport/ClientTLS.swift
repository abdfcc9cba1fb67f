import NIOCore
import NIOSSL
import StepKit

/// TLS as a connection states it: verified against the host's name or address, 1.2 or newer.
struct ClientTLS: Sendable {
  private let context: NIOSSLContext
  /// Nil for an address, which the certificate must then name.
  private let name: String?
  /// Digests of public keys, in hexadecimal digits; empty is any.
  private let pins: Set<String>

  /// - Throws: `.tlsCertificate`, nothing sent, for files that cannot be used; `.invalidRequest` for a pin or a name that is none.
  init(_ options: TLSOptions, host: String) throws(TransportFailure) {
    pins = try Self.pins(options.pinnedPublicKey)
    name = host.isIPAddress ? nil : host.hasSuffix(".") ? String(host.dropLast()) : host
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.certificateVerification = .fullVerification
    configuration.applicationProtocols = ["http/1.1"]
    // A server that does not end TLS in order holds nobody up.
    configuration.shutdownTimeout = .milliseconds(200)
    if let file = options.caFile { configuration.trustRoots = .certificates(try Self.certificates(file, "trusted roots")) }
    if let file = options.certificateFile {
      configuration.certificateChain = try Self.certificates(file, "the client certificate").map { .certificate($0) }
      // Both may stand in one file.
      configuration.privateKey = .privateKey(try Self.key(options.keyFile ?? file))
    }
    do {
      context = try NIOSSLContext(configuration: configuration)
    } catch {
      throw TransportFailure(.tlsCertificate, sent: .no, message: "cannot use the client certificate or the trusted roots (\(error))")
    }
  }

  /// - Throws: `.invalidRequest` for a name that TLS cannot ask for.
  func handler() throws(TransportFailure) -> NIOSSLClientHandler {
    do {
      guard !pins.isEmpty else { return try NIOSSLClientHandler(context: context, serverHostname: name) }
      // After the chain and the name, and before a byte of the request.
      return try NIOSSLClientHandler._makeSSLClientHandler(context: context, serverHostname: name) { [pins] certificate, channel in
        channel.eventLoop.makeCompletedFuture { try Self.check(certificate, pins) }
      }
    } catch {
      throw .invalidRequest("`\(name ?? "")` is no name that TLS can ask for")
    }
  }

  /// The public key is not one of those that are pinned.
  struct PinMismatch: Error {}

  private static func check(_ certificate: NIOSSLCertificate, _ pins: Set<String>) throws {
    let key = try certificate.extractPublicKey().toSPKIBytes()
    guard pins.contains(HashDigest.sha256(key)) else { throw PinMismatch() }
  }

  private static func pins(_ text: String?) throws(TransportFailure) -> Set<String> {
    var pins: Set<String> = []
    for pin in text?.split(separator: ";") ?? [] {
      guard pin.hasPrefix("sha256//"), let digest = hexadecimal(base64: pin.dropFirst(8)) else {
        throw .invalidRequest("`tls.pin` must be `sha256//` and the digest of the public key in base64")
      }
      pins.insert(digest)
    }
    return pins
  }

  private static func certificates(_ file: String, _ what: String) throws(TransportFailure) -> [NIOSSLCertificate] {
    if let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty { return certificates }
    throw TransportFailure(.tlsCertificate, sent: .no, message: "cannot read \(what) from `\(file)`")
  }

  private static func key(_ file: String) throws(TransportFailure) -> NIOSSLPrivateKey {
    if let key = try? NIOSSLPrivateKey(file: file, format: .pem) { return key }
    throw TransportFailure(.tlsCertificate, sent: .no, message: "cannot read the client certificate's key from `\(file)`")
  }
}

/// The bytes behind 44 characters of base64 (RFC 4648 §4), in hexadecimal digits; nil for anything else.
private func hexadecimal(base64 text: Substring) -> String? {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  guard text.utf8.count == 44, text.hasSuffix("="), !text.hasSuffix("==") else { return nil }
  var bytes: [UInt8] = []
  var (buffer, bits) = (0 as UInt32, 0)
  for byte in text.utf8.dropLast() {
    guard let six = alphabet.firstIndex(of: byte) else { return nil }
    buffer = buffer << 6 | UInt32(six)
    bits += 6
    if bits >= 8 {
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
    }
  }
  let digits = Array("0123456789abcdef")
  return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}

extension String {
  fileprivate var isIPAddress: Bool { (try? SocketAddress(ipAddress: self, port: 0)) != nil }
}
