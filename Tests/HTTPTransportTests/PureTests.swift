import HTTPTransport
import HTTPTypes
import StepKit
import Testing

@Suite struct CurlVerdictTests {
  /// A code that a newer header brings must be thought about.
  @Test func everyCodeHasAVerdict() {
    let missing = (1..<CurlVerdict.codeCount).filter { CurlVerdict.of($0) == nil }
    #expect(missing == [])
    #expect(CurlVerdict.codeCount >= 100)
    #expect(CurlVerdict.of(0) == nil)
    #expect(CurlVerdict.of(-1) == nil)
  }

  @Test(arguments: [(6, TransportFailure.Reason.dns), (7, .connect), (35, .tlsHandshake), (60, .tlsCertificate)])
  func nothingHasLeftBefore(_ code: Int, _ reason: TransportFailure.Reason) {
    #expect(CurlVerdict.of(code)?.reason == reason)
    #expect(CurlVerdict.of(code)?.sent == .no)
  }

  @Test(arguments: [(8, TransportFailure.Reason.malformed), (18, .reset), (52, .reset), (61, .malformed)])
  func somethingHasLeftBefore(_ code: Int, _ reason: TransportFailure.Reason) {
    #expect(CurlVerdict.of(code)?.reason == reason)
    #expect(CurlVerdict.of(code)?.sent == .maybe)
  }

  @Test func noCodeClaimsAWholeAnswer() {
    #expect(!(1..<CurlVerdict.codeCount).contains { CurlVerdict.of($0)?.sent == .yes })
  }
}

@Suite struct PeerAddressTests {
  @Test(arguments: ["169.254.169.254", "fe80::1", "[fe80::1]", "febf::1", "::ffff:169.254.0.1", "fe80::1%eth0"])
  func linkLocal(_ text: String) { #expect(PeerAddress(text).isLinkLocal) }

  @Test(arguments: ["127.0.0.1", "169.253.0.1", "fec0::1", "10.0.0.1", "169.254.169.254.nip.test", ""])
  func notLinkLocal(_ text: String) { #expect(!PeerAddress(text).isLinkLocal) }

  @Test(arguments: ["127.0.0.1", "127.255.0.1", "::1", "[::1]", "::ffff:127.0.0.1"])
  func loopback(_ text: String) { #expect(PeerAddress(text).isLoopback) }

  @Test(arguments: ["128.0.0.1", "::2", "::", "localhost.test", "127.0.0.1.test"])
  func notLoopback(_ text: String) { #expect(!PeerAddress(text).isLoopback) }
}

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

@Suite struct ResponseHeadTests {
  /// Feeds lines and returns the fields, or the fault of the first bad one.
  private func read(_ lines: String...) -> Result<[String], ResponseHeadFault> {
    var head = ResponseHead()
    for line in lines {
      if let fault = head.take(Array((line + "\r\n").utf8).span) { return .failure(.init(fault: fault)) }
    }
    return .success(head.fields().map { "\($0.name.rawName)=\($0.value)" })
  }

  struct ResponseHeadFault: Error, Hashable { let fault: ResponseHead.Fault }

  @Test func fields() {
    #expect(read("HTTP/1.1 200 OK", "A: 1", "b:2 ", "A:", "") == .success(["A=1", "b=2", "A="]))
    #expect(read("HTTP/2 200", "A: x: y", "") == .success(["A=x: y"]))
  }

  @Test func onlyTheLastAnswerCounts() {
    #expect(read("HTTP/1.1 100 Continue", "A: 1", "", "HTTP/1.1 200 OK", "B: 2", "", "C: 3") == .success(["B=2"]))
  }

  @Test func theLengthsOfTwoAnswersDoNotConflict() {
    let lines = read("HTTP/1.1 103 Hints", "Content-Length: 1", "", "HTTP/1.1 200 OK", "Content-Length: 2", "")
    #expect(lines == .success(["Content-Length=2"]))
  }

  @Test func theSameLengthTwiceIsNoConflict() {
    #expect(read("HTTP/1.1 200 OK", "Content-Length: 2", "content-length: 2, 2", "") != .failure(.init(fault: .malformed(""))))
  }

  @Test func aLineThatIsNoFieldIsLeftOut() {
    #expect(read("HTTP/1.1 200 OK", "no colon", "B(d: 1", "C: 2", "") == .success(["C=2"]))
  }

  @Test func completeness() {
    var head = ResponseHead()
    for line in ["HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 200 OK\r\n"] { #expect(head.take(Array(line.utf8).span) == nil) }
    #expect(!head.isComplete)
    #expect(head.take(Array("\n".utf8).span) == nil)
    #expect(head.isComplete)
  }
}

@Suite struct CurlLibraryTests {
  @Test func anAbsentLibraryIsNamed() throws {
    let failure = try #require(CurlLibrary.load(named: "libnonesuch.so.4"))
    #expect(failure.hasPrefix("libcurl cannot be used (libnonesuch.so.4: "))
    #expect(failure.hasSuffix("; install `libcurl4`"))
  }

  @Test func anotherLibraryIsRefused() throws {
    let failure = try #require(CurlLibrary.load(named: "libc.so.6"))
    #expect(failure == "libcurl cannot be used (libc.so.6 has no function `curl_global_init`); install `libcurl4`")
  }
}
