import FlowPlan
import TestKit
import Testing
import Values

@Suite("for_each: over a list, a map or a table")
struct ForEachTests {
  private let head = """
    inputs:
      users: { type: array, maxItems: 5, items: { type: object, properties: { name: { type: string }, age: { type: integer } }, required: [name] } }
      any: { type: array, items: { type: string } }
      maybe: { type: array, items: { type: string }, maxItems: 3, optional: true }
      name: string

    """
  private let files = [
    "users.csv": "name,age\nAda,36\nGrace,\n", "ages.csv": "name,age\nAda,many\n", "ragged.csv": "name,age\nAda\n", "none.csv": "name\n",
  ]

  private func each(_ source: String, _ body: String = "      - get: /${{ item }}", _ rest: String = "", more: String = "") -> String {
    plain("  - id: all\n    for_each:\n      in: \(source)\n\(more)    steps:\n\(body)\n\(rest)", head: head)
  }

  @Test func `what is wrong`() throws {
    try expectGolden(
      transcript(
        [
          "a field that the items do not have": each("inputs.users", "      - get: /${{ item.nam }}"),
          "a field that an item may lack": each("inputs.users", "      - get: /${{ item.age }}"),
          "an input without a bound": each("inputs.any"),
          "the answer of a step": plain(
            "  - id: a\n    get: /a\n  - for_each: { in: steps.a.response.body.items }\n    steps: [ { get: \"/${{ item.id }}\" } ]"),
          "what is no list": each("inputs.name"),
          "what may be null": each("\"[1] == [2] ? ['a'] : null\""),
          "an empty list": each("[]"),
          "fewer items than it must have": each("[a]", more: "      min_items: 2\n"),
          "more items than it may have": each("[a, b]", more: "      max_items: 1\n"),
          "a name with a meaning": each("[a, b]", more: "      as: inputs\n"),
          "the item outside of it": each("[a, b]", "      - get: /a", "  - get: /${{ item }}"),
          "a step of it, seen from outside": each("[a, b]", "      - id: b\n        get: /b", "  - get: /${{ steps.b.response.status }}"),
          "a misspelt column": each("\"csv('users.csv', {'age': 'integer'})\"", "      - get: /${{ item.agee }}"),
          "an empty cell of a typed column": each(
            "\"csv('users.csv', {'age': 'integer'})\"", "      - get: /${{ item.age }}"),
          "a cell of another type": each("\"csv('ages.csv', {'age': 'integer'})\"", "      - get: /${{ item.name }}"),
          "a type for a column that is not there": each("\"csv('users.csv', {'aeg': 'integer'})\"", "      - get: /${{ item.name }}"),
          "a ragged row": each("\"csv('ragged.csv')\"", "      - get: /${{ item.name }}"),
          "a table without rows": each("\"csv('none.csv')\"", "      - get: /${{ item.name }}"),
          "a table that is not there": each("\"csv('user.csv')\"", "      - get: /${{ item.name }}"),
          "a table whose name is computed": each("csv(inputs.name)", "      - get: /${{ item.name }}"),
          "a secret item, logged": rapidsos(
            "  - for_each: { in: [\"${{ secrets.key }}\"] }\n    steps: [ { uses: log, with: { message: \"${{ item }}\" } } ]"),
          "an output of items that may have failed": each(
            "[a, b]", "      - id: b\n        get: /b",
            "    outputs: { n: \"${{ steps.b.response.status }}\" }\n    on_error: [ { when: http, then: continue } ]\n  - if: steps.all.outputs.items[0].outputs.n == 1\n    get: /a"
          ),
          "a code that it cannot raise": each("[a, b]", "      - get: /b", "    on_error: [ { when: parallel.failed, then: fail } ]"),
        ], files: files), "for-each.txt")
  }

  @Test func `what is right`() {
    let fine: [String] = [
      each("inputs.users", "      - get: /${{ item.name }}/${{ loop.index }}/${{ loop.key }}", more: "      key: item.name\n"),
      each("inputs.any", more: "      max_items: 10\n"),
      each("inputs.users.filter(user, has(user.age))", "      - get: /${{ user.name }}", more: "      as: user\n"),
      each("{ a: 1, b: 2 }", "      - get: /${{ item.key }}/${{ item.value + 1 }}"),
      each("\"csv('users.csv', {'age': 'integer'})\"", "      - get: /${{ item.name }}/${{ default(item.age, 0) }}"),
      each("\"csv('none.csv')\"", "      - get: /${{ item.name }}", more: "      min_items: 0\n"),
      each(
        "[a, b]", "      - id: b\n        get: /b",
        "    outputs: { n: \"${{ steps.b.response.status }}\" }\n    on_error: [ { when: parallel.failed, then: fail } ]\n  - if: steps.all.outputs.items.all(i, i.status == 'succeeded')\n    get: /a",
        more: "      on_item_error: finish\n"),
      // Behind a loop that may not go on where it fails, every item has succeeded.
      each(
        "[a, b]", "      - id: b\n        get: /b",
        "    outputs: { n: \"${{ steps.b.response.status }}\" }\n  - if: steps.all.outputs.items[0].outputs.n == 1\n    get: /a"),
      // A loop that has failed still tells of its items.
      each(
        "[a, b]", "      - id: b\n        get: /b",
        "    outputs: { n: \"${{ steps.b.response.status }}\" }\n    on_error: [ { when: http, then: continue } ]\n  - if: steps.all.outputs.items.all(i, i.outputs == null || i.outputs.n == 200)\n    get: /a"
      ),
      // The items of one loop bound the next.
      each("[a, b]", "      - get: /a", "  - for_each: { in: steps.all.outputs.items }\n    steps: [ { get: \"/${{ item.key }}\" } ]"),
    ]
    for flow in fine { #expect(Checked(flow, files: files).text == "no findings\n", "\(flow)") }
  }

  @Test func `rows are read when the plan is made`() throws {
    let plan = try #require(Checked(each("\"csv('users.csv', {'age': 'integer'})\"", "      - get: /${{ item.name }}"), files: files).plan)
    guard case .forEach(let loop) = plan.steps[0].action, case .rows(let rows) = loop.source else { throw Unexpected() }
    #expect(rows == [["name": "Ada", "age": 36], ["name": "Grace", "age": .null]])
    #expect(loop.minItems == 1 && loop.concurrency == 1 && loop.stopsOnError)
  }

  @Test func `items that sign in beside each other have sessions of their own`() throws {
    func flow(_ concurrency: Int) -> String {
      rapidsos(
        """
          - for_each: { in: [ada, grace], concurrency: \(concurrency) }
            steps:
              - uses: rapidsos/authenticate
                with: { grant: password, username: "${{ item }}", password: "${{ secrets.password }}" }
              - uses: rapidsos/fetch-profile
          - uses: rapidsos/fetch-profile
        """)
    }
    // One after the other, the last one stays signed in.
    #expect(Checked(flow(1)).text == "no findings\n")
    #expect(Checked(flow(2)).text.contains("nobody has signed in"))
  }
}
