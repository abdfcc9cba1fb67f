import HTTPTypes
import SandboxKit
import Testing
import Values

/// The pages under `/_sandbox`.
@Suite struct AdminTests {
  @Test func theLogIsJSON() throws {
    let sandbox = try Sandbox.library()
    sandbox.addBook()
    _ = sandbox.get("/library/books/1")
    let expected: Value = [
      "number": 2, "system": "library", "method": "GET", "path": "/books/1", "route": "/books/{id}", "status": 200,
      "request_bytes": 0, "response_bytes": 16, "at": "2024-11-21T01:00:00Z", "faults": [],
    ]
    #expect(sandbox.get("/_sandbox/requests").json?.listValue?.last == expected)
    #expect(sandbox.get("/_sandbox/requests?route=GET%20/books/%7Bid%7D").json == .list([expected]))
    #expect(sandbox.get("/_sandbox/requests?route=nonsense").status == 400)
  }

  @Test func messagesAreReadNewestLast() throws {
    let sandbox = try Sandbox.library()
    sandbox.addBook()
    sandbox.addBook()
    let all = sandbox.get("/_sandbox/sms?to=%2B12345678888").json?.listValue ?? []
    #expect(all.map { $0["text"]?.stringValue } == sandbox.sms().map(\.text))
    #expect(all.first?["to"] == "12345678888")
    #expect(sandbox.get("/_sandbox/sms?to=15550000000").json == [])
  }

  @Test func aFaultIsSet() throws {
    let sandbox = try Sandbox.library()
    let fault: Value = ["route": "GET /books/{id}", "status": 503, "times": 1]
    #expect(sandbox.answer(.json(.post, "/_sandbox/faults", fault)).reply.status == 204)
    #expect(sandbox.get("/library/books/1").status == 503)
    let refused = sandbox.answer(.json(.post, "/_sandbox/faults", ["route": "GET /books/{id}"])).reply
    #expect(refused.status == 400)
    #expect(refused.json?["error"]?.stringValue?.contains("exactly one of") == true)
    let misspelt = sandbox.answer(.json(.post, "/_sandbox/faults", ["route": "GET /boks", "status": 503])).reply
    #expect(misspelt.json == ["error": "`fault.route`: no system has the route `GET /boks`"])
    #expect(sandbox.answer(SandboxRequest(.post, "/_sandbox/faults", body: [0x7B])).reply.status == 400)
  }

  @Test func tokensOfOneSystemOrOfAllAreChanged() throws {
    let sandbox = try Sandbox.library()
    let one = SandboxRequest.json(.post, "/_sandbox/tokens/expire", ["system": "annex"])
    #expect(sandbox.answer(one).reply.status == 204)
    #expect(sandbox.addBook().reply.status == 201)
    #expect(sandbox.answer(SandboxRequest(.post, "/_sandbox/tokens/expire")).reply.status == 204)
    #expect(sandbox.addBook().reply.status == 503)
    #expect(sandbox.answer(SandboxRequest(.post, "/_sandbox/tokens/revoke")).reply.status == 400)
  }

  @Test func theWorldIsChanged() throws {
    let sandbox = try Sandbox.library()
    #expect(sandbox.answer(.json(.post, "/_sandbox/change", ["library": ["close": true]])).reply.status == 204)
    #expect(sandbox.addBook().reply.status == 503)
    let misspelt = sandbox.answer(.json(.post, "/_sandbox/change", ["libary": [:]])).reply
    #expect(misspelt.status == 400)
    #expect(misspelt.json?["error"]?.stringValue?.hasPrefix("unknown system `libary`") == true)
    let refused = sandbox.answer(.json(.post, "/_sandbox/change", ["library": ["burn": true]])).reply
    #expect(refused.status == 400)
    #expect(refused.json == ["error": "unknown change `burn`"])
  }

  @Test(arguments: ["library.json", "bakery.json", "library"])
  func aSystemWithoutADescriptionHasNoDocument(file: String) throws {
    #expect(try Sandbox.library().get("/_sandbox/openapi/\(file)").status == 404)
  }

  @Test func theRestOfThePages() throws {
    let sandbox = try Sandbox.library()
    sandbox.addBook()
    #expect(sandbox.get("/_sandbox").json?["systems"] == ["library", "annex"])
    #expect(sandbox.get("/_sandbox/state").json == ["library": ["books": ["Emma"]], "annex": ["books": []]])
    #expect(sandbox.get("/_sandbox/reset").status == 404)
    #expect(sandbox.answer(SandboxRequest(.post, "/_sandbox/reset")).reply.status == 204)
    #expect(sandbox.requests.isEmpty)
  }
}

extension AdminTests {
  @Test func aBrowserGetsAPageWithoutScripts() throws {
    let sandbox = try Sandbox.library()
    sandbox.addBook()
    _ = sandbox.get("/library/<script>alert(1)</script>")
    let page = sandbox.answer(SandboxRequest(.get, "/_sandbox", headers: [.accept: "text/html,application/xhtml+xml"])).reply
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(page.headers[.contentType] == "text/html; charset=utf-8")
    #expect(page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
    #expect(!text.contains("<script"))
    #expect(text.contains("&lt;script&gt;") && text.contains("<b>POST</b> /books"))
    #expect(sandbox.get("/_sandbox").json?["systems"] == ["library", "annex"])
  }

  @Test func requestsAreCountedByRouteAndStatus() throws {
    let sandbox = try Sandbox.library()
    sandbox.addBook()
    _ = sandbox.get("/library/books/1")
    _ = sandbox.get("/library/books/1")
    _ = sandbox.get("/library/books/9")
    let counts = sandbox.get("/_sandbox/counts").json
    #expect(counts?["library GET /books/{id}"]?["200"] == 2)
    #expect(counts?["library GET /books/{id}"]?["404"] == 1)
  }

  @Test func theOutboxIsReadByChannel() throws {
    let sandbox = try Sandbox.library()
    sandbox.addBook()
    #expect(sandbox.get("/_sandbox/outbox?channel=sms").json?.listValue?.count == 1)
    #expect(sandbox.get("/_sandbox/outbox?channel=mail").json == [])
    #expect(sandbox.get("/_sandbox/outbox?channel=pigeon").status == 400)
  }

  @Test func aClockOfItsOwnIsMovedAheadAndNeverBack() throws {
    let start = Timestamp(seconds: 1_732_150_800)
    let sandbox = try Sandbox(systems: [], clock: .adjustable(SandboxClock(now: { start })))
    #expect(sandbox.answer(.json(.post, "/_sandbox/clock", ["advance": "2h"])).reply.json == ["now": "2024-11-21T03:00:00Z"])
    #expect(sandbox.get("/_sandbox/clock").json == ["now": "2024-11-21T03:00:00Z"])
    #expect(sandbox.answer(.json(.post, "/_sandbox/clock", ["advance": "-1h"])).reply.status == 400)
    let led = try Sandbox(systems: [], clock: SandboxClock(now: { start }))
    #expect(led.answer(.json(.post, "/_sandbox/clock", ["advance": "2h"])).reply.status == 400)
  }
}
