import StepKit
import Testing
import Values

@Suite("A cookie jar")
struct CookieJarTests {
  private static let now = Timestamp(seconds: 1_732_150_800)  // 2024-11-21T01:00:00Z

  /// The header that a request gets after an answer from `from` set `line`.
  private func header(_ line: String, from: String = "https://api.test/v1/login", to: String = "https://api.test/v1/me", later: Int64 = 0)
    throws
    -> String?
  {
    var jar = CookieJar()
    jar.keep([line], from: try WebAddress(from), at: Self.now)
    return jar.header(for: try WebAddress(to), at: Timestamp(seconds: Self.now.seconds + later))
  }

  @Test(
    "sends a cookie back to its own host, for its own path",
    arguments: [
      ("sid=abc", "https://api.test/v1/me", "sid=abc"),
      ("sid=abc", "https://api.test/v1", "sid=abc"),
      ("sid=abc", "https://api.test/v10", nil),
      ("sid=abc", "https://api.test/", nil),
      ("sid=abc; Path=/", "https://api.test/", "sid=abc"),
      ("sid=abc; Path=/v1/", "https://api.test/v1/me", "sid=abc"),
      ("sid=abc; path=/v2", "https://api.test/v1/me", nil),
      ("sid=abc; Path=nonsense", "https://api.test/v1/me", "sid=abc"),
      ("sid=abc; Path=/", "https://other.test/", nil),
      ("sid=abc; Path=/", "https://sub.api.test/", nil),
      ("sid=abc; Path=/; Domain=api.test", "https://sub.api.test/", "sid=abc"),
      ("sid=abc; Path=/; Domain=.API.test", "https://sub.api.test/", "sid=abc"),
      ("sid=abc; Path=/; Domain=evil.test", "https://evil.test/", nil),
      ("sid=abc; Path=/; Domain=test", "https://api.test/", nil),
      ("sid=abc; Path=/; Domain=pi.test", "https://api.test/", nil),
    ] as [(String, String, String?)])
  func scope(line: String, to: String, sent: String?) throws {
    #expect(try header(line, to: to) == sent)
  }

  @Test("keeps a Domain that is an address to that very address")
  func addresses() throws {
    #expect(try header("a=1; Path=/; Domain=0.0.1", from: "http://127.0.0.1/", to: "http://127.0.0.1/") == nil)
    #expect(try header("a=1; Path=/; Domain=127.0.0.1", from: "http://127.0.0.1/", to: "http://127.0.0.1/") == "a=1")
  }

  @Test(
    "keeps what is secure off plain text, but for loopback",
    arguments: [
      ("https://api.test/", "http://api.test/", nil), ("https://api.test/", "https://api.test/", "a=1"),
      ("http://api.test/", "https://api.test/", nil), ("http://127.0.0.1/", "http://127.0.0.1/", "a=1"),
    ] as [(String, String, String?)])
  func secure(from: String, to: String, sent: String?) throws {
    #expect(try header("a=1; Secure; Path=/", from: from, to: to) == sent)
  }

  @Test(
    "lets cookies expire; `Max-Age` goes before `Expires`",
    arguments: [
      ("a=1; Max-Age=60", 59, "a=1"), ("a=1; Max-Age=60", 60, nil), ("a=1; Max-Age=0", 0, nil), ("a=1; Max-Age=-5", 0, nil),
      ("a=1; Max-Age=soon", 1000, "a=1"), ("a=1; Max-Age=99999999999999999999", 1000, "a=1"),
      ("a=1; Expires=Thu, 21 Nov 2024 01:01:00 GMT", 59, "a=1"), ("a=1; Expires=Thu, 21 Nov 2024 01:01:00 GMT", 60, nil),
      ("a=1; Expires=Thursday, 21-Nov-24 01:01:00 GMT", 60, nil), ("a=1; Expires=Thu Nov 21 01:01:00 2024", 59, "a=1"),
      ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 0, nil), ("a=1; Expires=never", 1000, "a=1"),
      ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60", 0, "a=1"),
      ("a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 0, "a=1"),
    ] as [(String, Int64, String?)])
  func expiry(line: String, later: Int64, sent: String?) throws {
    #expect(try header(line, later: later) == sent)
  }

  @Test(
    "does not take what is no cookie, or claims more than it keeps",
    arguments: [
      "", "novalue", "=nameless", "a=b\u{0}c", "__Host-a=1; Path=/", "__Host-a=1; Secure; Path=/x",
      "__Host-a=1; Secure; Path=/; Domain=api.test",
      "__Secure-a=1",
    ])
  func refused(line: String) throws {
    #expect(try header(line, to: "https://api.test/x") == nil)
  }

  @Test("replaces, adds and drops, and sends longer paths first")
  func order() throws {
    let address = try WebAddress("https://api.test/v1/login")
    var jar = CookieJar()
    jar.keep(["a=1; Path=/", "b=2; Path=/v1", "c=3; Path=/", "d=\"x y\"; Path=/; HttpOnly; SameSite=Lax"], from: address, at: Self.now)
    #expect(jar.header(for: address, at: Self.now) == "b=2; a=1; c=3; d=\"x y\"")
    jar.keep(["a=9; Path=/", "c=; Path=/; Max-Age=0"], from: address, at: Self.now)
    #expect(jar.header(for: address, at: Self.now) == "b=2; a=9; d=\"x y\"")
    #expect(jar.cookies.count == 3)
  }

  @Test("lets plain text not replace a secure cookie")
  func overwritten() throws {
    var jar = CookieJar()
    jar.keep(["a=1; Secure; Path=/"], from: try WebAddress("https://api.test/"), at: Self.now)
    jar.keep(["a=evil; Path=/"], from: try WebAddress("http://api.test/"), at: Self.now)
    #expect(jar.header(for: try WebAddress("https://api.test/"), at: Self.now) == "a=1")
  }

  @Test("holds no more than it should")
  func flood() throws {
    var jar = CookieJar()
    jar.keep((0..<1000).map { "c\($0)=1" }, from: try WebAddress("https://api.test/"), at: Self.now)
    #expect(jar.cookies.count == CookieJar.mostCookies)
    #expect(jar.cookies.last?.name == "c999")
  }
}
