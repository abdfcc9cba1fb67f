import HTTPTransport
import HTTPTypes
import StepKit
import TestKit
import Testing

/// What libcurl never gets to see.
@Suite struct RequestRuleTests {
  @Test(arguments: [
    ("http://127.0.0.1/\r\nX-Evil: 1", "the URL contains a space or a control character"),
    ("http://127.0.0.1/a b", "the URL contains a space or a control character"),
    ("http://127.0.0.1/\0", "the URL contains a space or a control character"),
    ("http://me:secret@127.0.0.1/", "the URL carries a user name; leave it out and authenticate with a header"),
    ("http://api.test@127.0.0.1/", "the URL carries a user name; leave it out and authenticate with a header"),
    ("file:///etc/passwd", "the scheme `file` is not supported; use `http` or `https`"),
    ("ftp://127.0.0.1/", "the scheme `ftp` is not supported; use `http` or `https`"),
    ("127.0.0.1/x", "the URL is not an absolute `http` or `https` URL"),
    ("/x", "the URL is not an absolute `http` or `https` URL"),
    ("", "the URL is not an absolute `http` or `https` URL"),
    ("http://", "the URL is not an absolute `http` or `https` URL"),
    ("http://127.0.0.1:99999/", "the URL is not an absolute `http` or `https` URL"),
  ])
  func aURLThatIsRefused(_ url: String, _ message: String) async throws {
    #expect(try await failure(of: get(url)) == TransportFailure(.invalidRequest, sent: .no, message: message))
  }

  @Test func framingBelongsToTheTransport() async throws {
    let wrong = try await failure(of: post("http://127.0.0.1/", "four", .single) { $0.headers[.contentLength] = "5" })
    #expect(wrong.message == "the header `Content-Length` says 5 and the body has 4 bytes; leave the header out")
    let chunked = try await failure(of: post("http://127.0.0.1/", "four", .single) { $0.headers[.transferEncoding] = "chunked" })
    #expect(chunked.message == "the header `Transfer-Encoding` cannot be set; leave it out")
    #expect(wrong.reason == .invalidRequest && chunked.reason == .invalidRequest)
  }

  @Test func methodsThatAreRefused() async throws {
    let connect = try await failure(of: TransportRequest(method: .connect, url: "http://127.0.0.1/", delivery: .single))
    #expect(connect.message == "the method `CONNECT` is not supported")
    let head = try await failure(of: TransportRequest(method: .head, url: "http://127.0.0.1/", body: [1], delivery: .single))
    #expect(head.message == "a `HEAD` request cannot carry a body")
  }

  @Test func headersGoOutAsTheyAre() async throws {
    let server = try RawServer.answering { _ in ok() }
    let request = post(server.origin, "four", .single) { request in
      request.headers[.contentLength] = "4"
      request.headers[.contentType] = "application/json"
      request.headers[.accept] = "a/b"
      if let name = HTTPField.Name("X-Empty") { request.headers[name] = "" }
      if let name = HTTPField.Name("X-Twice") { request.headers[values: name] = ["1", "ü"] }
      // The field type makes a space of every CR, LF and NUL.
      if let name = HTTPField.Name("X-Split") { request.headers[name] = "a\r\nX-Evil: 1\0" }
    }
    _ = try await CurlTransport().perform(request)
    let received = try #require(server.received.first)
    #expect(received.values(of: "X-Empty") == [""])
    #expect(received.values(of: "X-Twice") == ["1", "ü"])
    #expect(received.values(of: "X-Evil") == [])
    #expect(received.values(of: "Content-Length") == ["4"])
    #expect(received.values(of: "Content-Type") == ["application/json"])
    #expect(received.values(of: "Accept") == ["a/b"])
  }

  @Test func theWholeRequestByDefault() async throws {
    let server = try RawServer.answering { _ in ok() }
    _ = try await CurlTransport().perform(get("\(server.origin)/a/../b?q=%20#part"))
    let lines = try #require(server.received.first).lines
    #expect(
      lines.map { $0.hasPrefix("Accept-Encoding") ? "Accept-Encoding" : $0 } == [
        "GET /b?q=%20 HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Accept: */*", "Accept-Encoding",
      ])
  }

  @Test func headHasNoBody() async throws {
    let server = try RawServer.answering { _ in "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" }
    let reply = try await CurlTransport().perform(TransportRequest(method: .head, url: server.origin, delivery: .repeatable))
    #expect(reply.status == 200)
    #expect(reply.headers[.contentLength] == "100")
    #expect(reply.body.isEmpty)
  }
}
