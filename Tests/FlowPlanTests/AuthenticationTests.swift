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
