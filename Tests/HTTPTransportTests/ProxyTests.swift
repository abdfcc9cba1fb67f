import HTTPTransport
import HTTPTypes
import StepKit
import TestKit
import Testing

/// Proxies that a request states.
@Suite struct ProxyTests {
  private func through(_ proxy: String, _ url: String, change: (inout TransportRequest) -> Void = { _ in }) throws -> TransportRequest {
    let server = try ProxyServer(proxy)
    return get(url) { request in
      request.proxy = .server(server)
      change(&request)
    }
  }

  @Test(arguments: [Delivery.repeatable, .single, .once])
  func aPlainRequestHasItsWholeURL(_ delivery: Delivery) async throws {
    let proxy = try RawServer.answering { _ in ok("proxy") }
    let reply = try await CurlTransport().perform(try through(proxy.origin, "http://api.test/a?b=c") { $0.delivery = delivery })
    #expect(reply.text == "proxy")
    let received = try #require(proxy.received.first)
    #expect(received.line == "GET http://api.test/a?b=c HTTP/1.1")
    #expect(received.values(of: "Host") == ["api.test"])
    #expect(received.values(of: "Proxy-Authorization") == [])
  }

  @Test func theProxyGetsItsCredentialsAndNobodyElse() async throws {
    let proxy = try RawServer.answering { _ in ok("proxy") }
    let url = "http://me:p%40ss@127.0.0.1:\(proxy.port)"
    _ = try await CurlTransport().perform(try through(url, "http://api.test/"))
    #expect(try #require(proxy.received.first).values(of: "Proxy-Authorization") == ["Basic bWU6cEBzcw=="])
    #expect(try #require(proxy.received.first).values(of: "Authorization") == [])
  }

  @Test func aRefusalOfTheCredentialsIsNotTriedAgain() async throws {
    let proxy = try RawServer.answering { _ in
      "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nContent-Length: 0\r\n\r\n"
    }
    let request = try through("http://me:pw@127.0.0.1:\(proxy.port)", "http://api.test/") { $0.delivery = .single }
    #expect(try await CurlTransport().perform(request).status == 407)
    #expect(proxy.received.count == 1)
  }

  @Test func tlsGoesThroughATunnel() async throws {
    let proxy = try RawServer.answering { _ in "HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n" }
    let failure = try await failure(of: try through(proxy.origin, "https://api.test/secret") { $0.headers[.authorization] = "Bearer s" })
    #expect(failure.reason == .connect && failure.sent == .no)
    #expect(failure.message == "no way to api.test:443 through the proxy (CONNECT tunnel failed, response 502)")
    let received = try #require(proxy.received.first)
    #expect(received.line == "CONNECT api.test:443 HTTP/1.1")
    #expect(received.values(of: "Authorization") == [])
  }

  @Test func loopbackIsNotProxiedEvenSo() async throws {
    let proxy = try RawServer.answering { _ in ok("proxy") }
    let server = try RawServer.answering { _ in ok("server") }
    #expect(try await CurlTransport().perform(try through(proxy.origin, server.origin)).text == "server")
    #expect(proxy.connections == 0)
  }

  @Test func aProxyThatIsNotThere() async throws {
    let port = try closedPort()
    let failure = try await failure(of: try through("http://127.0.0.1:\(port)", "http://api.test/"))
    #expect(failure.message == "connection refused by api.test:80, through the proxy http://127.0.0.1:\(port)")
    #expect(failure.reason == .connect && failure.sent == .no)
    let unknown = try await self.unknownProxy()
    #expect(unknown.reason == .dns && unknown.message.hasPrefix("cannot find the address of the proxy ("))
  }

  private func unknownProxy() async throws -> TransportFailure {
    try await failure(of: try through("http://nonexistent.invalid:3128", "http://api.test/"))
  }

  @Test func aConnectionThroughOneProxyIsNotAnothers() async throws {
    let first = try RawServer.answering { _ in ok("first") }
    let second = try RawServer.answering { _ in ok("second") }
    let transport = CurlTransport()
    #expect(try await transport.perform(try through(first.origin, "http://api.test/")).text == "first")
    #expect(try await transport.perform(try through(second.origin, "http://api.test/")).text == "second")
    #expect(try await transport.perform(try through(first.origin, "http://api.test/")).text == "first")
    #expect(first.connections == 1)
  }
}
