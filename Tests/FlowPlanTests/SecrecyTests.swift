import TestKit
import Testing

@Suite("Secrecy: no secret flows to where it is shown")
struct SecrecyTests {
  private let head = "inputs: { pin: { type: string, secret: true }, name: string }\nsecrets: [key]\n"

  @Test func `exposed`() throws {
    try expectGolden(
      transcript([
        "in a path": plain("  - get: /a/${{ secrets.key }}", head: head),
        "in a value of the path": plain("  - get: /a/{id}\n    with: { path: { id: \"${{ inputs.pin }}\" } }", head: head),
        "in a query": plain("  - get: /a\n    with: { query: { key: \"${{ secrets.key }}\" } }", head: head),
        "in a query, with a reason": plain(
          "  - get: /a\n    with: { query: { key: { value: \"${{ secrets.key }}\", secret_in_url: the old API } } }", head: head),
        "in a log": plain("  - uses: log\n    with: { message: \"key ${{ secrets.key }}\" }", head: head),
        "in a message": plain("  - fail: { code: user.no, message: \"not ${{ inputs.pin }}\" }", head: head),
        "in a name": plain("  - name: with ${{ secrets.key }}\n    get: /a", head: head),
        "in a question": plain(
          "  - id: p\n    uses: prompt\n    with: { text: \"is it ${{ secrets.key.size() > 3 ? secrets.key : '' }}?\" }", head: head),
        "in an input that is shown": signedIn("  - uses: rapidsos/request-pin\n    with: { phone: \"${{ secrets.password }}\" }"),
        "in an output": plain(
          "  - id: a\n    get: /a\n    outputs: { k: \"${{ secrets.key + 'x' }}\" }\noutputs: { k: \"${{ inputs.pin }}\" }", head: head),
        "out of a handler": rapidsos(
          """
            - id: log_in
              uses: rapidsos/authenticate
              with: { grant: client_credentials }
            - id: pin
              uses: prompt
              with: { text: PIN?, secret: true }
            - uses: log
              with: { message: "${{ steps.log_in.outputs.access_token }} ${{ steps.log_in.outputs.token_type }} ${{ steps.pin.outputs.value }}" }
          """),
        "a base URL": "secrets: [u]\nconnections: { api: { system: http, base_url: \"${{ secrets.u }}\" } }\nsteps:\n  - get: /\n",
      ]), "secrecy.txt")
  }

  @Test func `where secrets belong`() {
    let fine = [
      plain(
        "  - post: /a\n    with: { json: { k: \"${{ secrets.key }}\" }, headers: { x: \"${{ inputs.pin }}\" }, bearer: \"${{ secrets.key }}\" }",
        head: head),
      plain(
        "  - get: /a\n    outputs: { k: { value: \"${{ secrets.key }}\", secret: true } }\n    expect: [ outputs.k != '' ]", head: head),
      // A condition on a secret is none.
      plain("  - uses: log\n    if: secrets.key != ''\n    with: { message: \"${{ secrets.key == 'x' ? 'yes' : 'no' }}\" }", head: head),
    ]
    for flow in fine { #expect(!Checked(flow).text.contains("secret-exposed"), "\(Checked(flow).text)") }
  }
}
