import FoundationEssentials
import Glibc
import Synchronization
import Testing

/// One emergency with a ledger, a journal and a server of its own, and what must hold of it whenever a process died.
final class KillRoom: Sendable {
  /// How an operator settles a doubt.
  enum Word: String, CaseIterable, Sendable {
    case delivered
    case notDelivered = "not-delivered"
    case authoriseRetry = "authorise-retry"

    /// One of them for a case, so that each is said often.
    static func each(_ number: Int) -> Word { allCases[number % allCases.count] }
  }

  let server: KillServer
  let workspace: Workspace
  private let answer: KillServer.Answer
  private let reconciles: Bool
  private let told = Mutex<[String]>([])

  private init(_ server: KillServer, answering answer: KillServer.Answer, body: String, reconciles: Bool) throws {
    (self.server, self.answer, self.reconciles) = (server, answer, reconciles)
    workspace = try Workspace()
    let lookUp = """
          reconcile:
            steps:
              - id: look
                get: \(server.origin)/alerts/1
                outputs: { delivered: { value: "${{ response.body.delivered }}", type: boolean } }
            delivered: steps.look.outputs.delivered

      """
    try workspace.write(
      "one.flow.yaml",
      """
      connections:
        rapidsos: { base_url: "\(server.origin)", client_id: an-id, client_secret: a-secret-of-the-test }
      steps:
        - id: trigger
          uses: rapidsos/trigger-call-flow
          dedupe_key: incident-1
      \(reconciles ? lookUp : "")    with:
            call_flow: kronos_contacts
            variables:
              location: { latitude: 42.6526, longitude: -73.7562, uncertainty: 12 }
              user: { full_name: Dana Reyes, phone_number: (234) 567-8888 }
              company: \(body)

      """)
  }

  /// A room for as long as `body` takes, when it is its turn.
  static func use(
    killingAt point: KillServer.Point? = nil, answering answer: KillServer.Answer = .accepted, body text: String = "Baton",
    reconciles: Bool = false, refusingAfter tokens: Int? = nil, _ body: (KillRoom) async throws -> Void
  ) async throws {
    await RoomsInUse.shared.enter()
    let result: Result<Void, any Error>
    do {
      let server = try KillServer(killingAt: point, answering: answer, refusingAfter: tokens)
      let room = try KillRoom(server, answering: answer, body: text, reconciles: reconciles)
      defer { room.server.close() }
      result = .success(try await body(room))
    } catch {
      result = .failure(error)
    }
    await RoomsInUse.shared.leave()
    try result.get()
  }

  // MARK: - commands

  @discardableResult
  func baton(_ arguments: String..., failpoint: String? = nil) async throws -> Ended { try await baton(arguments, failpoint: failpoint) }

  @discardableResult
  func baton(_ arguments: [String], failpoint: String?) async throws -> Ended {
    let environment = failpoint.map { ["BATON_FAILPOINT": $0] } ?? [:]
    return await told(arguments, failpoint, try await workspace.baton(arguments, environment: environment))
  }

  /// Runs the flow until the server kills it.
  func runIntoTheServer() async throws -> Ended {
    let process = try workspace.start(["run", "one.flow.yaml"])
    server.aim(at: process.id)
    return await told(["run"], nil, try await process.end())
  }

  private func told(_ arguments: [String], _ failpoint: String?, _ ended: Ended) async -> Ended {
    await server.settle()
    let line = "\(arguments.joined(separator: " ")) \(failpoint ?? ""): \(ended.code), received \(server.received)"
    told.withLock { $0.append(line) }
    return ended
  }

  /// What has happened so far, for a failure.
  var story: Comment { "\(told.withLock { $0.joined(separator: "\n") })" }

  // MARK: - what is known

  /// The id of the first run; nil where its journal never knew of it.
  func run() async throws -> String? {
    try JSONValue(try await baton("runs", "--json").stdout)["runs"]?.items.last?["run"]?.text
  }

  /// The states of a run's attempts, oldest first.
  func states(of run: String) async throws -> [String] {
    let shown = try await baton("show", run, "--json")
    return try JSONValue(shown.stdout)["triggers"]?.items.compactMap { $0["state"]?.text } ?? []
  }

  /// What is open: `runs --unresolved` lists it and says so by its exit code.
  func unresolved(sourceLocation: SourceLocation) async throws -> [JSONValue] {
    let command = try await baton("runs", "--unresolved", "--json")
    let open = try JSONValue(command.stdout)["triggers"]?.items ?? []
    #expect(command.code == (open.isEmpty ? 0 : 1), story, sourceLocation: sourceLocation)
    return open
  }

  // MARK: - what must hold

