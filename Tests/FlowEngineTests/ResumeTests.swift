import FlowEngine
import FlowEvents
import StepKit
import Testing
import Values

@Suite("A run that is killed after any note")
struct KilledRunTests {
  /// A flow, what its server answers, and what the flow is for.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var yaml: String
    var script: [String: [Answer]] = [:]
    var inputs: [String: Value] = [:]
    var flows: [String: String] = [:]
  }

  static let cases = [
    Case(
      testDescription: "steps of every effect",
      yaml: """
        steps:
          - id: create
            post: /users
            with: { json: { key: "${{ uuid() }}" } }
            outputs: { id: "${{ response.body.id }}" }
          - id: read
            get: /users/{id}
            with: { path: { id: "${{ steps.create.outputs.id }}" } }
          - id: replace
            put: /users/1
            with: { json: { name: "${{ steps.read.response.body.name }}" } }
          - id: note
            post: /notes
            effect: once
            with: { json: { of: "${{ steps.create.outputs.id }}" } }
        outputs: { name: "${{ steps.read.response.body.name }}", id: "${{ steps.create.outputs.id }}" }
        """, script: ["POST /users": [.json(201, #"{"id": 7}"#)], "GET /users/7": [.json(200, #"{"name": "Ada"}"#)]]),
    Case(
      testDescription: "a group that is tried again, and a branch that carries on",
      yaml: """
        steps:
          - id: ensure
            post: /users
            outputs: { id: "${{ response.body.id }}" }
            on_error:
              - when: http.409
                do:
                  - id: find
                    get: /users
                    outputs: { id: "${{ response.body.id }}" }
                then: continue
                outputs: { id: "${{ steps.find.outputs.id }}" }
          - id: verify
            group:
              - { id: ask, post: /pins }
              - { id: check, post: /checks }
            on_error:
              - { when: http.400, then: retry, max: 2 }
        outputs: { id: "${{ steps.ensure.outputs.id }}" }
        """,
      script: [
        "POST /users": [.json(409)], "GET /users": [.json(200, #"{"id": 3}"#)],
        "POST /checks": [.json(400), .json(200)],
      ]),
    Case(
      testDescription: "items beside each other, rounds and a switch",
      yaml: """
        inputs: { names: { type: array, items: { type: string }, maxItems: 5 } }
        steps:
          - id: each
            for_each: { in: "${{ inputs.names }}", as: name, key: name, concurrency: 2 }
            steps:
              - id: make
                post: /things/{name}
                with: { path: { name: "${{ name }}" } }
                outputs: { id: "${{ response.body.id }}" }
            outputs: { id: "${{ steps.make.outputs.id }}" }
          - id: pages
            repeat: { max: 3, every: 5m, until: "loop.page == 3", carry: { page: 0 } }
            steps:
              - { id: page, post: /pages }
            next: { page: "${{ loop.page + 1 }}" }
          - id: pick
            switch:
              - { if: "size(steps.each.outputs.items) == 2", steps: [ { id: two, post: /two } ] }
              - { else: [ { id: other, post: /other } ] }
        outputs: { ids: "${{ steps.each.outputs.items.map(i, i.outputs.id) }}", page: "${{ steps.pages.outputs.page }}" }
        """,
      script: ["POST /things/a": [.json(200, #"{"id": 1}"#)], "POST /things/b": [.json(200, #"{"id": 2}"#)]],
      inputs: ["names": ["a", "b"]]),
    Case(
      testDescription: "a called flow, what is set, and state",
      yaml: """
        state: { count: { type: integer, default: 4 } }
        steps:
          - id: onboard
            call: child.flow.yaml
            with: { name: ada }
          - set: { total: "${{ steps.onboard.outputs.id + 1 }}", state.count: "${{ state.count + 1 }}" }
          - id: tell
            post: /told
            with: { json: { total: "${{ vars.total }}", count: "${{ state.count }}" } }
        outputs: { total: "${{ vars.total }}", count: "${{ state.count }}" }
        """, script: ["POST /people": [.json(200, #"{"id": 40}"#)]],
      flows: [
        "child.flow.yaml": """
        inputs: { name: string }
        connections: { api: { system: http, base_url: https://api.test } }
        steps:
          - id: make
            post: /people
            with: { json: { name: "${{ inputs.name }}" } }
            outputs: { id: { value: "${{ response.body.id }}", type: integer } }
        outputs: { id: "${{ steps.make.outputs.id }}" }
        """
      ]),
    Case(
      testDescription: "a failure that is undone, and what always runs",
      yaml: """
        steps:
          - id: make
            post: /made
            outputs: { id: "${{ response.body.id }}" }
            undo:
              - { id: unmake, post: /unmade, with: { json: { id: "${{ steps.make.outputs.id }}" } } }
          - { id: break, post: /broken }
        finally:
          - { id: tidy, post: /tidied }
        """, script: ["POST /made": [.json(200, #"{"id": 5}"#)], "POST /broken": [.json(422)]]),
  ]

  @Test("ends as if nothing had happened, and sends nothing twice", arguments: cases)
  func killedAnywhere(_ flow: Case) async throws {
    let yaml = api + flow.yaml
    let whole = try KilledPlay(yaml, flow.script, inputs: flow.inputs, flows: flow.flows)
    let reference = try #require(await whole.run())
    let ends = Dictionary(grouping: whole.written.filter { $0.kind == .ended }, by: \.path)
    #expect(whole.written.count > 4)
    for limit in 1..<whole.written.count {
      let play = try KilledPlay(yaml, flow.script, inputs: flow.inputs, flows: flow.flows)
      if await play.run(killedAfter: limit) != nil { continue }
      let counts = Self.counts(play.routes)
      for doubt in play.history.doubts {
        // Whoever asks the server finds out.
        let end = try #require(ends[doubt.path]?.first)
        let route = try #require(doubt.details["action"]?.stringValue)
        let isThere = counts.contains { Self.isOf(route, $0.key) && $0.value > 0 }
        if isThere, end.status != .succeeded {
          play.settle(doubt.path, delivered: false)
        } else {
          play.settle(doubt.path, delivered: isThere, outputs: isThere ? end.outputs : nil)
        }
      }
      let report = try #require(await play.run(isResumed: true), "\(limit)")
      #expect(report.verdict == reference.verdict, "killed after \(limit): \(report.code ?? "")")
      #expect(report.outputs == reference.outputs, "killed after \(limit)")
      #expect(play.states.last == whole.states.last, "killed after \(limit)")
      #expect(report.steps.map { "\($0.step.title) \($0.status)" }.sorted().filter { !$0.contains("recovered") }.count >= 1)
      let sent = Self.counts(play.requests)
      for (request, count) in sent where request.hasPrefix("POST") && !Self.isRetried(request, flow) {
        #expect(count <= Self.counts(whole.requests)[request, default: 0], "killed after \(limit): \(request) was sent \(count) times")
      }
    }
  }

  private static func counts(_ texts: [String]) -> [String: Int] { texts.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
  private static func isOf(_ action: String, _ route: String) -> Bool {
    let prefix = action.prefix { $0 != "{" }
    return route.hasPrefix(prefix)
  }
  /// What was refused, so that whoever asks the server lets it be sent again.
  private static func isRetried(_ request: String, _ flow: Case) -> Bool {
    let route = request.split(separator: " ").prefix(2).joined(separator: " ")
    return flow.script[route]?.contains { if case .reply(let status, _, _, _) = $0.kind { status >= 400 } else { false } } ?? false
  }
}

@Suite("A run that is gone on with")
struct ResumedRunTests {
  private static let post = api + "steps:\n  - { id: charge, post: /charges }\n  - { id: tell, get: /told }\n"

  @Test("says of a declared error what can be done, and so do its notes")
  func help() async throws {
    let play = try KilledPlay(
      rapidsos + """
        steps:
          - id: join
            uses: rapidsos/register
            with: { username: dana.reyes, password: hunter2-very-secret, email: d@example.test }
        """,
      [
        "POST /oauth/token": [.token()],
        "POST /v1/rain/user": [.json(400, #"{"detail": "User with username `dana.reyes` already exists."}"#)],
      ], secrets: rapidsosSecrets)
    let error = try #require(await play.run()?.error)
    #expect(error.code == "rapidsos.username_taken")
    #expect(error.help == "go on to `rapidsos/authenticate`, or choose another name")
    #expect(play.written.compactMap { $0.kept["error"]?.exposed["help"]?.stringValue }.first == error.help)
  }

  @Test("knows of a request that may have been sent: it is a doubt, and is not sent again")
  func doubt() async throws {
    let play = try KilledPlay(Self.post, ["POST /charges": [.silence]])
    // The start of `charge` is the first note.
    #expect(await play.run(killedAfter: 1) == nil)
    #expect(play.history.doubts.map(\.path) == ["charge"])
    let report = try #require(await play.run(isResumed: true))
    #expect(report.verdict == .indeterminate)
    #expect(report.exitCode == 4)
    #expect(play.routes.filter { $0 == "POST /charges" }.count <= 1)
    #expect(!play.routes.contains("GET /told"))
  }

  @Test("does not send what somebody says was delivered, and gives what they say")
  func delivered() async throws {
    let play = try KilledPlay(Self.post, [:])
    #expect(await play.run(killedAfter: 1) == nil)
    let before = play.routes.count
    play.settle("charge", delivered: true, outputs: ValueMap(members: ["id": 7]))
    #expect(play.history.doubts.isEmpty)
    let report = try #require(await play.run(isResumed: true))
    #expect(report.verdict == .passed)
    #expect(report.steps.map { "\($0.step.id) \($0.status.rawValue)" } == ["charge recovered", "tell succeeded"])
    #expect(play.routes.dropFirst(before) == ["GET /told"])
  }

  @Test("sends what somebody says was not delivered, once")
  func notDelivered() async throws {
    let play = try KilledPlay(Self.post, [:])
    #expect(await play.run(killedAfter: 1) == nil)
    let before = play.routes.count
    play.settle("charge", delivered: false)
    let report = try #require(await play.run(isResumed: true))
    #expect(report.verdict == .passed)
    #expect(play.routes.dropFirst(before) == ["POST /charges", "GET /told"])
  }

  @Test("is in doubt again where the second process dies as well: what was said is of the first")
  func twice() async throws {
    let play = try KilledPlay(Self.post, [:])
    #expect(await play.run(killedAfter: 1) == nil)
    play.settle("charge", delivered: false)
    // started, settled, resumed, started again
    #expect(await play.run(killedAfter: 4, isResumed: true) == nil)
    #expect(play.history.doubts.map(\.path) == ["charge"])
  }

  @Test("resuming twice equals once")
  func again() async throws {
    let play = try KilledPlay(Self.post, [:])
    #expect(await play.run(killedAfter: 2) == nil)
    #expect(await play.run(isResumed: true)?.verdict == .passed)
    let before = play.routes
    #expect(await play.run(isResumed: true)?.verdict == .passed)
    #expect(play.routes == before)
  }

  @Test("does again what failed and may be done again, and nothing before it")
  func failed() async throws {
    let play = try KilledPlay(Self.post, ["GET /told": [.json(503), .json(200)]])
    #expect(await play.run()?.verdict == .errored)
    let report = try #require(await play.run(isResumed: true))
    #expect(report.verdict == .passed)
    #expect(report.steps.map(\.isRestored) == [true, false])
    #expect(play.routes == ["POST /charges", "GET /told", "GET /told"])
  }

  @Test("leaves as failed what the server may have done")
  func failedUnsafe() async throws {
    let play = try KilledPlay(Self.post, ["POST /charges": [.json(500), .json(200)]])
    #expect(await play.run()?.code == "http.500")
    #expect(await play.run(isResumed: true)?.code == "http.500")
    #expect(play.routes == ["POST /charges"])
  }

  @Test("signs in again, since a session ends with its process, and takes a refusal as one")
  func signsIn() async throws {
    let yaml = """
      secrets: [client_id, client_secret, password]
      connections:
        rapidsos:
          client_id: "${{ secrets.client_id }}"
          client_secret: "${{ secrets.client_secret }}"
          base_url: http://127.0.0.1:1
      steps:
        - id: log_in
          uses: rapidsos/authenticate
          with: { grant: password, username: dana.reyes, password: "${{ secrets.password }}" }
        - { id: profile, uses: rapidsos/fetch-profile }
      """
    for (second, outcome) in [(Answer.token("t2"), Verdict.passed), (.json(401, #"{"error": "invalid_grant"}"#), .failed)] {
      let play = try KilledPlay(
        yaml, ["POST /oauth/token": [.token("t1"), second]], secrets: rapidsosSecrets.merging(["password": "p4ss"]) { $1 })
      // Both notes of `log_in`.
      #expect(await play.run(killedAfter: 2) == nil)
      let report = try #require(await play.run(isResumed: true))
      #expect(play.routes.filter { $0 == "POST /oauth/token" }.count == 2)
      #expect(report.steps.first?.isRestored == false)
      if outcome == .failed { #expect(report.verdict == .failed, "\(report.code ?? "")") }
    }
  }

  @Test("has nobody signed in after a sign-out, though the code before it was good")
  func signsOut() async throws {
    let yaml = """
      connections:
        api: { system: http, base_url: "http://127.0.0.1:1", oauth: { token_url: /token, client_id: app } }
      steps:
        - { id: log_in, uses: oauth/token, connection: api, with: { grant: authorization_code, code: c1, redirect_uri: "app://r", keep: true } }
        - { id: mine, get: /mine }
        - { id: log_out, uses: oauth/sign-out, connection: api }
        - { id: after, get: /mine, expect: { error: auth.expired } }
      """
    for (notes, asked) in [(2, 1), (6, 0)] {
      let play = try KilledPlay(yaml, ["POST /token": [.token("t1")], "GET /mine": [.json(200)]])
      #expect(await play.run(killedAfter: notes) == nil)
      let before = play.routes.count { $0 == "GET /mine" }
      let report = try #require(await play.run(isResumed: true))
      #expect(report.verdict == .passed, "\(report.code ?? "")")
      #expect(play.routes.count { $0 == "POST /token" } == 1)
      #expect(play.routes.count { $0 == "GET /mine" } - before == asked)
    }
  }

  @Test("knows that undos have run")
  func undone() async throws {
    let play = try KilledPlay(
      api + """
        steps:
          - { id: make, post: /made, undo: [ { id: unmake, post: /unmade } ] }
          - { id: break, get: /broken }
        """, ["GET /broken": [.json(404)]])
    #expect(await play.run()?.verdict == .failed)
    #expect(play.history.isUndone)
  }
}
