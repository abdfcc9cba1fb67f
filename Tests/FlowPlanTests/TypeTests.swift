import TestKit
import Testing

@Suite("Types: every expression and every `with` against what the handler takes")
struct TypeTests {
  @Test func `expressions`() throws {
    let head = "inputs: { n: integer, s: string, o: { type: string, optional: true }, l: { type: array }, b: boolean }\n"
    try expectGolden(
      transcript([
        "an int and a string": plain("  - if: inputs.n > '3'\n    get: /a", head: head),
        "a condition that is a string": plain("  - if: inputs.s\n    get: /a", head: head),
        "a condition that is an int": plain("  - if: inputs.n\n    get: /a", head: head),
        "a check that is a string": plain("  - get: /a\n    expect: [ response.text ]", head: head),
        "an optional input": plain("  - uses: log\n    with: { message: \"to ${{ inputs.o }}\" }", head: head),
        "an optional input under its guard": plain(
          "  - if: has(inputs.o)\n    uses: log\n    with: { message: \"to ${{ inputs.o }}\" }", head: head),
        "an optional input behind a step that ends without it": plain(
          "  - if: \"!has(inputs.o)\"\n    fail: { code: user.no_o }\n  - uses: log\n    with: { message: \"to ${{ inputs.o }}\" }",
          head: head),
        "a list in text": plain("  - uses: log\n    with: { message: \"all of ${{ inputs.l }}\" }", head: head),
        "null in text": plain("  - uses: log\n    with: { message: \"with ${{ null }}\" }", head: head),
        "what may be null in text": plain(
          "  - id: a\n    get: /a\n  - uses: log\n    with: { message: \"code ${{ steps.a.error }}\" }", head: head),
        "an optional in text": plain("  - uses: log\n    with: { message: \"so ${{ optional.of(inputs.s) }}\" }", head: head),
        "a map in a URL": plain("  - get: /a/${{ {'b': 1} }}", head: head),
        "a type that an output says it has": plain(
          "  - get: /a\n    outputs: { x: { value: \"${{ response.text }}\", type: integer } }", head: head),
        "a type that there is not": plain("  - get: /a\n    outputs: { x: { value: 1, type: int } }", head: head),
      ]), "types-expressions.txt")
  }

  @Test func `the variables of a call flow that the connection declares`() throws {
    func flood(_ variables: String) -> String {
      """
      connections:
        rapidsos:
          client_id: a
          client_secret: b
          call_flows:
            flood: { type: object, required: [depth], additionalProperties: false, properties: { depth: { type: number, minimum: 0 } } }
      steps:
        - uses: rapidsos/trigger-call-flow
          dedupe_key: d
          with: { call_flow: flood, variables: \(variables) }

      """
    }
    try expectGolden(
      transcript([
        "right": flood("{ depth: 1.5 }"),
        "right, with an expression": flood("{ depth: \"${{ 1.5 }}\" }"),
        "a misspelt member": flood("{ dept: 1 }"),
        "a misspelt member, with an expression": flood("{ dept: \"${{ 1.5 }}\" }"),
        "a wrong type": flood("{ depth: \"${{ 'deep' }}\" }"),
        "out of range": flood("{ depth: -1 }"),
      ]), "types-call-flows.txt")
  }

