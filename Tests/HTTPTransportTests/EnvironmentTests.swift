import FoundationEssentials
import Glibc
import HTTPTransport
import HTTPTypes
import StepKit
import TestKit
import Testing

/// What the environment of the process may and may not do; each in a process of its own.
@Suite struct EnvironmentTests {
  @Test(.disabled(if: TestCertificates.absence != nil, "there is no `openssl` command in the path"))
  func keysAreNotLogged() async {
    await #expect(processExitsWith: .success) {
      let file = FileManager.default.temporaryDirectory.appending(path: "baton-keys-\(UUID().uuidString)").path()
      unsafe setenv("SSLKEYLOGFILE", file, 1)
      let certificates = try TestCertificates.shared.get()
      let server = try TLSServer("good", certificates)
      let reply = try await CurlTransport.shared.perform(
        get("https://localhost:\(server.port)/") { $0.tls.caFile = certificates.root })
      #expect(reply.status == 200)
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }

  @Test func loopbackIsNeverProxied() async {
    await #expect(processExitsWith: .success) {
      let proxy = try RawServer.answering { _ in ok("proxy") }
      for name in ["http_proxy", "https_proxy", "all_proxy"] { unsafe setenv(name, proxy.origin, 1) }
      let server = try RawServer.answering { _ in ok("server") }
      for host in ["127.0.0.1", "localhost"] {
        #expect(try await CurlTransport.shared.perform(get("http://\(host):\(server.port)/")).text == "server")
      }
      #expect(proxy.connections == 0)
      // And the usual variables do what they usually do.
      #expect(try await CurlTransport.shared.perform(get("http://nonexistent.invalid/x")).text == "proxy")
      #expect(proxy.received.map(\.line) == ["GET http://nonexistent.invalid/x HTTP/1.1"])
    }
  }

  @Test func whatIsSentOnceGoesThroughNoProxyOfTheEnvironment() async {
    await #expect(processExitsWith: .success) {
      let proxy = try RawServer.answering { _ in ok("proxy") }
      for name in ["http_proxy", "all_proxy"] { unsafe setenv(name, proxy.origin, 1) }
      let failure = try await failure(of: get("http://nonexistent.invalid/") { $0.delivery = .once })
      #expect(failure.reason == .dns && failure.sent == .no)
      #expect(proxy.connections == 0)
    }
  }

  @Test func theExceptionsOfTheEnvironmentHold() async {
    await #expect(processExitsWith: .success) {
      let proxy = try RawServer.answering { _ in ok("proxy") }
      unsafe setenv("http_proxy", proxy.origin, 1)
      unsafe setenv("no_proxy", "x.test, .invalid", 1)
      #expect(try await failure(of: get("http://nonexistent.invalid/")).reason == .dns)
      // A proxy that is stated counts for more than the exceptions.
      let stated = ProxySetting.server(try ProxyServer(proxy.origin))
      #expect(try await CurlTransport.shared.perform(get("http://nonexistent.invalid/") { $0.proxy = stated }).text == "proxy")
      #expect(try await failure(of: get("http://api.nonexistent-tld/") { $0.proxy = .direct }).reason == .dns)
      #expect(proxy.connections == 1)
    }
  }

  @Test func aVariableThatNamesNoProxyIsNotPassedOver() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("http_proxy", "ftp://127.0.0.1", 1)
      let failure = try await failure(of: get("http://nonexistent.invalid/"))
      #expect(failure.reason == .invalidRequest)
      #expect(failure.message.hasPrefix("the variable `http_proxy`: a proxy's scheme is one of "))
    }
  }

  @Test func aProxyThatRefusesIsNamed() async {
    await #expect(processExitsWith: .success) {
      let proxy = try RawServer.answering { _ in "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n" }
      unsafe setenv("https_proxy", proxy.origin, 1)
      let tunnel = try await failure(of: get("https://api.test/"))
      #expect(tunnel.reason == .connect && tunnel.sent == .no)
      #expect(tunnel.message == "no way to api.test:443 through the proxy (CONNECT tunnel failed, response 403)")
      let port = try closedPort()
      unsafe setenv("http_proxy", "http://127.0.0.1:\(port)", 1)
      let refused = try await failure(of: get("http://api.test/"))
      #expect(refused.message == "connection refused by api.test:80, through the proxy http://127.0.0.1:\(port)")
      #expect(refused.sent == .no)
    }
  }

  @Test func netrcIsNotRead() async {
    await #expect(processExitsWith: .success) {
      let home = FileManager.default.temporaryDirectory.appending(path: "baton-home-\(UUID().uuidString)").path()
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      try Data("machine 127.0.0.1 login me password secret\n".utf8).write(to: URL(filePath: "\(home)/.netrc"))
      unsafe setenv("HOME", home, 1)
      let server = try RawServer.answering { _ in ok() }
      _ = try await CurlTransport.shared.perform(get(server.origin))
      #expect(server.received.first?.values(of: "Authorization") == [])
      try FileManager.default.removeItem(atPath: home)
    }
  }

  @Test func preloadIsOnlyAHeadStart() async {
    await #expect(processExitsWith: .success) {
      let server = try RawServer.answering { _ in ok() }
      let transport = CurlTransport()
      transport.preload()
      transport.preload()
      #expect(try await transport.perform(get(server.origin)).status == 200)
    }
  }
}
