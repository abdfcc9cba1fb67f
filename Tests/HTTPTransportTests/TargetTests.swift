import HTTPTransport
import Testing

@Suite struct TargetTests {
  /// The reader of the URL is the one that connects: short forms of an address cannot slip past.
  @Test(arguments: ["http://127.1/", "http://0x7f.1/", "http://2130706433/", "http://LOCALHOST/", "http://a.localhost/", "http://[::1]/"])
  func loopbackByAnyName(_ url: String) throws {
    try #require(CurlLibrary.failure == nil)
    #expect(try Target(url).isLoopback)
  }

  @Test func origins() throws {
    try #require(CurlLibrary.failure == nil)
    let base = try Target("https://API.test/a/b?c")
    #expect(base.authority == "api.test:443")
    #expect(try base.isSameOrigin(as: Target("HTTPS://api.TEST:443/x")))
    #expect(try base.isSameOrigin(as: Target("../d", relativeTo: base.url)))
    #expect(try Target("../d e", relativeTo: base.url).url.hasSuffix("/d%20e"))
    for other in ["http://api.test/", "https://api.test:444/", "https://b.test/", "//b.test/", "https://api.test.evil.test/"] {
      #expect(try !base.isSameOrigin(as: Target(other, relativeTo: base.url)))
    }
  }
}
