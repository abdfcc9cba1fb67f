import FoundationEssentials
import HTTPTransport
import Synchronization
import TestKit
import Testing

@testable import StepKit

@Suite(.disabled(if: TestCertificates.absence != nil, "there is no `openssl` command in the path"))
struct TLSTests {
  private func certificates() throws -> TestCertificates { try TestCertificates.shared.get() }

  private func request(_ server: TLSServer, _ tls: TLSOptions, _ delivery: Delivery = .single) -> TransportRequest {
    get("https://localhost:\(server.port)/") { request in
      request.tls = tls
      request.delivery = delivery
    }
  }

  @Test(arguments: [Delivery.repeatable, .single, .once])
  func aCertificateUnderTheGivenRoot(_ delivery: Delivery) async throws {
    let certificates = try certificates()
    let server = try TLSServer("good", certificates)
    let transport = CurlTransport()
    let reply = try await transport.perform(request(server, TLSOptions(caFile: certificates.root), delivery))
    #expect(reply.status == 200)
    #expect(reply.timings.tls > reply.timings.connect)
  }

  @Test func sessionsAreTakenUpAgain() async throws {
    let certificates = try certificates()
    let server = try TLSServer("good", certificates)
    let transport = CurlTransport()
    let pages = [
      try await transport.perform(request(server, TLSOptions(caFile: certificates.root))).text,
      try await transport.perform(request(server, TLSOptions(caFile: certificates.root))).text,
    ]
    // The page tells: s_server closes after each answer.
    #expect(pages.first?.contains("New, TLSv1.3") == true)
    #expect(pages.last?.contains("Reused, TLSv1.3") == true)
  }

  struct Distrust: Sendable {
    let certificate: String
    let message: String
  }

  @Test(arguments: [
    Distrust(certificate: "expired", message: "the certificate of `localhost` is not trusted (certificate has expired)"),
    Distrust(certificate: "selfSigned", message: "the certificate of `localhost` is not trusted (self-signed certificate)"),
    Distrust(certificate: "wrongHost", message: "the certificate of `localhost` is for another host"),
  ])
  func aCertificateThatIsNotTrusted(_ distrust: Distrust) async throws {
    let certificates = try certificates()
    let server = try TLSServer(distrust.certificate, certificates)
    let failure = try await failure(of: request(server, TLSOptions(caFile: certificates.root)), CurlTransport())
    #expect(failure == TransportFailure(.tlsCertificate, sent: .no, message: distrust.message, curlCode: 60))
  }

  @Test func theSystemsRootsByDefault() async throws {
    let server = try TLSServer("good", try certificates())
    let failure = try await failure(of: request(server, TLSOptions()), CurlTransport())
    #expect(failure.reason == .tlsCertificate && failure.sent == .no)
  }

  /// A session made under one root must not open a door that another root would keep shut.
  @Test func aSessionDoesNotCarryTrust() async throws {
    let certificates = try certificates()
    let server = try TLSServer("good", certificates)
    let transport = CurlTransport()
    _ = try await transport.perform(request(server, TLSOptions(caFile: certificates.root)))
    let other = TLSOptions(caFile: certificates.path("selfSigned.pem"))
    #expect(try await failure(of: request(server, other), transport).reason == .tlsCertificate)
  }

  @Test func aPinnedKey() async throws {
    let certificates = try certificates()
    let server = try TLSServer("good", certificates)
    let pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    let failure = try await failure(
      of: request(server, TLSOptions(caFile: certificates.root, pinnedPublicKey: pin)), CurlTransport())
    let message = "the public key of `localhost` is not the pinned one"
    #expect(failure == TransportFailure(.tlsCertificate, sent: .no, message: message, curlCode: 90))
  }

  @Test func theRightPin() async throws {
    let certificates = try certificates()
    let server = try TLSServer("good", certificates)
    let pin = try #require(try pin(ofCertificate: certificates.path("good.pem")))
    let two = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=;\(pin)"
    for pin in [pin, two] {
      let reply = try await CurlTransport().perform(request(server, TLSOptions(caFile: certificates.root, pinnedPublicKey: pin)))
      #expect(reply.status == 200)
    }
  }

