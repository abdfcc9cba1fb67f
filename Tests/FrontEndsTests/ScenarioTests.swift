import Diagnostics
import FlowSyntax
import FrontEnds
import SourceText
import Testing

@Suite struct ScenarioTests {
  @Test func theScenariosOfTheReference() throws {
    let document = try read(
      """
      baton: 1
      scenarios: onboarding
      flow: onboarding.flow.yaml
      tags: [smoke]
      defaults:
        inputs: { username: ada.lovelace, phone: "(234) 567-8888" }
      cases:
        - name: a new caller
          expect: { verdict: passed, outputs: { registered: true } }
        - name: the account exists
          tags: [slow]
          skip: waits for the new login
          secrets: { password: hunter2 }
          sandbox:
            given: { rapidsos: { users: [ { username: ada.lovelace } ] } }
            faults: [ { route: "POST /v1/rain/caller-ids", status: 503, times: 1, match: "request.body.n > 1" } ]
            events: [ { after: log_in, do: { afero: { expire: access } } } ]
          routes: [ { route: "GET /v1/users/{id}", status: 200, json: { id: 1 } } ]
          answers: { pin: ["000000", "111111"], code: "7", sms: { from: sms } }
          expect:
            verdict: failed
            code: user.pin_rejected
            steps: { register: recovered, log_in: not_run }
            requests: { "POST /v1/rain/caller-ids": 3, rapidsos GET /v1/me: { count: 1, that: [ request.status == 200 ] } }
            that: [ run.code != '' ]
            max_duration: 2s
      """)
    #expect(document.name?.value == "onboarding")
    #expect(document.flow.value == "onboarding.flow.yaml")
    #expect(document.tags.map(\.value) == ["smoke"])
    #expect(document.defaults?.inputs.map(\.key.value) == ["username", "phone"])
    guard case .list(let cases) = document.cases else { return #expect(Bool(false)) }
    #expect(cases.map(\.name?.value) == ["a new caller", "the account exists"])
    let scenario = try #require(cases.last)
    #expect(scenario.skip?.value == "waits for the new login")
    #expect(scenario.secrets.map(\.key.value) == ["password"])
    #expect(scenario.given.map(\.key.value) == ["rapidsos"])
    #expect(scenario.faults.map { $0.settings.map(\.key.value) } == [["route", "status", "times"]])
    #expect(scenario.faults.first?.match?.text.text == "request.body.n > 1")
    #expect(scenario.events.map(\.after.value) == ["log_in"])
    #expect(scenario.events.first?.changes.map(\.key.value) == ["afero"])
    #expect(scenario.routes.map(\.route.value) == ["GET /v1/users/{id}"])
    #expect(scenario.routes.first?.settings.map(\.key.value) == ["status", "json"])
    #expect(scenario.answers.map { "\($0.prompt.value) \(label($0.source))" } == ["pin each 000000 111111", "code always 7", "sms outbox"])
    let expect = try #require(scenario.expect)
    #expect(expect.verdict?.value == "failed" && expect.code?.value == "user.pin_rejected")
    #expect(expect.steps.map { "\($0.id.value) \($0.status.value)" } == ["register recovered", "log_in not_run"])
    #expect(expect.requests.map(\.count?.value) == [3, 1])
    #expect(expect.requests.map(\.that.count) == [0, 1])
    #expect(expect.that.count == 1)
    #expect(expect.maxDuration?.value == .seconds(2))
  }

  @Test(arguments: [
    ("run", ["run"]), ("resume", ["resume"]), ("{ resume: { expect: { verdict: passed } } }", ["resume expect"]),
    (
      "[ resume, { run: { inputs: { a: 1 }, answers: { pin: x }, expect: { verdict: failed } } }, { run: } ]",
      ["resume", "run inputs answers expect", "run"]
    ),
  ])
  func aCaseMayGoOn(_ then: String, _ expected: [String]) throws {
    let document = try read("flow: a\ncases:\n  - name: a\n    then: \(then)\n")
    guard case .list(let cases) = document.cases else { return #expect(Bool(false)) }
    let found = cases.flatMap(\.then).map { run in
      run.verb.value + (run.inputs.isEmpty ? "" : " inputs") + (run.answers.isEmpty ? "" : " answers")
        + (run.expect == nil ? "" : " expect")
    }
    #expect(found == expected)
  }

  // MARK: tables

  @Test(arguments: ["csv('data/cases.csv')", #"csv( "data/cases.csv" )"#])
  func aTableHoldsTheCases(_ text: String) throws {
    guard case .table(let path) = try read("flow: a\ncases: \(text)\n").cases else { return #expect(Bool(false)) }
    #expect(path.value == "data/cases.csv")
  }

  @Test func aRowIsACase() throws {
    let rows: [ScenarioTable.Row] = [
      .init(
        line: 2,
        cells: [
          ("name", "one"), ("tags", "smoke, slow"), ("inputs.count", "5"), ("inputs.user.name", "12"), ("secrets.key", "7"),
          ("answers.pin", "007"),
          ("expect.verdict", "failed"), ("expect.requests.GET /v1/a.json", "3"), ("expect.outputs.ok", "true"),
          ("expect.outputs.id", "007"),
          ("expect.outputs.n", "-1.5"), ("expect.max_duration", "2s"), ("expect.that", "run.code == 'a #b'"), ("skip", ""),
        ])
    ]
    let (scenarios, diagnostics) = table(rows)
    #expect(described(diagnostics) == [])
    let scenario = try #require(scenarios.first)
    #expect(scenario.name?.value == "one" && scenario.skip == nil)
    #expect(scenario.tags.map(\.value) == ["smoke", "slow"])
    #expect(scenario.inputs.map { "\($0.key.value) \(shape($0.value))" } == ["count \"5\" plain", "user {name: \"12\" plain}"])
    #expect(scenario.secrets.map { shape($0.value) } == ["\"7\" quoted"])
    #expect(scenario.answers.map { label($0.source) } == ["always 007"])
    #expect(scenario.expect?.requests.map { "\($0.route.value) \($0.count?.value ?? -1)" } == ["GET /v1/a.json 3"])
    #expect(scenario.expect?.outputs.map(shape) == "{ok: true, id: \"007\" quoted, n: -1.5}")
    #expect(scenario.expect?.maxDuration?.value == .seconds(2))
    #expect(scenario.expect?.that.map(\.text.text) == ["run.code == 'a #b'"])
    #expect(scenario.span == Span(10, 20) && scenario.name?.span == Span(10, 20))
    #expect(scenario.expect?.that.first?.text.fileSpan(of: Span(0, 3)) == Span(10, 20))
  }

  @Test func aWrongCellNamesItsRow() {
    let rows: [ScenarioTable.Row] = [
      .init(line: 2, cells: [("name", "one"), ("expect.verdict", "pass")]),
      .init(line: 3, cells: [("name", "one"), ("expect.requests.GET /a", "two")]),
      .init(line: 5, cells: [("inputs", "x"), ("inputs.a", "y")]),
      .init(line: 6, cells: [("name", "two"), ("nmae", "x"), ("expect.code", "")]),
    ]
    let (scenarios, diagnostics) = table(rows)
    #expect(scenarios.map(\.name?.value) == ["one", "one", "two"])
    #expect(
      described(diagnostics) == [
        "invalid-value 1:11 line 2 of `cases.csv`: `verdict` cannot be `pass`", "  help: did you mean `passed`?",
        "type-mismatch 1:11 line 3 of `cases.csv`: the count of `GET /a` must be a whole number (this is a string)",
        "duplicate-id 1:11 line 3 of `cases.csv`: the case of line 2 is named `one` too",
        "duplicate-key 1:11 line 5 of `cases.csv`: the column `inputs.a` and another one are for the same key",
        "unknown-key 1:11 line 6 of `cases.csv`: a case has no key `nmae`", "  help: did you mean `name`?",
      ])
  }

  /// A wrong column is told once, at the names of the columns; a wrong cell at its row.
  @Test func whatIsWrongInATableIsShownInTheTable() {
    let csv = SourceFile(path: "cases.csv", text: "name,nmae,expect.verdict\none,x,passed\ntwo,y,pass\n")
    let rows = [2, 3].map { line in
      let names = ["name", "nmae", "expect.verdict"]
      let cells = csv.line(line).split(separator: ",").map(String.init)
      let start = csv.startOfLine(line)
      return ScenarioTable.Row(
        line: line, cells: zip(names, cells).map { (header: $0, text: $1) }, place: Place(csv, Span(start, start + 1)))
    }
    let table = ScenarioTable(name: "cases.csv", rows: rows, header: Place(csv, Span(0, 1)))
    let file = SourceFile(path: "f", text: String(repeating: "x", count: 30))
    let (cases, diagnostics) = NativeFrontEnd.scenarios(from: table, named: Located("cases.csv", Span(10, 20)), in: file)
    #expect(cases.map(\.row.line) == [2, 3])
    #expect(diagnostics.allSatisfy { $0.place?.file == csv })
    #expect(
      described(diagnostics) == [
        "unknown-key 1:1 a case has no key `nmae`", "  help: did you mean `name`?",
        "invalid-value 3:1 `verdict` cannot be `pass`", "  help: did you mean `passed`?",
      ])
  }

  @Test func anEmptyTableTestsNothing() {
    #expect(table([]).1.map(\.kind) == [.cannotFail])
  }

  private func table(_ rows: [ScenarioTable.Row]) -> ([ScenarioSyntax], [Diagnostic]) {
    let file = SourceFile(path: "f", text: String(repeating: "x", count: 30))
    let (cases, diagnostics) = NativeFrontEnd.scenarios(
      from: ScenarioTable(name: "cases.csv", rows: rows), named: Located("cases.csv", Span(10, 20)), in: file)
    return (cases.map(\.scenario), diagnostics)
  }

  private func read(_ text: String) throws -> ScenariosDocument {
    let (document, diagnostics) = NativeFrontEnd.scenarios(from: SourceFile(path: "f", text: text))
    #expect(described(diagnostics) == [])
    return try #require(document)
  }

  private func label(_ source: AnswerSyntax.Source) -> String {
    switch source {
    case .always(let text): "always \(text.value)"
    case .each(let texts): "each \(texts.map(\.value).joined(separator: " "))"
    case .outbox: "outbox"
    }
  }

  private func shape(_ data: DataSyntax) -> String {
    switch data {
    case .scalar(let scalar):
      switch scalar.literal {
      case .null: "null"
      case .bool(let value): "\(value)"
      case .int(let value): "\(value)"
      case .double(let value): "\(value)"
      case .string: "\"\(scalar.text.text)\" \(scalar.isQuoted ? "quoted" : "plain")"
      }
    case .list(let items, _): "[\(items.map(shape).joined(separator: ", "))]"
    case .map(let entries, _): "{\(entries.map { "\($0.key.value): \(shape($0.value))" }.joined(separator: ", "))}"
    }
  }
}
