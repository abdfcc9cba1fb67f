import TestKit
import Testing

/// The same person a dozen times at once, at every system and at a shop whose token is stored.
@Suite(.timeLimit(.minutes(2))) struct CrossingTests {
  private static let flow = "Tests/Crossing/person.flow.yaml"
  private static let cases = "Tests/Crossing/person.scenarios.yaml"

  @Test func noCaseSeesWhatAnotherHasDone() async throws {
    let workspace = try Workspace()
    try workspace.write("person.flow.yaml", try Workspace.shipped(Self.flow))
    try workspace.write("person.scenarios.yaml", try Workspace.shipped(Self.cases))
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 0 && run.stdout.contains("12 passed"), "\(run)")
  }

  /// The same cases one after the other in one world: each of the things that cases do not share is seen to be missing.
  @Test func theseCasesWouldSeeIt() async throws {
    let workspace = try Workspace()
    try workspace.write("person.flow.yaml", try Workspace.shipped(Self.flow))
    try workspace.write(
      "person.scenarios.yaml",
      """
      flow: person.flow.yaml
      defaults:
        routes:
          - { route: POST /token, json: { access_token: t1, token_type: Bearer, expires_in: 3600 } }
          - { route: GET /orders, json: [] }
      cases:
        - name: person 1
          expect: &first { verdict: passed, outputs: { visits: 1 }, requests: { POST /token: 1, GET /orders: 1 } }
          then:
            run: { expect: *first }
      """)
    let run = try await workspace.baton("test", ".")
    #expect(run.code == 1, "\(run)")
    for line in ["outputs.visits", "POST /token"] { #expect(run.stdout.contains(line), "\(run)") }
  }
}
