import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("The address and the options of the step `http`")
struct HTTPStepRequestTests {
  private func send(_ with: String) async throws -> TransportRequest {
    let ports = StepPorts(transport: ScriptedTransport([.text(200)]))
    _ = try await ports.run(AnyStep(HTTPStep.self), with)
    return try #require(ports.transport.asked.first)
  }

  private func failure(_ with: String) async -> StepFailure? {
    await StepPorts(transport: ScriptedTransport([])).failure(AnyStep(HTTPStep.self), with)
  }

  @Test(
    "keeps a value in the path to its one segment",
    arguments: [
      ("a@evil.test", "a%40evil.test"), (#"a\\b"#, "a%5Cb"), ("a%2fb", "a%252fb"), ("a/b", "a%2Fb"), ("a?b#c", "a%3Fb%23c"),
      ("ü ", "%C3%BC%20"),
      ("...", "..."), ("//evil.test", "%2F%2Fevil.test"), (":8080", "%3A8080"), ("a;b=c", "a%3Bb%3Dc"), (#"\r\nX: 1"#, "%0D%0AX%3A%201"),
    ])
  func segments(value: String, segment: String) async throws {
    let sent = try await send(#"{"url": "/u/{id}/x", "path": {"id": "\#(value)"}}"#)
    #expect(sent.url == "https://id.test/u/\(segment)/x")
  }

  @Test("refuses a value that would be no segment", arguments: ["", ".", ".."])
  func noSegment(value: String) async {
    let failure = await failure(#"{"url": "/u/{id}", "path": {"id": "\#(value)"}}"#)
    #expect(failure?.detail.hasPrefix("`path.id` cannot stand in a path") == true)
  }

  @Test(
    "encodes each part of a query by itself",
    arguments: [
      (#"{"q": "a&b=c d"}"#, "q=a%26b%3Dc%20d"), (#"{"a b": "1"}"#, "a%20b=1"), (#"{"q": ["1", 2, null, true]}"#, "q=1&q=2&q=true"),
      (#"{"q": ""}"#, "q="), (##"{"q": "#?/@\\"}"##, "q=%23%3F%2F%40%5C"), (#"{"q": "+"}"#, "q=%2B"), (#"{"q": "\r\n"}"#, "q=%0D%0A"),
    ])
  func query(query: String, sent: String) async throws {
    #expect(try await send(#"{"url": "/", "query": \#(query)}"#).url == "https://id.test/?\(sent)")
    #expect(try await send(#"{"url": "/?x=1", "query": \#(query)}"#).url == "https://id.test/?x=1&\(sent)")
  }

  @Test(
    "goes to no other host than the one that is written",
    arguments: [
      #"{"url": "https://id.test@evil.test/"}"#, #"{"url": "https://id.test\\@evil.test/"}"#, #"{"url": "https://evil.test%2f@id.test/"}"#,
      #"{"url": "https://id.test%00.evil.test/"}"#, #"{"url": "ftp://evil.test/"}"#, #"{"url": "/a b"}"#, #"{"url": "/\\evil.test"}"#,
    ])
  func hosts(with: String) async throws {
    let ports = StepPorts(transport: ScriptedTransport([.text(200)]))
    do {
      _ = try await ports.run(AnyStep(HTTPStep.self), with)
      #expect(ports.transport.asked.allSatisfy { $0.url.hasPrefix("https://id.test/") })
    } catch let failure as StepFailure {
      #expect(failure.code == "config.url")
      #expect(ports.transport.asked.isEmpty)
    }
  }

  @Test("hands its options to the transport")
  func options() async throws {
    let sent = try await send(
      #"""
      {"url": "/", "proxy": "http://me:pw@proxy.test:3128", "http_version": "2", "compressed": false, "max_body": "1KiB",
        "tls": {"ca": "ca.pem", "cert": "me.pem", "key": "me.key"}}
      """#)
    #expect(sent.proxy == .server(try ProxyServer("http://me:pw@proxy.test:3128")))
    #expect(sent.httpVersion == .http2)
    #expect(!sent.isCompressed)
    #expect(sent.maxBodyBytes == 1024)
    #expect(sent.tls == TLSOptions(caFile: "ca.pem", certificateFile: "me.pem", keyFile: "me.key"))
    let plain = try await send(#"{"url": "/"}"#)
    #expect(plain.proxy == .environment && plain.httpVersion == nil && plain.isCompressed && plain.tls == TLSOptions())
  }

  @Test(
    "refuses what the shape of `with` says of options",
    arguments: [
      #""follow": "yes""#, #""follow": 99"#, #""max_body": "much""#, #""http_version": "3""#, #""tls": {"insecure": true}"#,
      #""compressed": 1"#,
    ])
  func shapes(member: String) throws {
    let input = try #require(try JSON.parse(#"{"url": "/", \#(member)}"#).mapValue)
    #expect(AnyStep(HTTPStep.self).input().violations(in: input).count == 1)
    #expect(PlainHTTP.system.settings().violations(in: try #require(try JSON.parse("{\(member)}").mapValue)).count == 1)
  }

  @Test("takes in settings what it takes in a step")
  func settings() throws {
    let settings = #"""
      {"base_url": "https://api.test", "headers": {"X-A": "1"}, "cookies": true, "follow": 2, "proxy": "none", "http_version": "1.1",
        "tls": {"ca": "x"}, "compressed": true, "max_body": 10}
      """#
    let map = try #require(try JSON.parse(settings).mapValue)
    #expect(PlainHTTP.system.settings().violations(in: map).map(\.message) == [])
    #expect(try PlainHTTP.system.endpoint(map).options.redirects == 2)
  }

  @Test(
    "takes one kind of credentials",
    arguments: [
      #""bearer": "x", "basic": {"username": "a", "password": "b"}"#,
      #""digest": {"username": "a", "password": "b"}, "headers": {"authorization": "x"}"#,
      #""bearer": "x", "headers": {"Authorization": "y"}"#,
    ])
  func credentials(members: String) async {
    let failure = await failure(#"{"url": "/", \#(members)}"#)
    #expect(failure?.detail.hasPrefix("a request has one kind of credentials: ") == true)
  }

  @Test("follows as many redirects as it is told to", arguments: [("false", 1), ("true", 6), ("2", 3), ("0", 1)])
  func follow(follow: String, requests: Int) async throws {
    let script = ScriptedTransport(Array(repeating: .text(302, "", [.location: "/"]), count: 9))
    let failure = await StepPorts(transport: script).failure(AnyStep(HTTPStep.self), #"{"url": "/", "follow": \#(follow)}"#)
    #expect(failure?.code == (requests == 1 ? "http.302" : "network.protocol"))
    #expect(script.asked.count == requests)
  }
}