  @Test func `with`() throws {
    let inputs = "n: integer, s: string, f: number, o: { type: [string, 'null'] }"
    func trigger(_ with: String) -> String {
      rapidsos(
        "  - uses: rapidsos/trigger-call-flow\n    dedupe_key: \"${{ inputs.s }}\"\n    with:\n\(with)", head: "inputs: { \(inputs) }\n")
    }
    func pin(_ with: String) -> String {
      signedIn("  - uses: rapidsos/request-pin\n    with: { \(with) }", inputs: inputs)
    }
    try expectGolden(
      transcript([
        "a number that must be quoted": pin("phone: 2345678888"),
        "a bool that must be quoted": pin("phone: true"),
        "null": pin("phone: null"),
        "a list": pin("phone: [a]"),
        "a map": pin("phone: { a: b }"),
        "an int for a text": pin("phone: \"${{ inputs.n }}\""),
        "what may be null": pin("phone: \"${{ inputs.o }}\""),
        "a choice that there is not": pin("phone: \"+12345678888\", notation: digit"),
        "what is left out": pin("notation: digits"),
        "a required key omitted": pin("phone: \"${{ omit }}\""),
        "a choice among log-ins": rapidsos("  - uses: rapidsos/authenticate\n    with: { grant: pasword }"),
        "what a log-in needs": rapidsos("  - uses: rapidsos/authenticate\n    with: { grant: password, username: ada.lovelace }"),
        "what the app's own token does not take": rapidsos(
          "  - uses: rapidsos/authenticate\n    with: { grant: client_credentials, username: ada }"),
        "a quoted bool": "steps:\n  - id: p\n    uses: prompt\n    with: { text: PIN?, secret: \"true\" }\n",
        "a text for a list":
          "inputs: { s: string }\nsteps:\n  - id: p\n    uses: prompt\n    with: { text: which, kind: choice, choices: \"${{ inputs.s }}\" }\n",
        "a list of numbers for a list of texts":
          "inputs: { l: { type: array, items: { type: integer } } }\nsteps:\n  - id: p\n    uses: prompt\n    with: { text: which, kind: choice, choices: \"${{ inputs.l }}\" }\n",
        "inside a call flow's variables": trigger(
          """
                call_flow: kronos_contacts
                variables:
                  location: { latitude: high, longitude: "${{ inputs.f }}" }
                  user: { full_name: "", phone: "+12345678888" }
                  contacts:
                    - { full_name: Ira }
          """),
        "a call flow that there is not": trigger("      call_flow: kronos_contact\n      variables: {}"),
        "a setting of a connection":
          "connections: { api: { system: http, base_url: 8080, headers: [a] } }\nsteps:\n  - get: /\n",
        "a URL that is neither": plain("  - get: health"),
        "a token that must be stated": rapidsos("  - get: /v1/rain/user"),
      ]), "types-with.txt")
  }

  @Test func `templates`() throws {
    let head = "inputs: { a: string, c: boolean }\n"
    try expectGolden(
      transcript([
        "a part of a condition": plain("  - if: \"${{ inputs.a }} == 'x'\"\n    get: /a", head: head),
        "around the whole of a condition": plain("  - if: ${{ inputs.a == 'x' }}\n    get: /a", head: head),
        "no end": plain("  - uses: log\n    with: { message: \"to ${{ inputs.a\" }", head: head),
        "a string that does not end": plain("  - uses: log\n    with: { message: \"to ${{ inputs.a + 'x }} there\" }", head: head),
        "nothing inside": plain("  - uses: log\n    with: { message: \"to ${{ }}\" }", head: head),
        "a literal one": plain("  - uses: log\n    with: { message: \"write $${{ inputs.a }}\" }", head: head),
        "omit in text": plain("  - uses: log\n    with: { message: \"to ${{ omit }}\" }", head: head),
        "omit in an expression": plain("  - get: /a\n    with: { query: { a: \"${{ inputs.c ? inputs.a : omit }}\" } }", head: head),
        "omit of a key that is optional": plain(
          "  - get: /a\n    with: { query: \"${{ omit }}\", headers: { x: \"${{ omit }}\" } }", head: head),
        "omit of an output": plain("  - get: /a\n    outputs: { x: \"${{ omit }}\" }", head: head),
        "a habit of other tools": plain("  - uses: log\n    with: { message: \"${{ inputs.a || 'x' }}\" }", head: head),
        "across two lines": plain(
          "  - uses: log\n    with:\n      message: >-\n        to ${{ inputs.a }}\n        and ${{ inputs.b }}", head: head),
      ]), "types-templates.txt")
  }
}