  /// What each version offers in the handshake, told by a server that takes one protocol alone.
  @Test(
    arguments: [
      (HTTPVersion.http1_1, "http/1.1", true), (.http2, "http/1.1", true), (nil, "http/1.1", true), (.http1_1, "h2", false),
    ] as [(HTTPVersion?, String, Bool)])
  func theVersionThatIsOffered(_ version: HTTPVersion?, _ spoken: String, _ isTaken: Bool) async throws {
    let certificates = try certificates()
    let server = try TLSServer("good", certificates, options: ["-alpn", spoken])
    var asked = request(server, TLSOptions(caFile: certificates.root))
    asked.httpVersion = version
    if isTaken {
      #expect(try await CurlTransport().perform(asked).status == 200)
    } else {
      #expect(try await failure(of: asked).reason == .tlsHandshake)
    }
  }

  /// The server agrees to HTTP/2 and then waits for a line of HTTP/1.1, which never comes.
  @Test(arguments: [HTTPVersion.http2, nil])
  func http2IsAgreed(_ version: HTTPVersion?) async throws {
    let certificates = try certificates()
    try await withinSeconds { seconds in
      let server = try TLSServer("good", certificates, options: ["-alpn", "h2"])
      let isConnected = Mutex(false)
      var asked = request(server, TLSOptions(caFile: certificates.root))
      asked.httpVersion = version
      asked.timeout = .seconds(seconds)
      asked.willSend = {
        isConnected.withLock { $0 = true }
        return true
      }
      let failure = try await failure(of: asked)
      guard isConnected.withLock({ $0 }) else { return false }
      #expect(failure.reason == .timeout && failure.sent == .maybe, "\(failure)")
      return true
    }
  }

  @Test func onceNeverOffersHTTP2() async throws {
    let certificates = try certificates()
    let server = try TLSServer("good", certificates, options: ["-alpn", "h2"])
    var asked = request(server, TLSOptions(caFile: certificates.root), .once)
    asked.httpVersion = .http2
    #expect(try await failure(of: asked).reason == .tlsHandshake)
  }

  @Test func aClientCertificate() async throws {
    let certificates = try certificates()
    let server = try TLSServer("good", certificates, options: ["-Verify", "1", "-CAfile", certificates.root, "-verify_return_error"])
    let transport = CurlTransport()
    let own = TLSOptions(
      caFile: certificates.root, certificateFile: certificates.path("client.pem"), keyFile: certificates.path("client.key"))
    #expect(try await transport.perform(request(server, own)).status == 200)
    // In TLS 1.3 the refusal comes after the handshake, with the request under way.
    let failure = try await failure(of: request(server, TLSOptions(caFile: certificates.root)), transport)
    #expect(failure.sent == .maybe)
  }

  @Test func filesThatCannotBeRead() async throws {
    let certificates = try certificates()
    let server = try TLSServer("good", certificates)
    let noRoots = try await failure(of: request(server, TLSOptions(caFile: "/nonexistent.pem")))
    #expect(noRoots.message == "cannot read trusted roots from `/nonexistent.pem`")
    let noOwn = try await failure(of: request(server, TLSOptions(caFile: certificates.root, certificateFile: "/nonexistent.pem")))
    #expect(noOwn.message.hasPrefix("cannot use the client certificate `/nonexistent.pem` ("))
    #expect(noRoots.reason == .tlsCertificate && noOwn.reason == .tlsCertificate)
    #expect(noRoots.sent == .no && noOwn.sent == .no)
  }

  @Test func anOldTLS() async throws {
    let certificates = try certificates()
    let server = try TLSServer("good", certificates, options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
    let failure = try await failure(of: request(server, TLSOptions(caFile: certificates.root)))
    #expect(failure.reason == .tlsHandshake && failure.sent == .no)
  }

  @Test func noTLSAtAll() async throws {
    let server = try RawServer { connection in
      connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
      connection.waitForClose()
    }
    let failure = try await failure(of: get("https://127.0.0.1:\(server.port)/"))
    #expect(failure.reason == .tlsHandshake && failure.sent == .no)
    #expect(failure.message.hasPrefix("no TLS connection with 127.0.0.1:\(server.port) ("))
  }
}

/// The pin of the P-256 key in a PEM certificate: its DER form has a fixed beginning and 65 bytes (RFC 5480 §2).
private func pin(ofCertificate path: String) throws -> String? {
  let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  let base64 = text.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
  guard let certificate = Data(base64Encoded: base64).map(Array.init) else { return nil }
  let beginning: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01,
    0x07, 0x03,
    0x42, 0x00,
  ]
  guard let start = certificate.indices.first(where: { certificate[$0...].starts(with: beginning) }) else { return nil }
  let digits = HashDigest.sha256(Array(certificate[start...].prefix(beginning.count + 65)))
  let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
  return "sha256//\(Data(bytes).base64EncodedString())"
}
