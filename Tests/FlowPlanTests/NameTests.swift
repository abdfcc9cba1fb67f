import TestKit
import Testing

@Suite("Names: what a flow names exists, once, and the nearest candidate is offered")
struct NameTests {
  @Test func `unknown names`() throws {
    try expectGolden(
      transcript([
        "a step of a known system": rapidsos("  - uses: rapidsos/fetch-profil"),
        "the beginning of a step": "connections: { ostelco: { client_id: a } }\nsteps:\n  - uses: ostelco/purchase\n",
        "a step of an unknown system": rapidsos("  - uses: rapidos/register\n    with: { username: ada }"),
        "a built-in step": "steps:\n  - uses: promt\n    with: { text: PIN? }\n",
        "a system": "connections:\n  rapidsoss: {}\nsteps:\n  - uses: rapidsos/fetch-profile\n",
        "a system behind an alias": "connections:\n  main: { base_url: https://x.test }\nsteps:\n  - get: /health\n    connection: main\n",
        "an input": "inputs: { username: string }\nsteps:\n  - uses: log\n    with: { message: \"${{ inputs.usrname }}\" }\n",
        "an input where none is declared": "steps:\n  - uses: log\n    with: { message: \"${{ inputs.name }}\" }\n",
        "the root of the inputs": "inputs: { a: string }\nsteps:\n  - uses: log\n    with: { message: \"${{ input.a }}\" }\n",
        "a secret": rapidsos(
          "  - uses: rapidsos/authenticate\n    with: { grant: password, username: ada, password: \"${{ secrets.pasword }}\" }"),
        "a connection": plain("  - get: /health\n    connection: apo"),
        "a connection where none is declared": "steps:\n  - get: /health\n    connection: api\n",
        "no connection of the system": plain("  - uses: rapidsos/fetch-profile"),
        "no connection for a path": "steps:\n  - get: /health\n",
        "an id": plain(
          "  - id: find\n    get: /a\n  - get: /b\n    if: steps.fnd.status == 'succeeded'"),
        "an id where no step has one": plain("  - get: /a\n  - get: /b\n    if: steps.find.status == 'succeeded'"),
        "an output": signedIn("  - id: me\n    uses: rapidsos/fetch-profile\n    expect: [ outputs.idd > 0 ]"),
        "an output of another step": signedIn(
          "  - id: me\n    uses: rapidsos/fetch-profile\n  - uses: log\n    with: { message: \"${{ steps.me.outputs.full_nam }}\" }"),
        "a part of a step": plain("  - id: a\n    get: /a\n  - uses: log\n    with: { message: \"${{ steps.a.output }}\" }"),
        "a function": "inputs: { a: string }\nsteps:\n  - if: inputs.a.startWith('x')\n    uses: log\n    with: { message: hi }\n",
        "a key in with": signedIn("  - uses: rapidsos/request-pin\n    with: { phome: \"+12345678888\" }"),
        "a key in with that is like none": signedIn("  - uses: rapidsos/request-pin\n    with: { phone: \"+12345678888\", colour: red }"),
        "a setting of a connection":
          "secrets: [a, b]\nconnections:\n  rapidsos: { client_id: \"${{ secrets.a }}\", client_secrt: \"${{ secrets.b }}\" }\nsteps:\n  - uses: log\n    with: { message: hi }\n",
        "a status": plain("  - id: a\n    get: /a\n  - if: steps.a.status == 'success'\n    get: /b"),
        "a status in a list": plain("  - id: a\n    get: /a\n  - if: steps.a.status in ['skiped', 'failed']\n    get: /b"),
        "the response of a typed step": signedIn("  - uses: rapidsos/fetch-profile\n    expect: [ response.status == 200 ]"),
        "the error outside of a branch": plain("  - get: /a\n  - uses: log\n    with: { message: \"${{ error.code }}\" }"),
        "the verdict before the end": plain("  - get: /a\n    if: run.verdict == 'passed'"),
        "a step in the settings of a connection":
          "connections:\n  api: { system: http, base_url: \"${{ steps.a.outputs.url }}\" }\nsteps:\n  - id: a\n    get: https://a.test/\n    outputs: { url: \"${{ response.text }}\" }\n  - get: /b\n",
        "a step in the name of a step": plain("  - name: after ${{ steps.nobody.status }}\n    get: /a"),
      ]), "names-unknown.txt")
  }

