import HTTPTransport
import HTTPTypes
import StepKit
import TestKit
import Testing
import Values

/// What a connection's requests are on the wire, from the call to the socket.
@Suite struct OnTheWireTests {
  private func port(_ server: RawServer, _ settings: Value = [:]) throws -> ConnectedHTTP {
    var map = settings.mapValue ?? ValueMap()
    map["base_url"] = .string(server.origin)
    return ConnectedHTTP(
      endpoint: try ConnectionEndpoint(settings: map), session: Nobody(), transport: CurlTransport(), clock: Stopped(), effect: .unsafe)
  }

  @Test(arguments: ["a\r\nX-Evil: 1", "a\nX-Evil: 1", "a\rX-Evil: 1", "a\0", " a", "a\r\n\r\nGET /evil HTTP/1.1\r\n\r\n"])
  func noHeaderGrowsAnother(_ value: String) async throws {
    let server = try RawServer.answering { _ in ok() }
    var headers = HTTPFields()
    #expect(throws: StepFailure.self) { try headers.append("X-A", value) }
    #expect(throws: StepFailure.self) { try port(server, ["headers": ["X-A": .string(value)]]) }
    #expect(throws: StepFailure.self) { try port(server, ["cookies": ["a": .string(value)]]) }
    #expect(throws: StepFailure.self) { try port(server, ["bearer": .string("\(value)\r\n")]) }
    // Even where the field type itself was given it, and in a query, nothing of it is a line of its own.
    let call = HTTPCall(.get, "/", query: [("q", value)], headers: [.userAgent: value])
    _ = try await port(server).send(call)
    #expect(server.received.count == 1)
    let received = try #require(server.received.first)
    #expect(received.values(of: "X-Evil") == [])
    #expect(received.line.split(separator: " ").count == 3)
  }

  @Test func aMultipartFormIsTheseBytes() async throws {
    let server = try RawServer.answering { _ in ok() }
    let call = HTTPCall(
      .post, "/",
      body: .multipart([FormPart("a", Array("b".utf8)), FormPart("f", [0, 255, 13, 10], fileName: "x.bin", contentType: "a/b")]))
    _ = try await port(server).send(call)
    let received = try #require(server.received.first)
    let boundary = "baton-form-0-7MA4YWxkTrZu0gW"
    let start =
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n"
      + "--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.bin\"\r\nContent-Type: a/b\r\n\r\n"
    #expect(received.body == Array(start.utf8) + [0, 255, 13, 10] + Array("\r\n--\(boundary)--\r\n".utf8))
    #expect(received.values(of: "Content-Type") == ["multipart/form-data; boundary=\(boundary)"])
    #expect(received.values(of: "Content-Length") == ["\(received.body.count)"])
    #expect(received.values(of: "Expect") == [])
  }

  @Test func cookiesComeBackAsTheyWereSet() async throws {
    let server = try RawServer.answering { request in
      request.line.contains("/login") ? ok("ok", "Set-Cookie: a=1; Path=/; HttpOnly\r\nSet-Cookie: b=\"2 3\"; Path=/me\r\n") : ok()
    }
    let port = try port(server, ["cookies": true])
    for path in ["/login", "/me", "/"] { _ = try await port.send(HTTPCall(.get, path)) }
    #expect(server.received.map { $0.values(of: "Cookie") } == [[], ["b=\"2 3\"; a=1"], ["a=1"]])
  }

  @Test func aPOSTThatIsSentOnByA307IsTwoRequestsAndNoMore() async throws {
    let other = try RawServer.answering { _ in ok("other") }
    let server = try RawServer.answering { _ in "HTTP/1.1 307 There\r\nLocation: \(other.origin)/x\r\nContent-Length: 0\r\n\r\n" }
    let reply = try await port(server, ["bearer": "t0ken"]).send(HTTPCall(.post, "/", body: .json(["a": 1]), redirects: 5))
    #expect(reply.text == "other")
    #expect(server.received.count == 1 && other.received.count == 1)
    let received = try #require(other.received.first)
    #expect(received.line == "POST /x HTTP/1.1")
    #expect(received.body == Array(#"{"a":1}"#.utf8))
    #expect(received.values(of: "Authorization") == [])
  }

  @Test func aSecondHopThatBreaksSaysThatSomethingMayHaveLeft() async throws {
    let other = try RawServer { connection in
      _ = connection.readRequest()
      connection.reset()
    }
    let server = try RawServer.answering { _ in "HTTP/1.1 307 There\r\nLocation: \(other.origin)/x\r\nContent-Length: 0\r\n\r\n" }
    let port = try port(server)
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.post, "/", body: .json([1]), redirects: 5)) }
    #expect(failure?.code == "network.reset")
    #expect(failure?.sent == .maybe)
    #expect(other.received.count == 1)
  }

  @Test func aDigestChallengeIsAnswered() async throws {
    let server = try RawServer.answering { request in
      request.values(of: "Authorization").first?.hasPrefix("Digest ") == true
        ? ok() : "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\nContent-Length: 0\r\n\r\n"
    }
    let port = try port(server, ["digest": ["username": "u", "password": "p"]])
    #expect(try await port.send(HTTPCall(.post, "/x", body: .json([1]))).status == 200)
    #expect(server.received.map(\.body) == [Array("[1]".utf8), Array("[1]".utf8)])
    #expect(server.received.map { $0.values(of: "Authorization").count } == [0, 1])
  }

  @Test func theBodyIsLimitedAsTheConnectionSays() async throws {
    let server = try RawServer.answering { _ in ok("123456") }
    let port = try port(server, ["max_body": "5B"])
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/")) }
    #expect(failure?.code == "decode.too_large")
    var call = HTTPCall(.get, "/")
    call.options.maxBodyBytes = 6
    #expect(try await port.send(call).text == "123456")
  }

  /// What a step with `save` asks for: long bodies go through, and its expressions see that they were not held.
  @Test func aLongBodyGoesToTheSpoolOfItsCall() async throws {
    let server = try RawServer.answering { request in
      request.line.contains("/long") ? ok(String(repeating: "x", count: (4 << 20) + 1), "Content-Type: application/json\r\n") : ok("short")
    }
    let port = try port(server)
    func reply(_ path: String) async throws -> HTTPReply {
      var call = HTTPCall(.get, path)
      call.openSpool = { () throws(StepFailure) in try NoFiles().spool() }
      return try await port.send(call)
    }
    let short = try await reply("/short")
    #expect(short.spool == nil && short.text == "short" && short.body == "short")
    let long = try await reply("/long")
    #expect(long.spool?.count == (4 << 20) + 1)
    #expect(long.bytes.isEmpty && long.body == .null && long.value.mapValue?["text"] == .null)
  }
}

/// A session in which nobody is signed in.
private struct Nobody: SessionPort {
  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw StepFailure("config.token", title: "no token") }
  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token { try await token(.user) }
  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token { try await token(tokenClass) }
  func forget(_ tokenClass: TokenClass) async {}
}

private struct Stopped: ClockPort {
  func now() -> Timestamp { Timestamp(seconds: 0) }
  func elapsed() -> Duration { .zero }
  func sleep(for duration: Duration) async throws(CancellationError) {}
}
