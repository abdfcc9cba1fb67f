import Diagnostics
import FlowPlan
import TestKit
import Testing
import Values

@Suite("Preparation: what a run is given is complete and right before the first request")
struct PreparationTests {
  private let inputs = """
    inputs:
      name: { type: string, minLength: 3, description: "Who signs in." }
      phone: { type: string, format: phone, region: US }
      count: { type: integer, default: 3 }
      ratio: { type: number, optional: true }
      tags: { type: array, items: { type: string }, optional: true }
      flag: { type: boolean, optional: true }
      pin: { type: integer, optional: true, secret: true }
    secrets: [id, key]

    """

  private func plan(_ connection: String = "system: http, base_url: https://a.test") throws -> Plan {
    let checked = Checked(
      inputs + """
        connections:
          api: { \(connection) }
        steps:
          - id: ask
            uses: prompt
            with: { text: "PIN for ${{ inputs.name }}?", sms_to: "${{ inputs.phone }}" }
          - group:
              - id: secret_word
                uses: prompt
                with: { text: Word?, secret: true }

        """)
    return try #require(checked.plan, "\(checked.text)")
  }

  /// All that the flow needs.
  private func givens(_ change: (inout RunGivens) -> Void = { _ in }) -> RunGivens {
    var givens = RunGivens()
    givens.inputs = ["name": .text("ada"), "phone": .text("(234) 567-8888")]
    givens.secrets = ["id": "a", "key": "b"]
    givens.answers = ["ask", "secret_word"]
    change(&givens)
    return givens
  }

  private func refusal(_ plan: Plan, _ givens: RunGivens) -> String {
    let (run, diagnostics) = plan.prepare(givens)
    #expect(run == nil)
    return HumanRenderer().render(diagnostics)
  }

  @Test func `what is missing, invalid or unknown is told at once`() throws {
    let nothing = RunGivens()
    let wrong = givens {
      $0.inputs = [
        "name": .text("al"), "phone": .text("12"), "count": .text("many"), "ratio": .data("high"), "tags": .text("a, b"),
        "flag": .text("yes"),
        "pin": .text("hunter2"), "nmae": .text("ada"),
      ]
      $0.answers = ["asc", "secret_word"]
      $0.secrets["key"] = ""
    }
    let rapidsos = try plan("system: rapidsos, client_id: \"${{ secrets.id }}\"")
    let texts: KeyValuePairs<String, String> = [
      "nothing is given": refusal(try plan(), nothing),
      "everything is wrong": refusal(try plan(), wrong),
      "a connection without all it needs": refusal(rapidsos, givens()),
      "a connection whose settings wait for a secret": refusal(rapidsos, givens { $0.secrets = [:] }),
      "a connection without a base URL": refusal(try plan("system: http"), givens()),
      "a base URL that is none": refusal(try plan("system: http, base_url: \"${{ inputs.name }}\""), givens()),
      "settings from outside that do not fit": refusal(
        try plan(), givens { $0.connections["api"] = ValueMap(["base_url": 8080, "colour": "red"]) }),
    ]
    try expectGolden(texts.map { "## \($0)\n\n\($1)" }.joined(separator: "\n\n"), "preparation.txt")
  }

  @Test func `inputs are read by their type and normalised`() throws {
    let run = try #require(
      plan().prepare(
        givens {
          $0.inputs["ratio"] = .text("10")
          $0.inputs["tags"] = .text(#"["a", "b"]"#)
          $0.inputs["flag"] = .text("true")
          $0.inputs["pin"] = .text("4711")
        }
      ).run)
    #expect(run.inputs["phone"] == "+12345678888")
    #expect(run.inputs["count"] == .int(3))
    #expect(run.inputs["ratio"] == .double(10))
    #expect(run.inputs["tags"] == ["a", "b"])
    #expect(run.inputs["flag"] == true)
    #expect(run.inputs["pin"] == .secret(.int(4711)))
    #expect(run.secrets["id"] == .secret("a"))
  }

  @Test(arguments: ["2345678888", "12345678888", "+1 234 567 8888", "(234) 567-8888", "234.567.8888"])
  func `every notation of a phone is one number`(text: String) throws {
    let run = try #require(plan().prepare(givens { $0.inputs["phone"] = .data(.string(text)) }).run)
    #expect(run.inputs["phone"] == "+12345678888")
  }

  @Test func `what is optional may be left out, and is not there then`() throws {
    let run = try #require(plan().prepare(givens()).run)
    #expect(run.inputs.mapValue?.map(\.key.text) == ["name", "phone", "count"])
  }

  @Test func `a whole number from a JSON file is an int, whatever its notation`() throws {
    let run = try #require(plan().prepare(givens { $0.inputs["count"] = .data(.double(4)) }).run)
    #expect(run.inputs["count"] == .int(4))
  }

  @Test func `the sandbox makes up secrets and answers what is sent by SMS`() throws {
    let run = try #require(
      plan().prepare(
        givens {
          $0.secrets = [:]
          $0.answers = ["secret_word"]
          $0.isSandbox = true
        }
      ).run)
    #expect(run.secrets["key"] == .secret("sandbox-key"))
  }

  @Test func `a terminal answers every prompt`() throws {
    let prepared = try plan().prepare(
      givens {
        $0.answers = []
        $0.hasTerminal = true
      })
    #expect(prepared.run != nil)
  }

  @Test func `settings from outside win, by alias over by system`() throws {
    let run = try #require(
      plan().prepare(
        givens {
          $0.connections["http"] = ValueMap(["base_url": "https://system.test", "bearer": "token"])
          $0.connections["api"] = ValueMap(["base_url": "https://alias.test"])
        }
      ).run)
    #expect(run.settings[0]["base_url"] == "https://alias.test")
    #expect(run.settings[0]["bearer"] == "token")
    #expect(run.settings[0]["headers"] == .map(ValueMap()))
  }

  @Test func `prompts are known with how they may be answered`() throws {
    let prompts = try plan().prompts
    #expect(prompts.map(\.stepID) == ["ask", "secret_word"])
    #expect(prompts.map(\.readsOutbox) == [true, false])
    #expect(prompts.map(\.isSecret) == [false, true])
  }
}

extension ValueMap {
  fileprivate init(_ members: KeyValuePairs<String, Value>) {
    self.init()
    for (key, value) in members { self[key] = value }
  }
}
