import HTTPTypes
import StepKit
import Testing
import Values

@Suite("Transport options")
struct TransportOptionsTests {
  private func map(_ json: String) throws -> ValueMap { try #require(try JSON.parse(json).mapValue) }

  @Test("are read from a step or a connection")
  func all() throws {
    let options = try TransportOptions(
      map(
        #"{"follow": true, "proxy": {"url": "http://p.test:1", "username": "u", "password": "s"}, "http_version": "1.1", "compressed": false, "#
          + #""tls": {"ca": "ca.pem", "cert": "c.pem", "key": "k.pem", "pin": "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}, "#
          + #""max_body": "10MB", "base_url": "http://ignored"}"#))
    var proxy = try ProxyServer("http://p.test:1")
    (proxy.username, proxy.password) = ("u", "s")
    #expect(options.redirects == 5)
    #expect(options.proxy == .server(proxy))
    #expect(options.httpVersion == .http1_1)
    #expect(options.isCompressed == false)
    #expect(options.maxBodyBytes == 10_000_000)
    #expect(options.tls?.certificateFile == "c.pem" && options.tls?.keyFile == "k.pem" && options.tls?.caFile == "ca.pem")
    #expect(options.tls?.pinnedPublicKey?.hasPrefix("sha256//") == true)
    #expect(try TransportOptions(map("{}")) == TransportOptions())
    #expect(try TransportOptions(map(#"{"proxy": "none", "follow": 2}"#)).proxy == .direct)
  }

  @Test(
    "are refused where they do not fit",
    arguments: [
      (#"{"follow": "yes"}"#, "`follow` must be a bool, or a count of at most 50"), (#"{"follow": 51}"#, "`follow` must be"),
      (#"{"follow": -1}"#, "`follow` must be"), (#"{"proxy": 1}"#, "`proxy` must be a URL"),
      (#"{"proxy": {"host": "x"}}"#, "`proxy` must be"),
      (#"{"proxy": "ftp://x"}"#, "a proxy's scheme is one of"), (#"{"http_version": "3"}"#, "`http_version` must be"),
      (#"{"tls": {"insecure": true}}"#, "`tls.insecure` must be a text"), (#"{"tls": {"verify": "no"}}"#, "`tls` knows `ca`"),
      (#"{"tls": {"key": "k"}}"#, "`tls.key` needs `tls.cert` beside it"), (#"{"tls": {"pin": "/etc/passwd"}}"#, "`tls.pin` must be"),
      (#"{"compressed": "no"}"#, "`compressed` must be a bool"), (#"{"max_body": "10 bananas"}"#, "`max_body` must be"),
      (#"{"max_body": 0}"#, "`max_body` must be"), (#"{"connect_timeout": "2"}"#, "`connect_timeout` must be a time"),
      (#"{"connect_timeout": 2}"#, "`connect_timeout` must be a time"),
    ])
  func refused(json: String, detail: String) throws {
    let given = try map(json)
    let failure = #expect(throws: StepFailure.self) { try TransportOptions(given) }
    #expect(failure?.detail.hasPrefix(detail) == true, "\(failure?.detail ?? "")")
  }

  @Test(
    "have sizes in thousands and in 1024s",
    arguments: [
      (100, 100), ("1B", 1), ("2KB", 2000), ("2 KiB", 2048), ("3MB", 3_000_000), ("3MiB", 3_145_728), ("1GB", 1_000_000_000),
      ("1GiB", 1_073_741_824), ("1mb", nil), ("-1MB", nil), ("1.5MB", nil), ("", nil), ("MB", nil), ("99999999999GiB", nil), (.null, nil),
    ] as [(Value, Int?)])
  func sizes(value: Value, bytes: Int?) {
    #expect(ByteSize.bytes(value) == bytes)
  }

  @Test("of a step stand over those of its connection")
  func merged() throws {
    let connection = try TransportOptions(map(#"{"follow": 3, "max_body": 10, "http_version": "2"}"#))
    let step = try TransportOptions(map(#"{"follow": false, "compressed": false}"#))
    let both = step.merged(over: connection)
    #expect(both.redirects == 0 && both.maxBodyBytes == 10 && both.isCompressed == false && both.httpVersion == .http2)
  }

  @Test("of a connection stand beside its credentials, of which there is one kind")
  func endpoint() throws {
    let endpoint = try ConnectionEndpoint(
      settings: map(
        #"{"base_url": "https://api.test", "digest": {"username": "u", "password": "hunter2"}, "cookies": {"a": "1", "b": true}, "follow": 2}"#
      ))
    #expect(endpoint.headers[.cookie] == "a=1; b=true")
    #expect(endpoint.digest == DigestCredentials(username: "u", password: "hunter2"))
    #expect(endpoint.secrets == ["hunter2"])
    #expect(endpoint.options.redirects == 2 && !endpoint.keepsCookies)
    #expect(try ConnectionEndpoint(settings: map(#"{"cookies": true}"#)).keepsCookies)
  }

  @Test(
    "of a connection are refused where they do not fit",
    arguments: [
      (#"{"bearer": "x", "basic": {"username": "u", "password": "p"}}"#, "one kind of credentials goes out"),
      (#"{"cookies": "a=1"}"#, "`cookies` must be a bool, or a map of cookies by name"),
      (#"{"cookies": {"a b": "1"}}"#, "`\"a b\"` is not a cookie's name"),
      (#"{"cookies": {"a": "1; admin=true"}}"#, "the value of `a` holds a space"),
      (#"{"cookies": {"a": "1\r\nX: y"}}"#, "the value of `a` holds"),
      (#"{"cookies": {"a": [1]}}"#, "`cookies.a` must be a text"),
    ])
  func refusedSettings(json: String, detail: String) throws {
    let settings = try map(json)
    let failure = #expect(throws: StepFailure.self) { try ConnectionEndpoint(settings: settings) }
    #expect(failure?.detail.hasPrefix(detail) == true, "\(failure?.detail ?? "")")
  }
}
