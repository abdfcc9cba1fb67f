import HTTPTypes
import SandboxKit
import Testing
import Values

/// Which requests a fault hits, and what it does to them; `SandboxServerTests` has what a client sees.
@Suite struct FaultTests {
  private func statuses(_ count: Int, faults: [Value]) throws -> [Int] {
    let sandbox = try Sandbox.library()
    for fault in faults { try sandbox.add(fault) }
    return (0..<count).map { _ in sandbox.addBook().reply.status }
  }

  @Test(
    arguments: [
      ([["route": "POST /books", "status": 503]], [503, 503, 503, 503]),
      ([["route": "POST /books", "status": 503, "times": 1]], [503, 201, 201, 201]),
      ([["route": "POST /books", "status": 503, "after": 1, "times": 2]], [201, 503, 503, 201]),
      ([["route": "library POST /books", "status": 503, "times": 1]], [503, 201, 201, 201]),
      ([["route": "annex POST /books", "status": 503]], [201, 201, 201, 201]),
      ([["route": "GET /books", "status": 503]], [201, 201, 201, 201]),
      (
        [["route": "POST /books", "status": 503, "times": 1], ["route": "POST /books", "status": 429, "times": 2]],
        [503, 429, 429, 201]
      ),
    ] as [([Value], [Int])])
  func aFaultHitsItsRequests(faults: [Value], statuses expected: [Int]) throws {
    #expect(try statuses(4, faults: faults) == expected)
  }

  /// `/health` is no system's, and goes down like the others.
  @Test func healthHasFaultsToo() throws {
    let sandbox = try Sandbox.library()
    #expect(sandbox.has(try RoutePattern("GET /health")))
    try sandbox.add(["route": "GET /health", "status": 503, "times": 1])
    try sandbox.add(["route": "GET /health", "drop": "before_response", "after": 2])
    let outcomes = (0..<3).map { _ in sandbox.answer(SandboxRequest(.get, "/health")) }
    #expect(outcomes.map(\.reply.status) == [503, 200, 200])
    #expect(outcomes.map(\.ending) == [.whole, .whole, .beforeResponse])
  }

  @Test func whatEachFaultHasDoneIsKnown() throws {
    let sandbox = try Sandbox.library()
    try sandbox.add(["route": "POST /books", "status": 503, "after": 1, "times": 1])
    try sandbox.add(["route": "POST /books", "delay": "1s", "after": 5])
    try sandbox.add(["route": "GET /books/{id}", "status": 503])
    for _ in 0..<3 { _ = sandbox.addBook() }
    #expect(sandbox.faultUses.map(\.matched) == [3, 3, 0])
    #expect(sandbox.faultUses.map(\.happened) == [1, 0, 0])
  }

  @Test func aStatusKeepsTheRequestFromTheSystem() throws {
    let sandbox = try Sandbox.library()
    try sandbox.add(["route": "POST /books", "status": 429, "headers": ["retry-after": 3], "body": ["error": "slow down"]])
    let reply = sandbox.addBook().reply
    #expect(reply.headers[.retryAfter] == "3")
    #expect(reply.headers[.contentType] == "application/json")
    #expect(reply.json == ["error": "slow down"])
    #expect(sandbox.overview["library"] == ["books": []])
    #expect(sandbox.requests[0].faults == ["status 429"])
    #expect(sandbox.requests[0].route == "/books")
  }

  @Test(arguments: ["before_response", "mid_body", "reset"])
  func aLostAnswerLeavesItsEffect(drop: String) throws {
    let sandbox = try Sandbox.library()
    try sandbox.add(["route": "POST /books", "drop": .string(drop)])
    let outcome = sandbox.addBook()
    #expect(outcome.ending != .whole)
    #expect(sandbox.overview["library"] == ["books": ["Emma"]])
    #expect(sandbox.requests[0].status == 201)
  }

