import HTTPTransport
import HTTPTypes
import StepKit
import TestKit
import Testing

@Suite struct RedirectTests {
  private static func redirect(_ status: Int, _ location: String) -> String {
    "HTTP/1.1 \(status) There\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
  }

  /// Redirects `/` to `location` and answers every other path.
  private func server(_ status: Int, _ location: String) throws -> RawServer {
    try RawServer.answering { $0.line.contains(" / ") ? Self.redirect(status, location) : ok() }
  }

  @Test func noneIsFollowedUnlessAsked() async throws {
    let server = try server(302, "/next")
    let reply = try await CurlTransport().perform(get(server.origin))
    #expect(reply.status == 302)
    #expect(reply.headers[.location] == "/next")
  }

  struct Case: Sendable {
    let method: HTTPRequest.Method
    let status: Int
    let delivery: Delivery
    /// The request lines that the server saw.
    let lines: [String]
  }

  @Test(arguments: [
    Case(method: .get, status: 301, delivery: .single, lines: ["GET /", "GET /next"]),
    Case(method: .head, status: 303, delivery: .repeatable, lines: ["HEAD /", "HEAD /next"]),
    Case(method: .post, status: 301, delivery: .single, lines: ["POST /", "GET /next"]),
    Case(method: .post, status: 302, delivery: .single, lines: ["POST /", "GET /next"]),
    Case(method: .post, status: 303, delivery: .single, lines: ["POST /", "GET /next"]),
    Case(method: .put, status: 303, delivery: .repeatable, lines: ["PUT /", "GET /next"]),
    Case(method: .put, status: 302, delivery: .repeatable, lines: ["PUT /", "PUT /next"]),
    Case(method: .put, status: 302, delivery: .single, lines: ["PUT /"]),
    Case(method: .post, status: 307, delivery: .repeatable, lines: ["POST /", "POST /next"]),
    Case(method: .post, status: 308, delivery: .repeatable, lines: ["POST /", "POST /next"]),
    Case(method: .post, status: 307, delivery: .single, lines: ["POST /"]),
    Case(method: .post, status: 303, delivery: .once, lines: ["POST /"]),
    Case(method: .get, status: 304, delivery: .repeatable, lines: ["GET /"]),
    Case(method: .get, status: 300, delivery: .repeatable, lines: ["GET /"]),
  ])
  func theMethodAfterARedirect(_ test: Case) async throws {
    let server = try server(test.status, "/next")
    var request = TransportRequest(method: test.method, url: server.origin, delivery: test.delivery, timeout: .seconds(60), redirects: 5)
    if test.method == .post || test.method == .put {
      request.body = Array("body".utf8)
      request.headers[.contentType] = "text/plain"
    }
    _ = try await CurlTransport().perform(request)
    #expect(server.received.map(\.line) == test.lines.map { $0 + " HTTP/1.1" })
    for received in server.received {
      let hasBody = received.line.hasPrefix("POST") || received.line.hasPrefix("PUT")
      #expect(received.body == (hasBody ? request.body : []))
      #expect(received.values(of: "Content-Type") == (hasBody ? ["text/plain"] : []))
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func noHeaderOfTheCallerReachesAnotherOrigin(_ status: Int) async throws {
    let other = try RawServer.answering { _ in ok("other") }
    let server = try server(status, "\(other.origin)/next")
    let request = get(server.origin) { request in
      request.redirects = 5
      request.headers = [.authorization: "Bearer s", .cookie: "a=s", .accept: "text/plain", .userAgent: "test"]
      for name in ["X-API-Key", "Proxy-Authorization", "X-Anything", "Host"] {
        if let name = HTTPField.Name(name) { request.headers[name] = "s" }
      }
    }
    let reply = try await CurlTransport().perform(request)
    #expect(reply.text == "other")
    #expect(reply.url == "\(other.origin)/next")
    let received = try #require(other.received.first)
    #expect(!received.lines.contains { $0.hasSuffix(" s") || $0.hasSuffix("=s") })
    #expect(received.values(of: "Host") == ["127.0.0.1:\(other.port)"])
    #expect(received.values(of: "Accept") == ["text/plain"])
    #expect(received.values(of: "User-Agent") == ["test"])
  }

  @Test func theSameOriginKeepsThem() async throws {
    let server = try server(302, "/next?a=1")
    _ = try await CurlTransport().perform(
      get(server.origin) { request in
        request.redirects = 1
        request.headers[.authorization] = "Bearer s"
      })
    #expect(server.received.map { $0.values(of: "Authorization") } == [["Bearer s"], ["Bearer s"]])
    #expect(server.received.last?.line == "GET /next?a=1 HTTP/1.1")
  }

  @Test func theyDoNotComeBackWithTheFirstOrigin() async throws {
    let home = try RawServer { connection in
      while let request = connection.readRequest() {
        connection.send(request.line.contains(" /back ") ? ok() : Self.redirect(302, request.values(of: "X-Go").first ?? ""))
      }
    }
    let other = try RawServer.answering { _ in Self.redirect(302, "\(home.origin)/back") }
    _ = try await CurlTransport().perform(
      get(home.origin) { request in
        request.redirects = 5
        request.headers[.authorization] = "Bearer s"
        if let name = HTTPField.Name("X-Go") { request.headers[name] = other.origin }
      })
    #expect(home.received.map { $0.values(of: "Authorization") } == [["Bearer s"], []])
  }

  @Test func aBodyDoesNotGoToAnotherOrigin() async throws {
    let other = try RawServer.answering { _ in ok() }
    let server = try server(307, other.origin)
    let reply = try await CurlTransport().perform(post(server.origin, "client_secret=s", .repeatable) { $0.redirects = 5 })
    #expect(reply.status == 307)
    #expect(other.connections == 0)
  }

  @Test func tooMany() async throws {
    let server = try RawServer.answering { _ in Self.redirect(302, "/") }
    let failure = try await failure(of: get(server.origin) { $0.redirects = 3 }, CurlTransport())
    let message = "more than 3 redirects, the last to 127.0.0.1:\(server.port)"
    #expect(failure == TransportFailure(.tooManyRedirects, sent: .yes, message: message))
    #expect(server.received.count == 4)
  }

  @Test(arguments: [
    ("file:///etc/passwd", "the scheme `file` is not supported; use `http` or `https`"),
    ("ftp://127.0.0.1/x", "the scheme `ftp` is not supported; use `http` or `https`"),
    ("http://user:pass@127.0.0.1/", "the URL carries a user name; leave it out and authenticate with a header"),
  ])
  func whereNoRedirectMayGo(_ location: String, _ why: String) async throws {
    let server = try server(302, location)
    let failure = try await failure(of: get(server.origin) { $0.redirects = 5 }, CurlTransport())
    let message = "the redirect to `\(location)` is refused: \(why)"
    #expect(failure == TransportFailure(.invalidRequest, sent: .yes, message: message))
  }

  @Test func fromTLSToPlainText() throws {
    try #require(CurlLibrary.failure == nil)
    let request = get("https://api.test/")
    let decision = Redirect.decide(status: 302, location: "http://api.test/", of: request, limit: 5, followed: 0)
    guard case .refuse(let failure) = decision else { throw UnexpectedReply() }
    #expect(failure.message == "the redirect from `https` to `http` at api.test:80 is refused")
  }

  @Test func aHopThatCannotBeReachedIsStillASendingMaybe() async throws {
    let port = try closedPort()
    let server = try server(303, "http://127.0.0.1:\(port)/")
    let failure = try await failure(of: post(server.origin, "x", .single) { $0.redirects = 5 }, CurlTransport())
    #expect(failure.reason == .connect)
    #expect(failure.sent == .maybe)
  }

  @Test func theDeadlineCoversAllHops() async throws {
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(Self.redirect(302, "/next"))
      guard connection.readRequest() != nil else { return }
      connection.waitForClose()
    }
    let failure = try await failure(
      of: get(server.origin, timeout: .milliseconds(300)) { $0.redirects = 5 }, CurlTransport())
    #expect(failure.reason == .timeout)
    #expect(failure.message == "no whole answer within 300 ms")
  }
}
