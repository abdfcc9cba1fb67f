import HTTPTransport
import StepKit
import TestKit
import Testing

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