  @Test func aBodyThatCannotBeCutIsLostAsAWhole() throws {
    let sandbox = try Sandbox.library()
    try sandbox.add(["route": "DELETE /books/{id}", "drop": "mid_body"])
    #expect(sandbox.answer(SandboxRequest(.delete, "/library/books/1")).ending == .beforeResponse)
  }

  @Test func faultsOfSeveralKindsGoTogether() throws {
    let sandbox = try Sandbox.library()
    try sandbox.add(["route": "POST /books", "delay": "1500ms"])
    try sandbox.add(["route": "POST /books", "status": 500, "body": "out of order"])
    try sandbox.add(["route": "POST /books", "truncate": true])
    try sandbox.add(["route": "POST /books", "bytes_per_second": 5])
    let outcome = sandbox.addBook()
    #expect(outcome.delay == .milliseconds(1500))
    #expect(outcome.bytesPerSecond == 5)
    #expect(outcome.reply.body == Array("out of".utf8))
    #expect(sandbox.requests[0].faults == ["delay 1.5 seconds", "status 500", "truncate", "bytes_per_second 5"])
  }

  @Test func aFaultMayAskForMore() throws {
    let sandbox = try Sandbox.library()
    sandbox.add(
      Fault(route: try RoutePattern("POST /books"), times: 1, kind: .status(409, headers: [:], body: [])) { $0.json?["title"] == "Emma" })
    #expect(sandbox.addBook("Persuasion").reply.status == 201)
    #expect(sandbox.addBook("Emma").reply.status == 409)
    #expect(sandbox.addBook("Emma").reply.status == 201)
  }

  @Test func aStatusThatHasNoBodyGetsNone() throws {
    let sandbox = try Sandbox.library()
    try sandbox.add(["route": "POST /books", "status": 204, "body": "x"])
    #expect(sandbox.addBook().reply.body.isEmpty)
  }

  @Test func faultsAreTakenAway() throws {
    let sandbox = try Sandbox.library()
    try sandbox.add(["route": "POST /books", "status": 503])
    sandbox.removeFaults()
    #expect(sandbox.addBook().reply.status == 201)
  }

  @Test(
    arguments: [
      ([:], "`fault`: `route` is missing"),
      (["route": "books", "status": 1], "`books` is no route; write `METHOD /path/{name}`, with the system's name before it if need be"),
      (
        ["route": "GET /a", "statsu": 503],
        "`fault`: unknown key `statsu`; known are `route`, `after`, `times`, `status`, `headers`, `body`, `delay`, `drop`, `bytes_per_second`, `truncate`"
      ),
      (
        ["route": "GET /a", "status": 503, "delay": "1s"],
        "`fault`: a fault is exactly one of `status`, `delay`, `drop`, `bytes_per_second` and `truncate`; this has 2 of them"
      ),
      (["route": "GET /a", "status": 42], "`fault.status`: expected 200 to 599, got 42"),
      (["route": "GET /a", "drop": "after"], "`fault.drop`: `after` is none of `before_response`, `mid_body`, `reset`"),
      (["route": "GET /a", "delay": "soon"], "`fault.delay`: expected a duration such as `30s`, got string"),
      (["route": "GET /a", "delay": "1s", "body": "x"], "`fault`: `headers` and `body` belong to `status`"),
      (["route": "GET /a", "status": 503, "times": 0], "`fault`: `after` is at least 0 and `times` at least 1"),
      (["route": "GET /a", "bytes_per_second": 0], "`fault.bytes_per_second`: expected at least 1, got 0"),
      (["route": "GET /a", "status": 503, "headers": ["a b": "c"]], "`a b` is no header's name"),
    ] as [(Value, String)])
  func aFaultThatIsNoneIsRefused(fault: Value, message: String) {
    let error = #expect(throws: SandboxError.self) { try Fault(fault) }
    #expect(error?.description.hasSuffix(message) == true, "\(error?.description ?? "")")
  }
}
