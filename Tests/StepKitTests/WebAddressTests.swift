import StepKit
import Testing

@Suite("A web address")
struct WebAddressTests {
  @Test(
    "is what will be sent, in its parts",
    arguments: [
      ("https://API.Example.test/v1/users?a=b#top", "https://api.example.test/v1/users?a=b"),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080/"),
      ("https://example.test:443/x", "https://example.test/x"),
      ("http://[::1]:80/x", "http://[::1]/x"),
      ("https://example.test/a/./b/../c", "https://example.test/a/c"),
      ("https://example.test/a/%2E%2e/v1/rem/trigger", "https://example.test/v1/rem/trigger"),
      ("https://example.test/../..", "https://example.test/"),
      ("https://example.test?q=1", "https://example.test/?q=1"),
    ])
  func parts(text: String, sent: String) throws {
    #expect(try WebAddress(text).text == sent)
  }

  @Test(
    "refuses what another reader may read otherwise",
    arguments: [
      ("https://user:pw@example.test/", "takes no user name or password"),
      ("https://good.test\\@evil.test/", "does not hold `\\`"),
      ("https://good.test%2eevil.test/", "is not a host name"),
      ("https://exämple.test/", "percent-encode U+00E4"),
      ("https://example.test/a b", "U+0020"),
      ("https://example.test/\r\nX: y", "U+000D"),
      ("https://2130706433/", "not an IPv4 address"),
      ("https://0x7f.0.0.1/", "not an IPv4 address"),
      ("https://127.1/", "not an IPv4 address"),
      ("https://010.0.0.1/", "not an IPv4 address"),
      ("https://example.test:0/", "is not a port"),
      ("https://example.test:99999/", "is not a port"),
      ("https:///x", "names no host"),
      ("file:///etc/passwd", "not `file`"),
      ("example.test/x", "is not an absolute URL"),
    ])
  func refusals(text: String, reason: String) {
    let failure = #expect(throws: StepFailure.self) { try WebAddress(text) }
    #expect(failure?.code == "config.url")
    #expect(failure?.detail.contains(reason) == true)
    #expect(failure?.detail.contains("pw") != true)
  }

  @Test(
    "knows this machine",
    arguments: [
      ("http://localhost/", true), ("http://127.0.0.1/", true), ("http://127.9.8.7:1/", true), ("http://[::1]/", true),
      ("http://127.0.0.1.evil.test/", false), ("http://localhost.evil.test/", false), ("http://128.0.0.1/", false),
      ("http://[::2]/", false),
    ])
  func loopback(text: String, isLoopback: Bool) throws {
    #expect(try WebAddress(text).isLoopback == isLoopback)
  }

  @Test(
    "joins a base and a target, and follows a location",
    arguments: [
      ("/v1/users", "https://example.test/api/v1/users"), ("v1/users?x=1", "https://example.test/api/v1/users?x=1"),
      ("//evil.test/x", "https://example.test/api//evil.test/x"), ("", "https://example.test/api"),
    ])
  func join(target: String, url: String) throws {
    #expect(try WebAddress("https://example.test/api/").appending(target).text == url)
  }

  @Test(
    "resolves where a redirect leads",
    arguments: [
      ("/x", "https://example.test/x"), ("c", "https://example.test/a/c"), ("?q", "https://example.test/a/b?q"),
      ("//other.test/x", "https://other.test/x"), ("http://other.test", "http://other.test/"),
    ])
  func location(location: String, url: String) throws {
    #expect(try WebAddress("https://example.test/a/b?old").resolving(location: location).text == url)
  }

  @Test("adds a query, encoded by component")
  func query() throws {
    let address = try WebAddress("https://example.test/?a=1").adding(query: [("q", "a&b=c d"), ("ü", "~")])
    #expect(address.text == "https://example.test/?a=1&q=a%26b%3Dc%20d&%C3%BC=~")
  }

  @Test("fills one segment of a path and no more")
  func segment() {
    #expect(PercentEncoding.pathSegment("a/b") == "a%2Fb")
    #expect(PercentEncoding.pathSegment("..") == nil)
    #expect(PercentEncoding.pathSegment("") == nil)
    #expect(PercentEncoding.form([("a b", "c&d"), ("e", "~*")]) == "a+b=c%26d&e=%7E*")
  }
}
