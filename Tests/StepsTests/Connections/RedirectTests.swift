import HTTPTypes
import StepKit
import Testing
import Values

@Suite("Redirects of a connection")
struct RedirectTests {
  struct Case: Sendable {
    let status: Int
    let isSameOrigin: Bool
    let method: HTTPRequest.Method
  }

  private static let cases = [301, 302, 303, 307, 308].flatMap { status in
    [true, false].flatMap { isSame in
      [HTTPRequest.Method.get, .post, .put, .head].map { Case(status: status, isSameOrigin: isSame, method: $0) }
    }
  }

  private static let own = [
    "Accept": "a/b", "Accept-Language": "de", "User-Agent": "me", "Authorization": "Bearer own", "Cookie": "sid=own", "X-Api-Key": "own",
    "Proxy-Authorization": "own", "Range": "bytes=0-1",
  ]

  @Test("carry headers and bodies as far as they may", arguments: cases)
  func matrix(test: Case) async throws {
    let location = test.isSameOrigin ? "/next" : "https://other.test/next"
    let script = ScriptedTransport([.text(test.status, "", [.location: location]), .text(200)])
    var call = HTTPCall(test.method, "/first", body: test.method == .get || test.method == .head ? .none : .json(["a": 1]), redirects: 5)
    for (name, value) in Self.own { try call.headers.append(name, value) }
    // A header that is harmless by its name may be secret by its value.
    call.secretHeaders = [.userAgent]
    _ = try await port(script).send(call)
    #expect(script.asked.count == 2)
    let next = try #require(script.asked.last)
    #expect(next.url == (test.isSameOrigin ? "https://api.test/next" : "https://other.test/next"))

    let becomesGet = test.status == 303 && test.method != .head || [301, 302].contains(test.status) && test.method == .post
    #expect(next.method == (becomesGet ? .get : test.method))
    #expect((next.body == nil) == (becomesGet || test.method == .get || test.method == .head))
    #expect(next.headers.contains(.contentType) == (next.body != nil))
    let names = Set(next.headers.map(\.name.canonicalName)).subtracting(["content-type"])
    #expect(
      names
        == (test.isSameOrigin
          ? Set(Self.own.keys.map { $0.lowercased() }).union(["x-connection"]) : ["accept", "accept-language", "range"]))
  }

  @Test("take no body with a secret to another origin", arguments: [307, 308], [true, false])
  func secretBodies(status: Int, isMarked: Bool) async throws {
    let script = ScriptedTransport([.text(status, "", [.location: "https://other.test/"]), .text(200)])
    var call = HTTPCall(.post, "/", body: .json(["pin": isMarked ? .secret("4829") : "4829"]), redirects: 5)
    #expect(try await port(script).send(call).status == (isMarked ? status : 200))
    #expect(script.asked.count == (isMarked ? 1 : 2))

    let form = ScriptedTransport([.text(status, "", [.location: "https://other.test/"]), .text(200)])
    call.body = .form([("pin", "4829")])
    call.isBodySecret = isMarked
    #expect(try await port(form).send(call).status == (isMarked ? status : 200))
  }

  @Test(
    "are refused where they lead to what is no plain web address; something has left by then",
    arguments: ["file:///etc/passwd", "ftp://api.test/", "https://me:pw@api.test/", "http://api.test/", "https://[::1/", "https://a\\b/"])
  func refused(location: String) async throws {
    let port = try port(ScriptedTransport([.text(302, "", [.location: location])]))
    let failure = await #expect(throws: StepFailure.self) { try await port.send(HTTPCall(.get, "/", redirects: 5)) }
    #expect(failure?.code == "network.protocol")
    #expect(failure?.sent == .yes)
    #expect(failure?.detail.contains("pw") == false)
  }

  @Test(
    "resolve against the address that answered", arguments: [("next", "https://api.test/a/next"), ("../x?q=1#f", "https://api.test/x?q=1")])
  func relative(location: String, url: String) async throws {
    let script = ScriptedTransport([.text(302, "", [.location: location]), .text(200)])
    _ = try await port(script).send(HTTPCall(.get, "/a/b", redirects: 1))
    #expect(script.asked.last?.url == url)
  }

  @Test("do not bring a secret back to the first origin by a detour")
  func detour() async throws {
    let script = ScriptedTransport([
      .text(302, "", [.location: "https://other.test/"]), .text(302, "", [.location: "https://api.test/back"]), .text(200),
    ])
    _ = try await port(script).send(HTTPCall(.get, "/", headers: [.authorization: "Bearer own"], redirects: 5))
    #expect(script.asked.map { $0.headers[.authorization] } == ["Bearer own", nil, nil])
    let name = try #require(HTTPField.Name("X-Connection"))
    #expect(script.asked.map { $0.headers[name] } == ["1", nil, "1"])
  }

  @Test("show the client's certificate and expect the pinned key at the first origin alone")
  func certificates() async throws {
    let tls = TLSOptions(caFile: "ca", certificateFile: "cert", keyFile: "key", pinnedPublicKey: "pin")
    for isOfConnection in [true, false] {
      let script = ScriptedTransport([.text(302, "", [.location: "/x"]), .text(302, "", [.location: "https://other.test/"]), .text(200)])
      var port = try port(script)
      var call = HTTPCall(.get, "/", redirects: 5)
      if isOfConnection { port.endpoint.options.tls = tls } else { call.options.tls = tls }
      _ = try await port.send(call)
      #expect(script.asked.map(\.tls) == [tls, tls, TLSOptions(caFile: "ca")])
    }
  }

  @Test("are as many as the connection says, where the step says nothing")
  func ofConnection() async throws {
    let answers = Array(repeating: Result<TransportReply, TransportFailure>.text(302, "", [.location: "/"]), count: 9)
    let script = ScriptedTransport(answers)
    var port = try port(script)
    port.endpoint.options.redirects = 2
    let sending = port
    await #expect(throws: StepFailure.self) { try await sending.send(HTTPCall(.get, "/")) }
    #expect(script.asked.count == 3)
    var call = HTTPCall(.get, "/")
    call.options.redirects = 0
    #expect(try await port.send(call).status == 302)
  }

  private func port(_ transport: ScriptedTransport) throws -> ConnectedHTTP {
    var headers = HTTPFields()
    try headers.append("X-Connection", "1")
    return ConnectedHTTP(
      endpoint: ConnectionEndpoint(base: try WebAddress("https://api.test"), headers: headers), session: NoSession(), transport: transport,
      clock: StepClock())
  }
}
