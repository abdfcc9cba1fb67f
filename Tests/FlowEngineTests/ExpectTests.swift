import FlowEvents
import Testing
import Values

@Suite("expect")
struct ExpectTests {
  private func play(_ expect: String, _ answer: Answer, secrets: [String: String] = [:]) async throws -> Play {
    let head = secrets.isEmpty ? "" : "secrets: [\(secrets.keys.joined(separator: ", "))]\n"
    return try await Play(
      head + api + "steps:\n  - id: a\n    get: /a\n    expect:\n" + expect.indented(by: 6), ["GET /a": [answer]], secrets: secrets)
  }

  @Test(
    "without a status 2xx is right; stating one replaces that",
    arguments: [
      ("", 204, "passed"), ("", 302, "failed http.302"), ("", 404, "failed http.404"), ("", 503, "errored http.503"),
      ("", 429, "errored http.429"), ("status: 404", 404, "passed"), ("status: 404", 200, "failed http.200"),
      ("status: 2xx", 503, "failed http.503"), ("status: [200, 5xx]", 502, "passed"), ("status: 200", 429, "failed http.429"),
      ("status: 401", 401, "passed"), ("status: 302", 302, "passed"),
    ])
  func status(expect: String, status: Int, outcome: String) async throws {
    let play = try await self.play(expect.isEmpty ? "max_duration: 1h" : expect, .text(status))
    #expect(play.outcome == outcome)
    if play.report.verdict != .passed { #expect(play.step("a")?.status == .failed) }
  }

  @Test("a stated status shows what was expected and what came")
  func statedStatus() async throws {
    let play = try await self.play("status: [200, 201]", .text(402))
    let check = try #require(play.step("a")?.expectations.first)
    #expect(check.expression == "status: 200 or 201")
    #expect(check.expected == "200 or 201")
    #expect(check.actual == "402")
    #expect(play.report.error?.title == "expected status 200 or 201, got 402")
    #expect(play.report.error?.status == 402)
  }

  @Test("a status outside the expected is an `assertion` too")
  func assertionTag() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            on_error: [ { when: assertion, then: continue } ]
        """, ["GET /a": [.text(404)]])
    #expect(play.statuses == ["a recovered"])
  }

  @Test("every expression is told, met or not, with both sides of a comparison")
  func expressions() async throws {
    let play = try await self.play(
      "- response.body.n == 41\n- response.body.n > 41\n- \"'x' in response.body.tags\"\n- response.body.gone == 1",
      .json(200, #"{"n": 41, "tags": ["y"]}"#))
    let checks = try #require(play.step("a")?.expectations)
    #expect(checks.map(\.isMet) == [true, false, false, false])
    #expect(checks[1].expected == "> 41")
    #expect(checks[1].actual == "41")
    #expect(checks[2].expected == #"in ["y"]"#)
    #expect(checks[2].actual == #""x""#)
    #expect(checks[3].problem.contains("gone"))
    #expect(play.report.error?.title == "3 expectations are not met")
  }

  @Test(
    "headers are compared as text, with matchers",
    arguments: [
      ("x-n: 5", true), ("X-N: \"5\"", true), ("x-n: 6", false), ("x-n: $any", true), ("x-n: $absent", false), ("x-gone: $absent", true),
      ("x-gone: 1", false), ("x-n: { $regex: \"^[0-9]$\" }", true), ("x-n: { $regex: \"^[a-z]$\" }", false),
    ])
  func headers(line: String, isMet: Bool) async throws {
    let play = try await self.play("headers:\n  \(line)", .text(200, headers: ["X-N": "5"]))
    #expect((play.outcome == "passed") == isMet)
    if !isMet { #expect(play.step("a")?.expectations.first?.expected?.isEmpty == false) }
  }

  @Test(
    "a body matches as a subset of objects, arrays exactly",
    arguments: [
      ("body: { a: 1 }", ""), ("body: { a: 1.0, list: [1, { b: x }] }", ""), ("body: { a: 2 }", "body.a: 2 | body.a: 1"),
      ("body: { list: [1] }", "body.list: 1 items | body.list: 2 items"),
      ("body: { list: [1, { b: y }] }", #"body.list[1].b: "y" | body.list[1].b: "x""#),
      ("body: { gone: 1 }", "body.gone: 1 | body.gone: absent"),
      ("body: { a: $absent }", "body.a: absent | body.a: 1"), ("body: { gone: $absent, a: $any, list: $any }", ""),
      ("body: { a: $string }", "body.a: $string | body.a: 1"), ("body: { a: $number, id: $uuid }", ""),
      ("body: { a: $uuid }", "body.a: $uuid | body.a: 1"),
      ("body: { a: { $between: [1, 2] } }", ""), ("body: { a: { $between: [2, 3] } }", "body.a: between 2 and 3 | body.a: 1"),
      ("body: { list: [1, { b: { $regex: \"^x\" } }] }", ""),
      ("body: { id: { $regex: \"^z\" } }", #"body.id: $regex "^z" | body.id: "9b2d7c1e-0c5f-4b6a-8d3e-2f1a0b9c8d7e""#),
    ])
  func body(expect: String, difference: String) async throws {
    let play = try await self.play(
      expect, .json(200, #"{"a": 1, "list": [1, {"b": "x", "c": 2}], "id": "9b2d7c1e-0c5f-4b6a-8d3e-2f1a0b9c8d7e"}"#))
    let check = try #require(play.step("a")?.expectations.first)
    #expect([check.expected, check.actual].compactMap(\.self).joined(separator: " | ") == difference)
    #expect(check.isMet == difference.isEmpty)
  }

  @Test("large integers are not rounded when they are compared")
  func largeIntegers() async throws {
    #expect(try await play("body: { a: 9007199254740993 }", .json(200, #"{"a": 9007199254740992}"#)).outcome == "failed assertion")
  }

  @Test("`max_duration` measures the answer, not the attempts before it")
  func maxDuration() async throws {
    #expect(try await play("max_duration: 2s", Answer.ok.after(.seconds(2))).outcome == "passed")
    let late = try await play("max_duration: 2s", Answer.ok.after(.seconds(3)))
    #expect(late.outcome == "failed assertion")
    #expect(late.step("a")?.expectations.first?.expected == "at most 2 s")
    #expect(late.step("a")?.expectations.first?.actual == "3 s")
    let retried = try await Play(
      api + "steps:\n  - { id: a, get: /a, retry: { attempts: 2, delay: 5s, jitter: none }, expect: { max_duration: 2s } }",
      ["GET /a": [.text(503), .ok]])
    #expect(retried.outcome == "passed")
  }

  // MARK: - error

  @Test(
    "`error` is met by that code alone",
    arguments: [
      (Answer.text(404), "passed", "http.404: the server answered 404"),
      (.text(409), "failed http.409", "http.409: the server answered 409"),
      (.refused, "errored network.connect", "network.connect: no connection: scripted"),
      (.ok, "failed assertion", "no error"),
    ])
  func expectedError(answer: Answer, outcome: String, actual: String) async throws {
    let play = try await self.play("error: http.404", answer)
    #expect(play.outcome == outcome)
    let check = try #require(play.step("a")?.expectations.first)
    #expect(check.expression == "error: http.404")
    #expect(check.expected == "http.404")
    #expect(check.actual == actual)
  }

  @Test("a step that succeeds by failing can be asked about its error")
  func expectedErrorIsRead() async throws {
    let play = try await Play(
      api + """
        steps:
          - id: a
            get: /a
            expect: { error: http.4xx }
          - id: b
            uses: log
            with: { message: "${{ steps.a.error.code }} ${{ steps.a.status }}" }
        """, ["GET /a": [.text(404)]])
    #expect(play.story.contains("# b http.404 succeeded"))
  }

  @Test("`that` beside `error` is asked about the error")
  func expectedErrorIsChecked() async throws {
    let met = try await self.play("error: http.4xx\nthat: [ error.sent == 'yes', error.code == 'http.404' ]", .text(404))
    #expect(met.outcome == "passed")
    #expect(met.step("a")?.expectations.map(\.isMet) == [true, true, true])
    let unmet = try await self.play("error: http.4xx\nthat: [ error.code == 'http.409' ]", .text(404))
    #expect(unmet.outcome == "failed assertion")
    #expect(unmet.report.error?.causes.first?.code == "http.404")
  }

  @Test("success where an error was expected is no success, not even of an expected `assertion`")
  func expectedAssertion() async throws {
    #expect(try await play("error: assertion", .ok).outcome == "failed assertion")
  }

  @Test("what is secret in a check is shown by no report")
  func secrets() async throws {
    let play = try await self.play(
      "body: { token: \"${{ secrets.key }}\" }\nheaders: { x-key: \"${{ secrets.key }}\" }\nthat: [ response.body.token == secrets.key ]",
      .json(200, #"{"token": "wrong"}"#), secrets: ["key": "hush-hush"])
    let checks = try #require(play.step("a")?.expectations)
    #expect(checks.count == 3 && checks.allSatisfy { !$0.isMet })
    #expect(!"\(play.events)".contains("hush-hush"))
    let right = try await self.play(
      "body: { token: \"${{ secrets.key }}\" }", .json(200, #"{"token": "hush-hush"}"#), secrets: ["key": "hush-hush"])
    #expect(right.outcome == "passed")
  }
}

extension String {
  /// Every line moved to the right.
  func indented(by count: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
  }
}