  @Test func `one unknown name silences what follows from it`() throws {
    try expectGolden(
      transcript([
        "an unknown step, and its outputs": """
        steps:
          - id: who
            uses: rapidsos/fetch-profle
            expect: [ outputs.id > 0 ]
            outputs: { n: "${{ outputs.id }}" }
            on_error:
              - when: rapidsos.not_found
                then: continue
                outputs: { n: 0 }
          - if: steps.who.outputs.n > 0 && steps.who.status == 'succeeded'
            uses: log
            with: { message: "${{ steps.who.outputs.n }}" }
        outputs: { id: "${{ steps.who.outputs.id }}" }

        """,
        "an unknown input, and the output made of it": plain(
          """
            - id: a
              get: /a
              outputs: { x: "${{ inputs.nobody }}" }
            - uses: log
              with: { message: "${{ steps.a.outputs.x.y }}" }
          """),
        "a broken input": """
        inputs: { count: { type: intger } }
        steps:
          - if: inputs.count > 3
            uses: log
            with: { message: "${{ inputs.count }}" }

        """,
        "a step whose form is wrong": """
        steps:
          - id: broken
            name: no action
          - uses: log
            with: { message: "${{ steps.broken.outputs.x + 1 }}" }

        """,
        "a system that is unknown, and its connection": """
        connections: { rapidsoss: {} }
        steps:
          - uses: rapidsos/fetch-profile
            connection: rapidsoss
          - get: /a

        """,
        "a misspelt key is not missing as well": signedIn("  - uses: rapidsos/request-pin\n    with: { fone: \"+12345678888\" }"),
        "a group with an unknown step, and its branch": rapidsos(
          """
            - group:
                - uses: rapidsos/validate-pinn
              on_error:
                - when: rapidsos.wrong_pin
                  then: fail
          """),
      ]), "names-silenced.txt")
  }

  @Test func `what stands twice`() throws {
    try expectGolden(
      transcript([
        "an input": "inputs:\n  a: string\n  a: integer\nsteps:\n  - uses: log\n    with: { message: \"${{ inputs.a }}\" }\n",
        "a secret": "secrets: [a, b, a]\nsteps:\n  - uses: log\n    with: { message: hi }\n",
        "a connection":
          "connections:\n  api: { system: http, base_url: https://a.test }\n  api: { system: http, base_url: https://b.test }\nsteps:\n  - get: /\n",
        "an output": plain("  - get: /a\noutputs:\n  x: 1\n  x: 2"),
        "an id": plain("  - id: a\n    get: /a\n  - id: a\n    get: /b\n  - if: steps.a.status == 'skipped'\n    get: /c"),
        "an id in a group": plain("  - id: a\n    get: /a\n  - group:\n      - id: a\n        get: /b"),
        "an output of the handler and of the step": signedIn(
          "  - uses: rapidsos/fetch-profile\n    outputs: { id: 7 }"),
        "the url of a plain request": plain("  - get: /a\n    with: { url: /b }"),
        "two log-ins need names": """
        secrets: [id, key]
        connections:
          one: { system: rapidsos, client_id: "${{ secrets.id }}", client_secret: "${{ secrets.key }}" }
          two: { system: rapidsos, client_id: "${{ secrets.id }}", client_secret: "${{ secrets.key }}" }
        steps:
          - uses: rapidsos/fetch-profile
          - get: /a

        """,
      ]), "names-twice.txt")
  }
}
