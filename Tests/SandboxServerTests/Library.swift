import HTTPTypes
import SandboxKit
import Values

/// A small system for these tests: books that can be added and read.
struct Library: SandboxSystem {
  struct State: Sendable {
    var books: [Int64: String] = [:]
    var isClosed = false
  }

  var name = "library"

  var routes: [SandboxRoute<State>] {
    [
      SandboxRoute(.get, "/books/{id}") { call, state, _ throws(SandboxReply) in
        guard let title = Int64(call["id"]).flatMap({ state.books[$0] }) else { throw .json(["error": "no such book"], status: 404) }
        return .json(["title": .string(title)])
      },
      SandboxRoute(.post, "/books") { call, state, world throws(SandboxReply) in
        if state.isClosed { throw .json(["error": "closed"], status: 503) }
        let id = world.nextID(of: "book")
        state.books[id] = call.request.json?["title"]?.stringValue ?? ""
        world.send(to: "12345678888", text: "Shelf code \(world.digits(6))", code: nil)
        return .json(["id": .int(id), "key": .string(world.secret(length: 8))], status: 201)
      },
      SandboxRoute(.delete, "/books/{id}") { call, state, _ in
        state.books[Int64(call["id"]) ?? 0] = nil
        return SandboxReply(status: 204)
      },
      SandboxRoute(.get, "/echo/{text}") { call, _, _ in .text("\(call["text"])|\(call.request.query("q") ?? "-")") },
    ]
  }

  func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    var given = given
    var state = State()
    for title in try given.texts("books") ?? [] { state.books[world.nextID(of: "book")] = title }
    try given.finish()
    return state
  }

  func change(_ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld) throws(SandboxError) {
    guard verb == "close" || verb == "expire" else { throw SandboxError("unknown change `\(verb)`") }
    state.isClosed = true
  }

  func overview(_ state: State) -> Value {
    ["books": .list(state.books.sorted { $0.key < $1.key }.map { .string($0.value) })]
  }

  func pathUnknown(_ request: SandboxRequest) -> SandboxReply { .json(["error": "no such page"], status: 404) }
  func methodRefused(_ request: SandboxRequest) -> SandboxReply { .json(["error": "not that way"], status: 405) }
}

extension Sandbox {
  /// A sandbox with two libraries, whose clock stands.
  static func library(given: Value = [:], sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }) throws -> Sandbox {
    try Sandbox(
      systems: [Library(), Library(name: "annex")], given: given,
      clock: SandboxClock(now: { Timestamp(seconds: 1_732_150_800) }, sleep: sleep))
  }

  func add(_ fault: Value) throws { add(try Fault(fault)) }

  func get(_ path: String) -> SandboxReply { answer(SandboxRequest(.get, target: path)).reply }

  @discardableResult
  func addBook(_ title: String = "Emma") -> SandboxOutcome { answer(.json(.post, "/library/books", ["title": .string(title)])) }
}
