import HTTPTypes
import SandboxKit
import Synchronization
import Testing
import Values

/// WebSockets of a sandbox, without a server.
@Suite struct SocketTests {
  private func chat(now: @escaping @Sendable () -> Timestamp = { Timestamp(seconds: 1_732_150_800) }) throws -> Sandbox {
    try Sandbox(systems: [Chat()], clock: SandboxClock(now: now, sleep: { _ in try await Task.sleep(for: .seconds(3600)) }))
  }

  @Test func aSocketHearsWhatHandlersPush() throws {
    let sandbox = try chat()
    let (first, second) = (Listener(sandbox), Listener(sandbox))
    #expect(first.news() == [.text("welcome to hall")])
    first.socket?.receive("hi")
    _ = sandbox.answer(.json(.post, "/chat/v1/messages", ["text": "posted"]))
    #expect(first.news() == [.text("1: hi"), .text("posted")])
    #expect(second.news() == [.text("welcome to hall"), .text("1: hi"), .text("posted")])
    #expect(sandbox.openSockets.map(\.number) == [1, 2])
  }

  @Test func aSocketIsClosedOnce() throws {
    let sandbox = try chat()
    let (first, second) = (Listener(sandbox), Listener(sandbox))
    first.socket?.receive("leave")
    #expect(first.news() == [.text("welcome to hall"), .close(code: 4000, reason: "bye")])
    first.socket?.receive("still here?")
    first.socket?.end()
    second.socket?.end()
    #expect(second.news() == [.text("welcome to hall"), .text("1 has left")])
    #expect(sandbox.overview["chat"] == ["open": 0, "closed": 2])
    #expect(sandbox.openSockets == [])
  }

  @Test func aRefusalIsAnAnswer() throws {
    let sandbox = try chat()
    let refused = Listener(sandbox, token: "bad")
    #expect(refused.refusal?.reply.status == 401)
    #expect(Listener(sandbox, path: "/chat/live/hall").refusal?.reply.status == 404)
    #expect(Listener(sandbox, path: "/chat/v1/messages").refusal?.reply.status == 405)
    #expect(Listener(sandbox, path: "/none/live/hall").refusal?.reply.status == 404)
    #expect(sandbox.overview["chat"] == ["open": 0, "closed": 0])
    _ = Listener(sandbox)
    #expect(
      sandbox.requests.map { "\($0.method) \($0.path) \($0.route ?? "-") \($0.status)" }.first == "GET /v1/live/hall /live/{room} 401")
    #expect(try sandbox.requests(matching: "chat GET /v1/live/{room}").map(\.status) == [401, 101])
  }

  @Test func aRequestForASocketIsToldToUpgrade() throws {
    let sandbox = try chat()
    let reply = sandbox.answer(SandboxRequest(.get, "/chat/v1/live/hall")).reply
    #expect(reply.status == 426)
    #expect(reply.headers[.upgrade] == "websocket")
    let post = sandbox.answer(SandboxRequest(.post, "/chat/v1/live/hall")).reply
    #expect(post.status == 405)
    #expect(post.headers[.allow] == "GET")
  }

  @Test func timeBringsWhatIsDue() throws {
    let now = Mutex<Int64>(1_732_150_800)
    let sandbox = try chat { Timestamp(seconds: now.withLock { $0 }) }
    let listener = Listener(sandbox)
    _ = listener.news()
    now.withLock { $0 += 29 }
    listener.socket?.tick()
    #expect(listener.news() == [])
    now.withLock { $0 += 1 }
    listener.socket?.tick()
    listener.socket?.tick()
    #expect(listener.news() == [.text(#"{"type":"ping"}"#)])
  }

  /// The socket itself waits for the moments that its system names, on the sandbox's clock.
  @Test func aSocketKeepsItsTimes() async throws {
    let now = Mutex<Int64>(1_732_150_800)
    let waited = Mutex<[Duration]>([])
    let sandbox = try Sandbox(
      systems: [Chat()],
      clock: SandboxClock(now: { Timestamp(seconds: now.withLock { $0 }) }) { duration in
        if waited.withLock({
          $0.append(duration); return $0.count
        }) > 3 {
          try await Task.sleep(for: .seconds(3600))
        }
        now.withLock { $0 += duration.components.seconds }
      })
    let listener = Listener(sandbox)
    while waited.withLock(\.count) < 4 { await Task.yield() }
    #expect(listener.news() == [.text("welcome to hall")] + Array(repeating: .text(#"{"type":"ping"}"#), count: 3))
    #expect(waited.withLock(\.self) == Array(repeating: .seconds(30), count: 4))
    listener.socket?.end()
  }

  @Test func faultsHitTheUpgrade() throws {
    let sandbox = try chat()
    func opening(_ fault: Value) throws -> Listener {
      sandbox.removeFaults()
      try sandbox.add(fault)
      return Listener(sandbox)
    }
    #expect(sandbox.has(try RoutePattern("GET /live/{room}")))
    #expect(try opening(["route": "GET /v1/live/{room}", "status": 503]).refusal?.reply.status == 503)
    #expect(try opening(["route": "GET /v1/live/{room}", "drop": "before_response"]).refusal?.ending == .beforeResponse)
    #expect(try opening(["route": "GET /v1/live/{room}", "drop": "reset"]).refusal?.ending == .reset)
    #expect(try opening(["route": "GET /v1/live/{room}", "truncate": true]).refusal?.reply.status == 501)
    #expect(try opening(["route": "GET /v1/live/{room}", "bytes_per_second": 5]).refusal?.reply.status == 501)
    // Those whose answer was lost stood open for a moment.
    #expect(sandbox.overview["chat"] == ["open": 0, "closed": 2])
    let broken = try opening(["route": "GET /v1/live/{room}", "drop": "mid_body"])
    #expect(broken.news() == [.broken])
    #expect(sandbox.overview["chat"] == ["open": 0, "closed": 3])
  }

  @Test func aChangeReachesSockets() throws {
    let sandbox = try chat()
    let listener = Listener(sandbox)
    try sandbox.change("chat", "revoke", "all")
    #expect(listener.news() == [.text("welcome to hall"), .close(code: 1001, reason: "revoke")])
  }

  @Test func aResetEndsEverySocket() throws {
    let sandbox = try chat()
    let old = Listener(sandbox)
    sandbox.reset()
    #expect(old.news() == [.text("welcome to hall"), .close(code: 1012, reason: "the sandbox begins anew")])
    let new = Listener(sandbox)
    _ = new.news()
    old.socket?.receive("hello?")
    #expect(new.news() == [])
    #expect(new.socket?.id.number == 2)
  }
}
