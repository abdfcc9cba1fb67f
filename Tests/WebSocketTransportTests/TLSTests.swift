import NIOCore
import NIOSSL
import StepKit
import TestKit
import Testing

@testable import WebSocketTransport

/// `wss`: who is trusted, and who is not.
@Suite(.timeLimit(.minutes(5)), .disabled(if: TestCertificates.absence != nil)) struct TLSTests {
  private let transport = NIOWebSocketTransport(patience: .milliseconds(100))

  private func server(
    _ certificate: String, change: (inout TLSConfiguration) throws -> Void = { _ in }
  ) async throws -> (ScriptedServer, TestCertificates) {
    let files = try TestCertificates.shared.get()
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(files.path("\(certificate).pem")).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: files.path("\(certificate).key"), format: .pem)))
    try change(&configuration)
    let server = try await ScriptedServer.start(tls: configuration) { talk in
      try await talk.accept()
      try await talk.send(text("hello"))
      await talk.end()
    }
    return (server, files)
  }

  private func greeting(_ url: String, _ tls: TLSOptions) async throws -> WebSocketEvent {
    let channel = try await transport.channel(WebSocketRequest(url: url, tls: tls))
    let event = try await channel.receive()
    await channel.close(code: 1000)
    return event
  }

  private func refusal(_ url: String, _ tls: TLSOptions) async throws -> TransportFailure? {
    await #expect(throws: TransportFailure.self) { _ = try await greeting(url, tls) }
  }

  @Test func aCertificateOfAnOwnRootIsTrusted() async throws {
    let (server, files) = try await server("good")
    #expect(try await greeting(server.url(scheme: "wss", host: "localhost"), TLSOptions(caFile: files.root)) == .text("hello"))
    // By its address too, which the certificate names.
    #expect(try await greeting(server.url(scheme: "wss"), TLSOptions(caFile: files.root)) == .text("hello"))
  }

  @Test(arguments: [
    ("good", "not trusted", false), ("selfSigned", "not trusted", true), ("expired", "not trusted", true),
    ("wrongHost", "another host", true),
  ])
  func whoIsNotTrustedGetsNothing(certificate: String, why: String, isRootKnown: Bool) async throws {
    let (server, files) = try await server(certificate)
    let failure = try await refusal(
      server.url(scheme: "wss", host: "localhost"), isRootKnown ? TLSOptions(caFile: files.root) : TLSOptions())
    #expect(failure?.reason == .tlsCertificate)
    #expect(failure?.sent == .no)
    #expect(failure?.message.contains(why) == true, "\(failure?.message ?? "")")
  }

  @Test func aPinHolds() async throws {
    let (server, files) = try await server("good")
    let url = server.url(scheme: "wss", host: "localhost")
    let key = try NIOSSLCertificate.fromPEMFile(files.path("good.pem"))[0].extractPublicKey().toSPKIBytes()
    let wrong = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    let right = "sha256//\(base64(of: HashDigest.sha256(key)))"
    #expect(try await greeting(url, TLSOptions(caFile: files.root, pinnedPublicKey: "\(wrong);\(right)")) == .text("hello"))
    let failure = try await refusal(url, TLSOptions(caFile: files.root, pinnedPublicKey: wrong))
    #expect(failure?.reason == .tlsCertificate)
    #expect(failure?.message == "the public key of `localhost` is not the pinned one")
    // A pin trusts nobody by itself.
    #expect(try await refusal(url, TLSOptions(pinnedPublicKey: right))?.reason == .tlsCertificate)
    #expect(try await refusal(url, TLSOptions(pinnedPublicKey: "key.pem"))?.reason == .invalidRequest)
  }

  @Test func aClientsCertificateIsShown() async throws {
    let (server, files) = try await server("good") { configuration in
      configuration.trustRoots = .file(try TestCertificates.shared.get().root)
      configuration.certificateVerification = .noHostnameVerification
    }
    let url = server.url(scheme: "wss", host: "localhost")
    let options = TLSOptions(caFile: files.root, certificateFile: files.path("client.pem"), keyFile: files.path("client.key"))
    #expect(try await greeting(url, options) == .text("hello"))
    await #expect(throws: TransportFailure.self) { _ = try await greeting(url, TLSOptions(caFile: files.root)) }
  }

  @Test func oldVersionsAreRefused() async throws {
    let (server, files) = try await server("good") { configuration in
      configuration.minimumTLSVersion = .tlsv1
      configuration.maximumTLSVersion = .tlsv11
    }
    let failure = try await refusal(server.url(scheme: "wss", host: "localhost"), TLSOptions(caFile: files.root))
    #expect(failure?.reason == .tlsHandshake)
    #expect(failure?.sent == .no)
  }

  @Test func aPortWithoutTLSIsTold() async throws {
    let server = try await ScriptedServer.start { talk in
      try await talk.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      await talk.end()
    }
    #expect(try await refusal(server.url(scheme: "wss", host: "localhost"), TLSOptions())?.reason == .tlsHandshake)
  }

  @Test func aFileThatIsNoneIsNamed() async throws {
    let failure = try await refusal("wss://localhost:1/", TLSOptions(caFile: "/no/such/root.pem"))
    #expect(failure?.message == "cannot read trusted roots from `/no/such/root.pem`")
  }
}

/// RFC 4648 §4 of 32 bytes in hexadecimal digits.
private func base64(of digits: String) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  let bits = digits.compactMap { $0.hexDigitValue }.flatMap { digit in (0..<4).map { digit >> (3 - $0) & 1 } }
  let sixes = stride(from: 0, to: bits.count, by: 6).map { start in
    (0..<6).reduce(0) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
  }
  return String(sixes.map { alphabet[$0] }) + "="
}
