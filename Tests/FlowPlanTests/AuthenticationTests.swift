import TestKit
import Testing

@Suite("Definite authentication: a step that needs a user has one on every path")
struct AuthenticationTests {
  private let logIn =
    "uses: rapidsos/authenticate\n    with: { grant: password, username: ada.lovelace, password: \"${{ secrets.password }}\" }"
  private let profile = "uses: rapidsos/fetch-profile"
  private let go = "inputs: { go: boolean }\n"

  @Test func `nobody may be signed in`() throws {
    try expectGolden(
      transcript([
        "before the log-in": rapidsos("  - \(profile)\n  - \(logIn)"),
        "without any": rapidsos("  - \(profile)"),
        "the app's own token is no user's": rapidsos(
          "  - uses: rapidsos/authenticate\n    with: { grant: client_credentials }\n  - \(profile)"),
        "a log-in that may be skipped": rapidsos("  - id: log_in\n    if: inputs.go\n    \(logIn)\n  - \(profile)", head: go),
        "a log-in that may go on after an error": rapidsos(
          "  - id: log_in\n    \(logIn)\n    on_error: [ { when: auth.invalid_grant, then: continue } ]\n  - \(profile)"),
        "a second log-in that may be refused forgets the first": rapidsos(
          "  - \(logIn)\n  - id: again\n    \(logIn)\n    on_error: [ { when: auth.invalid_grant, then: continue } ]\n  - \(profile)"),
        "in the branch of the log-in": rapidsos(
          "  - \(logIn)\n    on_error:\n      - when: auth.invalid_grant\n        do:\n          - \(profile)\n        then: fail"),
        "another connection": """
        secrets: [id, key, password]
        connections:
          one: { system: rapidsos, client_id: "${{ secrets.id }}", client_secret: "${{ secrets.key }}" }
          two: { system: rapidsos, client_id: "${{ secrets.id }}", client_secret: "${{ secrets.key }}" }
        steps:
          - \(logIn)
            connection: one
          - \(profile)
            connection: two

        """,
        "a plain request with the user's token": rapidsos("  - get: /v1/rain/personal-info\n    with: { token: user }"),
        "in finally": rapidsos("  - id: log_in\n    \(logIn)\nfinally:\n  - \(profile)"),
        "a group that may go on": rapidsos(
          "  - id: g\n    group:\n      - \(logIn.replacing("\n", with: "\n    "))\n    on_error: [ { when: network, then: continue } ]\n  - \(profile)"
        ),
      ]), "authentication.txt")
  }

  private let person = "connections: { ostelco: { client_id: \"${{ secrets.id }}\" } }\nsecrets: [id]\nsteps:\n"
  private let enter = "  - id: enter\n    uses: ostelco/login\n"
  private let leave = "  - id: leave\n    uses: ostelco/logout\n"
  private let read = "  - uses: ostelco/get-profile\n"

  @Test func `nobody is signed in any more`() throws {
    try expectGolden(
      transcript([
        "behind a log-out": person + enter + read + leave + read,
        "another system's":
          "connections: { afero: { client_id: a, client_secret: b } }\nsteps:\n  - uses: afero/sign-in\n    with: { username: ada@example.test, password: pa55word }\n  - uses: afero/sign-out\n  - uses: afero/list-devices\n    with: { account_id: acc-1 }\n",
        "a log-out that says so":
          "connections: { sami: { client_id: a, redirect_uri: https://a.test/ } }\nsteps:\n  - uses: sami/authorize\n  - uses: sami/logout\n    with: { forget: true }\n  - uses: sami/get-self\n",
        "a plain connection":
          "connections: { api: { system: http, base_url: https://a.test, oauth: { token_url: /token, client_id: app } } }\nsteps:\n  - uses: oauth/token\n    connection: api\n    with: { grant: refresh_token, refresh_token: r-1, keep: true }\n  - get: /me\n  - uses: oauth/sign-out\n    connection: api\n  - get: /me\n",
        "a log-out that may be skipped": go + person + enter + leave + "    if: inputs.go\n" + read,
        "in one case of two": go + person + enter
          + "  - switch:\n      - if: inputs.go\n        steps:\n          - uses: ostelco/logout\n      - else: []\n" + read,
        "in one branch beside others": person + enter
          + "  - parallel:\n      branches:\n        a: [ { uses: ostelco/logout } ]\n        b: [ { wait: 1s } ]\n" + read,
        "in finally": person + enter + leave + "finally:\n" + read,
        "a user of the settings":
          "connections: { afero: { client_id: a, client_secret: b, username: ada@example.test, password: pa55word } }\nsteps:\n  - uses: afero/sign-out\n  - uses: afero/list-devices\n    with: { account_id: acc-1 }\n",
        "tokens that were kept": person.replacing("\" }", with: "\", token_store: true }") + read + leave + read,
      ]), "authentication-signed-out.txt")
  }