  /// After any command, by the server's own log.
  func expectTruth(_ states: [String], after code: Int32, sourceLocation: SourceLocation) {
    let received = server.received
    let mayHaveLeft = states.count { $0 != "intended" && $0 != "not_sent" }
    #expect(received.count <= mayHaveLeft, "\(states)\n\(story)", sourceLocation: sourceLocation)
    #expect(
      received.count(where: \.isWhole) >= states.count { $0 == "acknowledged" }, "\(states)\n\(story)", sourceLocation: sourceLocation)
    if code == 0 {
      #expect(
        states.contains("acknowledged") || states.contains("resolved_delivered"), "\(states)\n\(story)", sourceLocation: sourceLocation)
    }
  }

  /// Goes on with whatever a kill has left until it is settled.
  func goOn(_ word: Word, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let open = try await unresolved(sourceLocation: sourceLocation)
    let known = open.first?["run"]?.text
    guard let run = try await known == nil ? run() : known else {
      #expect(server.received.isEmpty, story, sourceLocation: sourceLocation)
      return try await expectRepeat(of: [], nil, sourceLocation: sourceLocation)
    }
    let before = try await open.isEmpty ? self.states(of: run) : open.compactMap { $0["state"]?.text }
    expectTruth(before, after: -9, sourceLocation: sourceLocation)
    #expect(open.isEmpty == !before.contains { $0 == "sent" || $0 == "unknown" }, "\(before)\n\(story)", sourceLocation: sourceLocation)

    let resumed = try await baton("resume", run)
    let states = try await states(of: run)
    expectTruth(states, after: resumed.code, sourceLocation: sourceLocation)
    #expect((0...4).contains(resumed.code), "\(resumed)\n\(story)", sourceLocation: sourceLocation)
    #expect(!states.contains("sent") && !states.contains("intended"), "\(states)\n\(story)", sourceLocation: sourceLocation)
    if states.last == "unknown" { #expect(resumed.code == 4, "\(resumed)\n\(story)", sourceLocation: sourceLocation) }

    try await expectRepeat(of: states, run, sourceLocation: sourceLocation)
    if states.last == "unknown", !reconciles { try await settle(run, word, sourceLocation: sourceLocation) }
  }

  /// A second `resume` equals the first, and a second run sends nothing while the key is spent.
  private func expectRepeat(of states: [String], _ run: String?, sourceLocation: SourceLocation) async throws {
    let count = server.received.count
    let isDone = states.contains("acknowledged") || states.contains("resolved_delivered")
    let isInDoubt = states.last == "unknown" && !reconciles
    if isDone || isInDoubt, let run {
      let resumed = try await baton("resume", run)
      #expect(resumed.code == (isDone ? 0 : 4), "\(resumed)\n\(story)", sourceLocation: sourceLocation)
      #expect(server.received.count == count, story, sourceLocation: sourceLocation)
    }
    let second = try await baton("run", "one.flow.yaml")
    if isDone {
      #expect(second.code == 0 && second.stdout.contains("replayed"), "\(second)\n\(story)", sourceLocation: sourceLocation)
      #expect(server.received.count == count, story, sourceLocation: sourceLocation)
    } else if isInDoubt {
      #expect(second.code == 4, "\(second)\n\(story)", sourceLocation: sourceLocation)
      #expect(server.received.count == count, story, sourceLocation: sourceLocation)
    } else if !reconciles {
      #expect(server.received.count == count + 1, story, sourceLocation: sourceLocation)
      #expect((second.code == 0) == answer.isAccepted, "\(second)\n\(story)", sourceLocation: sourceLocation)
    }
  }

  /// An operator's word lets one more request leave, or none.
  func settle(_ run: String, _ word: Word, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let resolved = try await baton("resolve", run, "--\(word.rawValue)", "--reason", "of the test")
    #expect(resolved.code == 0, "\(resolved)\n\(story)", sourceLocation: sourceLocation)
    try await goOnAfter(word, run, sourceLocation: sourceLocation)
  }

  func goOnAfter(_ word: Word, _ run: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let count = server.received.count
    #expect(try await unresolved(sourceLocation: sourceLocation).isEmpty, story, sourceLocation: sourceLocation)
    let resumed = try await baton("resume", run)
    let states = try await states(of: run)
    expectTruth(states, after: resumed.code, sourceLocation: sourceLocation)
    #expect(server.received.count == count + (word == .delivered ? 0 : 1), "\(states)\n\(story)", sourceLocation: sourceLocation)
    #expect((resumed.code == 0) == (word == .delivered || answer.isAccepted), "\(resumed)\n\(story)", sourceLocation: sourceLocation)
    if resumed.code == 0 {
      try await baton("resume", run)
      #expect(server.received.count == count + (word == .delivered ? 0 : 1), story, sourceLocation: sourceLocation)
    }
  }
}

extension Executable {
  /// Whether the binary kills itself where it is told to: a debug build does.
  static let hasFailpoints: Bool = {
    guard let path, let bytes = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else { return false }
    let name = Array("BATON_FAILPOINT".utf8)
    return unsafe bytes.withUnsafeBytes { bytes in
      guard var place = bytes.baseAddress else { return false }
      let end = unsafe place + bytes.count - name.count
      while unsafe place < end, let found = unsafe memchr(place, Int32(name[0]), end - place) {
        if unsafe memcmp(found, name, name.count) == 0 { return true }
        unsafe place = UnsafeRawPointer(found) + 1
      }
      return false
    }
  }()
}

/// How many rooms are in use at once: each has a process at work.
private actor RoomsInUse {
  static let shared = RoomsInUse()

  private var free = 4
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    guard free == 0 else { return free -= 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
