import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Synchronization
import Testing
import Values

@Suite("SAMI's sockets in the sandbox")
struct SAMISandboxSocketTests {
  /// What came over a socket.
  private final class Inbox: Sendable {
    private let events = Mutex<[SandboxSocketEvent]>([])
    var all: [SandboxSocketEvent] { events.withLock { $0 } }
    func take(_ event: SandboxSocketEvent) { events.withLock { $0.append(event) } }
  }

  /// A socket of the sandbox, and what came over it.
  private final class Client: Sendable {
    private let inbox = Inbox()
    private let socket: SandboxSocket?
    let status: Int

    init(_ world: StepWorld, _ target: String, authorization: String? = nil) {
      var headers = HTTPFields()
      headers[.authorization] = authorization
      let inbox = inbox
      let opening = world.sandbox.open(SandboxRequest(.get, target: "/sami/v1.1\(target)", headers: headers)) { event in
        inbox.take(event)
      }
      switch opening {
      case .open(let socket, _):
        status = 101
        self.socket = socket
      case .refused(let outcome):
        status = outcome.reply.status
        socket = nil
      }
    }

    func send(_ text: String) { socket?.receive(text) }
    func tick() { socket?.tick() }
    func end() { socket?.end() }

    var texts: [String] {
      inbox.all.map { event in
        switch event {
        case .text(let text): text
        case .close(let code, let reason): "close \(code) \(reason)"
        case .broken: "broken"
        }
      }
    }
  }

  private func world() async throws -> StepWorld {
    let world = try StepWorld(
      "sami",
      given: #"{"devices": [{"id": "d-31", "token": "dtk-31"}, {"id": "d-40", "dtid": "dt-9", "token": "dtk-40"}]}"#)
    try await world.run("sami/authorize", "{}")
    return world
  }

  private func token(_ world: StepWorld) async throws -> String {
    try #require(await (world.session as any SessionPort).held(.user)?.accessToken)
  }

  @Test("live brings each message of the devices that were asked for")
  func live() async throws {
    let world = try await world()
    let token = try await token(world)
    let all = Client(world, "/live?uid=u-12", authorization: "bearer \(token)")
    let other = Client(world, "/live?uid=u-12&sdids=d-40&Authorization=bearer+\(token)")
    let device = Client(world, "/live?uid=u-12", authorization: "bearer dtk-40")
    try await world.run("sami/post-message", #"{"sdid": "d-31", "data": {"numberOfSteps": 7}}"#)
    #expect(all.texts.map { $0.contains(#""mid":"m-1""#) && $0.contains(#""numberOfSteps":7"#) } == [true])
    #expect(other.texts == [])
    #expect(device.texts == [])
    world.clock.advance(seconds: 30)
    for client in [all, other, device] {
      client.tick()
      #expect(client.texts.last == #"{"type":"ping"}"#)
      client.end()
    }
  }

  @Test(
    "live is for whoever may read",
    arguments: [
      ("uid=u-12", nil, 401), ("uid=u-12", "bearer wrong", 401), ("", "bearer dtk-31", 400), ("uid=u-99", "bearer dtk-31", 404),
      ("uid=u-12&sdids=d-40", "bearer dtk-31", 403), ("uid=u-12&sdtids=dt-7", "bearer dtk-31", 403), ("uid=u-12", "BEARER dtk-31", 101),
    ] as [(String, String?, Int)])
  func refusal(query: String, authorization: String?, status: Int) async throws {
    let client = Client(try await world(), "/live?\(query)", authorization: authorization)
    #expect(client.status == status)
    client.end()
  }

  @Test("a device registers, sends, and gets its actions")
  func channel() async throws {
    let world = try await world()
    let client = Client(world, "/websocket?ack=true")
    client.send(#"{"type":"register","sdid":"d-40","Authorization":"bearer dtk-40","cid":"c1"}"#)
    client.send(#"{"sdid":"d-40","cid":"c2","type":"message","data":{"state":"on"}}"#)
    try await world.run("sami/send-action", #"{"ddid": "d-40", "actions": [{"name": "setOn"}]}"#)
    #expect(
      client.texts == [
        #"{"data":{"message":"OK","code":"200","cid":"c1"}}"#, #"{"data":{"mid":"m-1","cid":"c2"}}"#,
        #"{"ddid":"d-40","mid":"m-2","type":"action","data":{"actions":[{"name":"setOn","parameters":{}}]}}"#,
      ])
    client.end()
  }

  @Test(
    "what is wrong is said in SAMI's words",
    arguments: [
      ("no JSON", #"{"error":{"code":400,"message":"Bad Request"}}"#),
      (#"{"type":"register","cid":"c"}"#, #"{"error":{"code":400,"message":"Missing sdid value","cid":"c"}}"#),
      (#"{"type":"register","sdid":"d-31"}"#, #"{"error":{"code":401,"message":"Please provide a valid authorization header"}}"#),
      (
        #"{"type":"register","sdid":"d-31","Authorization":"bearer dtk-40"}"#,
        #"{"error":{"code":403,"message":"You do not have the right permission: devices"}}"#
      ),
      (#"{"sdid":"d-31","data":{}}"#, #"{"error":{"code":401,"message":"Device not registered"}}"#),
      (#"{"data":{}}"#, #"{"error":{"code":400,"message":"Missing sdid value"}}"#),
      (#"{"type":"action","data":{}}"#, #"{"error":{"code":400,"message":"Missing ddid value"}}"#),
      (#"{"sdid":"d-40","ts":"now","data":{}}"#, #"{"error":{"code":400,"message":"Invalid ts value"}}"#),
      (#"{"sdid":"d-40","ts":-1,"data":{}}"#, #"{"error":{"code":400,"message":"Invalid ts value"}}"#),
      (#"{"sdid":"d-40","ts":4102444800000,"data":{}}"#, #"{"error":{"code":400,"message":"Invalid ts value (in future)"}}"#),
    ])
  func complaints(text: String, answer: String) async throws {
    let client = Client(try await world(), "/websocket?ack=true")
    client.send(#"{"type":"register","sdid":"d-40","Authorization":"bearer dtk-40"}"#)
    client.send(text)
    #expect(client.texts.last == answer)
    client.end()
  }

  @Test("whoever registers nothing within thirty seconds is sent away")
  func timeout() async throws {
    let world = try await world()
    let client = Client(world, "/websocket")
    world.clock.advance(seconds: 29)
    client.tick()
    #expect(client.texts == [])
    world.clock.advance(seconds: 1)
    client.tick()
    #expect(client.texts == [#"{"error":{"code":400,"message":"Registration timeout"}}"#, "close 1008 Registration timeout"])
  }
}
