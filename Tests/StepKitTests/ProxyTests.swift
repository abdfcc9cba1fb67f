import HTTPTypes
import StepKit
import Synchronization
import Testing

@Suite("Proxies")
struct ProxyTests {
  @Test(
    "are read from a URL; the name and the password are never shown",
    arguments: [
      ("http://proxy.test:3128", "http://proxy.test:3128", nil, nil),
      ("Proxy.test:3128", "http://proxy.test:3128", nil, nil),
      ("proxy.test", "http://proxy.test:1080", nil, nil),
      ("https://proxy.test/", "https://proxy.test:443", nil, nil),
      ("socks5h://[::1]:9", "socks5h://[::1]:9", nil, nil),
      ("http://me:p%40ss@proxy.test:80", "http://proxy.test:80", "me", "p@ss"),
      ("http://me@proxy.test:80", "http://proxy.test:80", "me", ""),
    ] as [(String, String, String?, String?)])
  func url(text: String, shown: String, username: String?, password: String?) throws {
    let server = try ProxyServer(text)
    #expect(server.shown == shown)
    #expect(server.username == username)
    #expect(server.password == password)
  }

  @Test(
    "are refused where they cannot be one",
    arguments: ["ftp://proxy.test", "http://me:hunter2@pro xy", "http://proxy.test/x", "http://", ""])
  func refused(text: String) {
    let failure = #expect(throws: StepFailure.self) { try ProxyServer(text) }
    #expect(failure?.code == "config.proxy")
    #expect(failure?.detail.contains("hunter2") == false)
  }

  @Test(
    "are named by the usual variables",
    arguments: [
      (["http_proxy": "a:1"], "http", "http_proxy"), (["http_proxy": "a:1"], "https", nil),
      (["https_proxy": "a:1"], "https", "https_proxy"),
      (["HTTPS_PROXY": "a:1"], "https", "HTTPS_PROXY"), (["HTTP_PROXY": "a:1"], "http", nil), (["all_proxy": "a:1"], "http", "all_proxy"),
      (["ALL_PROXY": "a:1", "http_proxy": "b:1"], "http", "http_proxy"), (["ALL_PROXY": "a:1", "http_proxy": ""], "http", "ALL_PROXY"),
      (["all_proxy": "a:1", "no_proxy": "*"], "http", nil), ([:], "http", nil),
    ] as [([String: String], String, String?)])
  func variables(values: [String: String], scheme: String, variable: String?) throws {
    let variables = ProxyVariables { values[$0] }
    #expect(try variables.proxy(scheme: scheme, host: "api.test")?.variable == variable)
  }

  @Test(
    "are passed by for the hosts of `no_proxy`",
    arguments: [
      ("api.test", "api.test", true), ("API.test", "api.test", true), (".test", "api.test", true), ("test", "api.test", true),
      ("pi.test", "api.test", false), ("x.test, api.test", "api.test", true), ("x.test api.test.", "api.test", true),
      ("api.test", "test", false),
      ("10.0.0.0/8", "10.1.2.3", true), ("10.0.0.0/8", "11.1.2.3", false), ("10.0.0.0/33", "10.0.0.1", false),
      ("10.1.2.3", "10.1.2.3", true),
      ("0.0.0.0/0", "10.1.2.3", true), ("10.0.0.0/8", "10.test", false), (",", "api.test", false), ("[fe80::1]", "fe80::1", true),
    ])
  func exceptions(list: String, host: String, isExcepted: Bool) throws {
    let variables = ProxyVariables { ["all_proxy": "proxy.test:1", "no_proxy": list][$0] }
    #expect(try (variables.proxy(scheme: "https", host: host) == nil) == isExcepted)
  }

  @Test("are a mistake where a variable names none")
  func badVariable() {
    let variables = ProxyVariables { ["http_proxy": "ftp://x"][$0] }
    let failure = #expect(throws: StepFailure.self) { try variables.proxy(scheme: "http", host: "api.test") }
    #expect(failure?.detail.hasPrefix("the variable `http_proxy`: a proxy's scheme is one of ") == true)
  }

  @Test("are told of once, and settled before the transport below sees them")
  func notices() async throws {
    let seen = Settings()
    let lines = Mutex<[String]>([])
    let variables = ProxyVariables { ["http_proxy": "http://me:hunter2@proxy.test:3128", "no_proxy": "free.test"][$0] }
    let transport = ProxyNotices(seen, variables: variables) { line in lines.withLock { $0.append(line) } }
    let server = try ProxyServer("http://me:hunter2@proxy.test:3128")
    func send(_ url: String, _ delivery: Delivery = .single, _ proxy: ProxySetting = .environment) async throws {
      var request = TransportRequest(method: .get, url: url, delivery: delivery)
      request.proxy = proxy
      _ = try await transport.perform(request)
    }
    try await send("http://api.test/")
    try await send("http://api.test/again")
    try await send("http://free.test/")
    try await send("https://api.test/")
    try await send("http://127.0.0.1/")
    try await send("http://api.test/", .once)
    try await send("http://api.test/", .single, .direct)
    #expect(seen.proxies == [.server(server), .server(server), .direct, .direct, .direct, .direct, .direct])
    #expect(
      lines.withLock { $0 } == [
        "requests such as to `api.test` go through the proxy `http://proxy.test:3128`, which the variable `http_proxy` names"
      ])
  }
}

/// Keeps the proxies that it was asked to use.
private final class Settings: HTTPTransporting {
  private let state = Mutex<[ProxySetting]>([])
  var proxies: [ProxySetting] { state.withLock { $0 } }

  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    state.withLock { $0.append(request.proxy) }
    return TransportReply(status: 200, headers: [:], body: [], url: request.url)
  }
}
