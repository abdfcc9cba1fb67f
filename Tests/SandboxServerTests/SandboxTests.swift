import HTTPTypes
import SandboxKit
import Testing
import Values

@Suite struct SandboxTests {
  @Test func aSystemStandsUnderItsName() throws {
    let sandbox = try Sandbox.library()
    let added = sandbox.addBook()
    #expect(added.reply.status == 201)
    #expect(added.reply.headers[.contentType] == "application/json")
    #expect(sandbox.get("/library/books/1").json == ["title": "Emma"])
    #expect(sandbox.get("/annex/books/1").status == 404)
  }

  @Test func pathValuesAndQueriesAreDecoded() throws {
    #expect(try Sandbox.library().get("/library/echo/a%2Fb%20c?q=1%2B1+2").body == Array("a/b c|1+1 2".utf8))
  }

  @Test(arguments: [
    ("/library/nowhere", 404, #"{"error":"no such page"}"#), ("/library/books/", 404, #"{"error":"no such page"}"#),
    ("/library", 404, #"{"error":"no such page"}"#), ("/bakery/x", 404, #"{"error":"no system `bakery` here"}"#),
    ("/", 404, #"{"error":"no system `` here"}"#), ("/library/books", 405, #"{"error":"not that way"}"#),
    ("/health", 200, #"{"status":"up"}"#),
  ])
  func pathsThatNoRouteHas(path: String, status: Int, body: String) throws {
    let reply = try Sandbox.library().get(path)
    #expect(reply.status == status)
    #expect(String(decoding: reply.body, as: UTF8.self) == body)
  }

  @Test func aRefusedMethodNamesTheOthers() throws {
    let sandbox = try Sandbox.library()
    #expect(sandbox.answer(SandboxRequest(.put, "/library/books/1")).reply.headers[.allow] == "GET, DELETE")
  }

  @Test func theSameRequestsGetTheSameAnswers() throws {
    let bodies = try (0..<2).map { _ in
      let sandbox = try Sandbox.library()
      return (0..<3).map { _ in sandbox.addBook().reply.body }
    }
    #expect(bodies[0] == bodies[1])
    #expect(Set(bodies[0]).count == 3)
  }

  @Test func twoSandboxesShareNothing() throws {
    let (one, other) = (try Sandbox.library(), try Sandbox.library())
    try one.add(["route": "GET /books/{id}", "status": 500])
    one.addBook()
    #expect(other.requests.isEmpty)
    #expect(other.sms().isEmpty)
    #expect(other.get("/library/books/1").status == 404)
    #expect(other.addBook().reply.json?["id"] == 1)
  }

  // MARK: The log

  @Test func everyRequestIsLogged() throws {
    let sandbox = try Sandbox.library()
    sandbox.addBook()
    _ = sandbox.get("/library/books/1?page=2")
    _ = sandbox.get("/library/nowhere")
    _ = sandbox.get("/health")
    _ = sandbox.get("/_sandbox/requests")
    let log = sandbox.requests.map { "\($0.number) \($0.system) \($0.method) \($0.path) \($0.route ?? "-") \($0.status)" }
    #expect(
      log == [
        "1 library POST /books /books 201", "2 library GET /books/1 /books/{id} 200", "3 library GET /nowhere - 404",
      ])
    #expect(sandbox.requests[0].requestBytes == #"{"title":"Emma"}"#.utf8.count)
    #expect(sandbox.requests[1].responseBytes == #"{"title":"Emma"}"#.utf8.count)
  }

  @Test(arguments: [
    ("POST /books", 2), ("library POST /books", 2), ("annex POST /books", 0), ("GET /books/{id}", 2), ("GET /books/{any}", 2),
    ("GET /books/1", 1), ("annex GET /books/{id}", 1), ("GET /books", 0), ("DELETE /books/{id}", 0),
  ])
  func requestsAreCountedByRoute(route: String, count: Int) throws {
    let sandbox = try Sandbox.library()
    sandbox.addBook()
    sandbox.addBook()
    _ = sandbox.get("/library/books/1")
    _ = sandbox.get("/annex/books/2")
    #expect(try sandbox.requests(matching: route).count == count)
  }

  @Test(arguments: ["", "GET", "books", "GET books", "get /books", "a b GET /books"])
  func aTextThatIsNoRouteIsRefused(route: String) throws {
    #expect(throws: SandboxError.self) { try Sandbox.library().requests(matching: route) }
  }

  @Test(arguments: [
    ("POST /books", true), ("GET /books/{any}", true), ("GET /books/7", true), ("annex GET /books/{id}", true),
    ("bakery GET /books/{id}", false), ("GET /books", false), ("GET /boks/{id}", false), ("PUT /books/{id}", false),
  ])
  func aRouteIsKnownOrNot(route: String, isKnown: Bool) throws {
    #expect(try Sandbox.library().has(RoutePattern(route)) == isKnown)
  }

  // MARK: What is given

  @Test func aSystemStartsWithWhatIsGiven() throws {
    let sandbox = try Sandbox.library(given: ["library": ["books": ["Emma", "Persuasion"]]])
    #expect(sandbox.get("/library/books/2").json == ["title": "Persuasion"])
    #expect(sandbox.overview == ["library": ["books": ["Emma", "Persuasion"]], "annex": ["books": []]])
  }

  @Test(
    arguments: [
      (["bakery": [:]], "`given`: unknown key `bakery`; known are `library`, `annex`"),
      (["library": ["bokks": []]], "`given.library`: unknown key `bokks`; known are `prefix`, `books`"),
      (["library": ["books": "Emma"]], "`given.library.books`: expected a list, got string"),
      (["library": ["books": ["Emma", 1]]], "`given.library.books[1]`: expected a string, got int"),
      (["library": []], "`given.library`: expected a map, got list"),
    ] as [(Value, String)])
  func whatASystemDoesNotKnowIsRefused(given: Value, message: String) {
    let error = #expect(throws: SandboxError.self) { try Sandbox.library(given: given) }
    #expect(error?.description == message)
  }

  @Test func aResetGoesBackToWhatWasGiven() throws {
    let sandbox = try Sandbox.library(given: ["library": ["books": ["Emma"]]])
    try sandbox.add(["route": "GET /books/{id}", "status": 500])
    sandbox.addBook("Persuasion")
    sandbox.reset()
    #expect(sandbox.requests.isEmpty)
    #expect(sandbox.sms().isEmpty)
    #expect(sandbox.get("/library/books/1").json == ["title": "Emma"])
    #expect(sandbox.get("/library/books/2").status == 404)
    #expect(sandbox.requests.map(\.number) == [1, 2])
  }

  @Test func theWorldChangesInTheMiddle() throws {
    let sandbox = try Sandbox.library()
    try sandbox.change(["library": ["close": true]])
    #expect(sandbox.addBook().reply.status == 503)
    #expect(throws: SandboxError("unknown change `burn`")) { try sandbox.change("library", "burn", .null) }
    #expect(throws: SandboxError("unknown system `bakery`; known are `library`, `annex`")) {
      try sandbox.change("bakery", "close", .null)
    }
  }

  // MARK: SMS

  @Test(arguments: ["12345678888", "+12345678888", "(234) 567-8888", "+1 234-567-8888"])
  func aNumberIsTheSameHoweverItIsWritten(number: String) throws {
    let sandbox = try Sandbox.library()
    sandbox.addBook()
    sandbox.addBook()
    #expect(sandbox.sms(to: number) == sandbox.sms())
    #expect(sandbox.sms(to: number).count == 2)
    #expect(sandbox.sms(to: "12345678889").isEmpty)
  }
}
