import FlowEvents
import Testing
import Values

@Suite("for_each")
struct ForEachTests {
  private func loop(_ modifiers: String, then: String = "") -> String {
    """
    connections: { api: { system: http, base_url: https://api.test } }
    inputs: { users: { type: array, items: { type: string }, maxItems: 50 } }
    steps:
      - id: all
        for_each: { in: inputs.users, as: user, key: user\(modifiers) }
        steps:
          - id: create
            post: /users/${{ user }}
            outputs: { at: "${{ loop.index }}" }
        outputs: { id: "${{ user + '!' }}", at: "${{ steps.create.outputs.at }}" }
    \(then.indented(by: 4))
    outputs: { items: "${{ steps.all.outputs.items }}" }
    """
  }

  private let users: [String: Value] = ["users": ["ada", "bob", "eve"]]

  @Test("gives a line for each item, in the order of the input, whatever ends first", arguments: [1, 2, 3, 9])
  func order(concurrency: Int) async throws {
    let play = try await Play(
      loop(", concurrency: \(concurrency)"),
      ["POST /users/ada": [.ok.after(.seconds(5))], "POST /users/bob": [.ok.after(.seconds(1))], "POST /users/eve": [.ok]], inputs: users)
    #expect(play.outcome == "passed")
    #expect(
      play.output("items") == """
        [{"key":"ada","status":"succeeded","outputs":{"id":"ada!","at":0},"error":null},\
        {"key":"bob","status":"succeeded","outputs":{"id":"bob!","at":1},"error":null},\
        {"key":"eve","status":"succeeded","outputs":{"id":"eve!","at":2},"error":null}]
        """)
    #expect(play.report.duration == (concurrency == 1 ? .seconds(6) : .seconds(5)))
  }

  @Test("names its steps by the keys around them")
  func titles() async throws {
    let play = try await Play(loop(""), inputs: users)
    #expect(
      play.titles == ["create[ada] succeeded", "create[bob] succeeded", "create[eve] succeeded", "all succeeded"])
    let outer = try #require(play.report.steps.last)
    #expect(play.report.steps.dropLast().allSatisfy { $0.step.parent == outer.step.number && $0.step.number > outer.step.number })
    #expect(outer.requests == 3)
  }

  @Test("`stop` starts nothing new, and the item's error is the step's")
  func stop() async throws {
    let play = try await Play(
      loop(", concurrency: 2"), ["POST /users/ada": [.text(404)], "POST /users/bob": [.ok.after(.seconds(3))]], inputs: users)
    #expect(play.outcome == "failed http.404")
    #expect(play.routes == ["POST /users/ada", "POST /users/bob"])
    // What is in flight ends.
    #expect(play.titles == ["create[ada] failed", "create[bob] succeeded", "all failed"])
    #expect(play.report.error?.stepID == "create")
  }

  @Test("of several errors the first in the order of the input is the step's")
  func firstError() async throws {
    let play = try await Play(
      loop(", concurrency: 3"),
      ["POST /users/ada": [.text(404).after(.seconds(2))], "POST /users/bob": [.text(409)], "POST /users/eve": [.text(400)]], inputs: users)
    #expect(play.outcome == "failed http.404")
  }

  @Test("an error that a branch would have taken is not the step's, when it comes after the stop")
  func answeredError() async throws {
    let play = try await Play(
      """
      connections: { api: { system: http, base_url: https://api.test } }
      steps:
        - id: all
          parallel:
            branches:
              a: [ { id: first, get: /first, on_error: [ { when: http.404, then: continue } ] } ]
              b: [ { id: second, get: /second } ]
      """, ["GET /first": [.text(404).after(.seconds(2))], "GET /second": [.text(400)]])
    #expect(play.outcome == "failed http.400")
    #expect(play.titles == ["second failed", "first cancelled", "all failed"])
  }

  @Test("`finish` runs them all, and raises `parallel.failed` with the errors and the worst verdict")
  func finish() async throws {
    let play = try await Play(
      loop(", concurrency: 2, on_item_error: finish"), ["POST /users/ada": [.text(404)], "POST /users/eve": [.text(503)]], inputs: users)
    #expect(play.outcome == "errored parallel.failed")
    let error = try #require(play.report.error)
    #expect(error.title == "2 of 3 items failed")
    #expect(error.problems.map(\.field) == ["ada", "eve"])
    #expect(error.problems.map(\.message) == ["http.404: the server answered 404", "http.503: the server answered 503"])
  }

  @Test("a branch that goes on leaves what became of each item")
  func continued() async throws {
    let play = try await Play(
      loop(", on_item_error: stop", then: "on_error: [ { when: http.404, then: continue } ]").replacing(
        "outputs: { items: \"${{ steps.all.outputs.items }}\" }",
        with: "outputs: { items: \"${{ default(steps.all.outputs.items, []) }}\" }"),
      ["POST /users/bob": [.text(404)]], inputs: users)
    #expect(play.outcome == "passed")
    let items = try #require(play.report.outputs["items"]?.listValue)
    #expect(items.map { $0["status"]?.stringValue } == ["succeeded", "failed", "not_run"])
    #expect(items[1]["error"]?["code"] == "http.404")
  }

  @Test("what an item did not give is null")
  func nothingGiven() async throws {
    let play = try await Play(
      loop(", on_item_error: finish", then: "on_error: [ { when: parallel.failed, then: continue } ]").replacing(
        "${{ steps.all.outputs.items }}",
        with: "${{ steps.all.outputs.items.map(i, i.outputs == null ? default(i.error.code, 'none') : i.outputs.id) }}"),
      ["POST /users/bob": [.text(404)]],
      inputs: users)
    #expect(play.output("items") == #"["ada!","http.404","eve!"]"#)
    let refused = try await Play(
      loop(", max_items: 1", then: "on_error: [ { when: assertion, then: continue } ]"), inputs: users)
    #expect(refused.output("items") == "[]")
  }

  @Test("the keys of a secret map name nothing, and stay secret")
  func secretKeys() async throws {
    let play = try await Play(
      api + """
        secrets: [table]
        steps:
          - id: all
            for_each: { in: json.decode(secrets.table), as: pair, max_items: 5 }
            steps: [ { id: send, post: /x, with: { json: { k: "${{ pair.key }}" } } } ]
        outputs: { keys: { value: "${{ steps.all.outputs.items.map(i, i.key) }}" } }
        """, secrets: ["table": #"{"s3cr3t": 1}"#])
    #expect(play.titles == ["send[0] succeeded", "all succeeded"])
    #expect(play.output("keys") == #"["0"]"#)
  }

  @Test("too few items fail unless `min_items` says otherwise, and keys are unique")
  func counts() async throws {
    let none = try await Play(loop(""), inputs: ["users": []])
    #expect(none.outcome == "failed assertion")
    #expect(none.report.error?.detail == "0 came, and at least 1 must; `min_items` says how many")
    let allowed = try await Play(loop(", min_items: 0"), inputs: ["users": []])
    #expect(allowed.output("items") == "[]")
    let many = try await Play(loop(", max_items: 2"), inputs: users)
    #expect(many.report.error?.title == "too many items")
    let twins = try await Play(loop(""), inputs: ["users": ["ada", "bob", "ada"]])
    #expect(twins.report.error?.detail == "items 0 and 2 are both `ada`")
    #expect(twins.requests.isEmpty)
  }

  @Test("a doubt in an item is the run's, whatever its loop makes of it")
  func doubt() async throws {
    for mode in ["stop", "finish"] {
      let play = try await Play(
        loop(", concurrency: 3, on_item_error: \(mode)").replacing(
          "    post: /users/${{ user }}", with: "    post: /users/${{ user }}\n        effect: once"),
        ["POST /users/ada": [.text(404)], "POST /users/bob": [.lost]], inputs: users)
      #expect(play.report.verdict == .indeterminate)
      let created = play.report.steps.filter { $0.step.id == "create" }.map(\.step.title)
      #expect(Set(created) == ["create[ada]", "create[bob]", "create[eve]"])
    }
  }

  @Test("a timeout ends what is in flight, and starts nothing more")
  func timeout() async throws {
    let play = try await Play(
      loop(", concurrency: 2", then: "timeout: 5s"),
      ["POST /users/ada": [.silence], "POST /users/bob": [.ok.after(.seconds(1))], "POST /users/eve": [.silence]],
      inputs: users)
    #expect(play.outcome == "errored timeout.step")
    #expect(play.report.duration == .seconds(5))
    #expect(play.titles == ["create[bob] succeeded", "create[eve] cancelled", "create[ada] cancelled", "all failed"])
  }

  @Test("the items of a map are its keys and values")
  func map() async throws {
    let play = try await Play(
      """
      steps:
        - id: all
          for_each: { in: { a: 1, b: 2 }, as: pair }
          steps: [ { uses: log, with: { message: "${{ pair.key }}=${{ pair.value }}" } } ]
      """)
    #expect(play.story.filter { $0.hasPrefix("#") }.map { $0.suffix(3) } == ["a=1", "b=2"])
  }
}