  @Test func `a log-out takes nothing away`() {
    let fine = [
      person + enter + leave + enter.replacing("enter", with: "again") + read,
      go + person + enter + leave + "    if: inputs.go\n" + read + "    if: \"!inputs.go\"\n",
      go + person + enter + leave + "    if: inputs.go\n" + enter.replacing("enter", with: "again") + "    if: inputs.go\n" + read,
      // It ends the session at the host alone.
      "connections: { sami: { client_id: a, redirect_uri: https://a.test/ } }\nsteps:\n  - uses: sami/authorize\n  - uses: sami/logout\n  - uses: sami/get-self\n",
      // That nobody is signed in any more is what it proves.
      person + enter + leave + read + "    expect: { error: auth.expired }\n",
      // Another person's.
      "connections:\n  one: { system: ostelco, client_id: a }\n  two: { system: ostelco, client_id: a }\nsteps:\n"
        + "  - { uses: ostelco/login, connection: one }\n  - { uses: ostelco/logout, connection: two }\n  - { uses: ostelco/get-profile, connection: one }\n",
    ]
    for flow in fine { #expect(Checked(flow).diagnostics.isEmpty, "\(flow)\n\(Checked(flow).text)") }
  }

  @Test func `a flow that is called signs out what it is lent`() {
    let files = ["leave.flow.yaml": "connections: { ostelco: borrowed }\nsteps:\n" + leave]
    let call = "  - call: leave.flow.yaml\n    connections: { ostelco: ostelco }\n"
    let text = Checked(person + enter + call + read, files: files).text
    #expect(text.contains("error[not-authenticated]: `ostelco/get-profile` needs a signed-in user, and whoever was has been signed out"))
    #expect(Checked(person + enter + call, files: files).diagnostics.isEmpty)
    // Behind its own log-out it cannot count on its caller.
    let inner = ["leave.flow.yaml": "connections: { ostelco: borrowed }\nsteps:\n" + leave + read]
    #expect(Checked(person + enter + call, files: inner).text.contains("error[not-authenticated]"))
  }

  @Test func `somebody is signed in`() {
    let fine = [
      rapidsos("  - \(logIn)\n  - \(profile)"),
      // The same condition, and the log-in's own status.
      rapidsos("  - id: log_in\n    if: inputs.go\n    \(logIn)\n  - if: inputs.go\n    \(profile)", head: go),
      rapidsos("  - id: log_in\n    if: inputs.go\n    \(logIn)\n  - if: steps.log_in.status == 'succeeded'\n    \(profile)", head: go),
      rapidsos("  - id: log_in\n    \(logIn)\nfinally:\n  - if: steps.log_in.status == 'succeeded'\n    \(profile)"),
      // A branch that signs in before it goes on, by whatever way.
      rapidsos(
        "  - \(logIn)\n    on_error:\n      - when: auth.invalid_grant\n        do:\n          - \(logIn.replacing("\n", with: "\n        "))\n        then: continue\n  - \(profile)"
      ),
      // A conditional second log-in leaves the first where it is skipped.
      rapidsos("  - \(logIn)\n  - if: inputs.go\n    \(logIn)\n  - \(profile)", head: go),
      // Inside a group, and behind it.
      rapidsos("  - group:\n      - \(logIn.replacing("\n", with: "\n    "))\n      - \(profile)\n  - \(profile)"),
      rapidsos("  - if: \"!inputs.go\"\n    end: passed\n  - if: inputs.go\n    \(logIn)\n  - \(profile)", head: go),
    ]
    for flow in fine { #expect(Checked(flow).diagnostics.isEmpty, "\(flow)\n\(Checked(flow).text)") }
  }
}
