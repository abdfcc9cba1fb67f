import Diagnostics
import FlowPlan
import Testing
import Values

@Suite("Plans: what the engine is given")
struct PlanTests {
  @Test func `steps without an id have a name of their own, nested ones too`() throws {
    let plan = try #require(
      Checked(
        plain(
          """
            - get: /a
            - id: g
              group:
                - get: /b
                  on_error:
                    - when: http
                      do:
                        - get: /c
                      then: fail
                - group:
                    - get: /d
          finally:
            - get: /e
          """)
      ).plan)
    let group = plan.steps[1]
    guard case .group(let inner) = group.action, case .group(let innermost) = inner[1].action else { throw Unexpected() }
    #expect(plan.steps[0].id == "steps[0]" && plan.steps[0].depth == 0)
    #expect(inner[0].id == "g.steps[0]" && inner[0].depth == 1)
    #expect(inner[0].branches[0].body[0].id == "g.steps[0].on_error[0].do[0]" && inner[0].branches[0].body[0].depth == 2)
    #expect(innermost[0].id == "g.steps[1].steps[0]" && innermost[0].depth == 2)
    #expect(plan.finally[0].id == "finally[0]")
  }

  @Test func `every step has slots of its own, one that is aliased too`() throws {
    let plan = try #require(
      Checked(
        plain(
          """
            - id: a
              get: /a
              on_error: &give_up
                - when: http.5xx
                  do:
                    - uses: log
                      with: { message: "gave up: ${{ error.code }}" }
                  then: fail
            - id: b
              get: /b
              on_error: *give_up
          """)
      ).plan)
    let slots = plan.steps.flatMap { [$0.slots.first] + $0.branches.flatMap { $0.body.map(\.slots.first) } }
    #expect(Set(slots).count == 4)
  }

  @Test func `defaults reach plain requests, and what a step says itself wins`() throws {
    let head = "defaults: { attempt_timeout: 3s, http: { follow: true, headers: { accept: text/plain, x-team: qa }, json: { a: 1 } } }\n"
    let checked = Checked(plain("  - post: /a\n    with: { headers: { Accept: application/json }, form: { b: c } }", head: head))
    let plan = try #require(checked.plan, "\(checked.text)")
    guard case .handler(let handler) = plan.steps[0].action else { throw Unexpected() }
    let with = try handler.with.evaluateMap(FlowFrame(slots: []))
    #expect(with["follow"] == true)
    #expect(with["headers"] == ["Accept": "application/json", "x-team": "qa"])
    #expect(with["json"] == nil)
    #expect(handler.attemptTimeout == .seconds(3))
  }

  @Test func `a mistake in the defaults is told once`() {
    let head = "defaults: { http: { folow: true } }\n"
    #expect(Checked(plain("  - get: /a\n  - get: /b", head: head)).diagnostics.map(\.message) == ["unknown key `folow`"])
  }

  @Test func `expressions in a URL are encoded, one that leads is not`() throws {
    let checked = Checked(
      plain("  - get: /a/${{ inputs.x }}?q=${{ inputs.x }}\n  - get: ${{ inputs.x }}/b", head: "inputs: { x: string }\n"))
    let plan = try #require(checked.plan, "\(checked.text)")
    let frame = FlowFrame(slots: [["x": "a b/c"]])
    let urls = try plan.steps.map { step in
      guard case .handler(let handler) = step.action else { throw Unexpected() }
      return try handler.with.evaluateMap(frame)["url"]
    }
    #expect(urls == ["/a/a%20b%2Fc?q=a%20b%2Fc", "a b/c/b"])
  }

  @Test func `omit leaves out a key and an item, null stays`() throws {
    let checked = Checked(plain("  - post: /a\n    with: { json: { a: \"${{ omit }}\", b: null, c: [1, \"${{ omit }}\", 2] } }"))
    let plan = try #require(checked.plan, "\(checked.text)")
    guard case .handler(let handler) = plan.steps[0].action else { throw Unexpected() }
    #expect(try handler.with.evaluateMap(FlowFrame(slots: []))["json"] == ["b": .null, "c": [1, 2]])
  }

  @Test(arguments: [
    ("http.4xx", "http.409", true), ("http.4xx", "http.500", false), ("http", "http.500", true), ("http.500", "http", false),
    ("rapidsos", "rapidsos.wrong_pin", true), ("rapidsos.wrong", "rapidsos.wrong_pin", false), ("timeout", "timeout.step", true),
  ])
  func `a pattern matches whole segments`(pattern: String, code: String, isMatch: Bool) {
    #expect(CodePattern(pattern).matches(code: code) == isMatch)
  }
}
