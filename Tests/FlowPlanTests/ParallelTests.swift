import FlowPlan
import TestKit
import Testing

@Suite("parallel: branches that run beside each other")
struct ParallelTests {
  private func branches(_ branches: String, _ rest: String = "") -> String {
    plain("  - id: both\n    parallel:\n      branches:\n\(branches)\n\(rest)", head: "inputs: { go: boolean }\n")
  }

  @Test func `what is wrong`() throws {
    try expectGolden(
      transcript([
        "a step of another branch": branches(
          "        a: [ { id: a, get: /a } ]\n        b: [ { get: \"/${{ steps.a.response.status }}\" } ]"),
        "a step of a branch, seen from outside": branches(
          "        a: [ { id: a, get: /a } ]\n        b: [ { get: /b } ]", "  - get: /${{ steps.a.response.status }}"),
        "an output of no branch": branches(
          "        a: { steps: [ { id: a, get: /a } ], outputs: { n: 1 } }\n        b: [ { get: /b } ]",
          "  - get: /${{ steps.both.outputs.a.m }}/${{ steps.both.outputs.c.n }}"),
        "set beside others": branches("        a: [ { set: { n: 1 } } ]\n        b: [ { get: /b } ]"),
        "set in a concurrent loop": plain(
          "  - for_each: { in: [a, b], concurrency: 2 }\n    steps: [ { set: { last: \"${{ item }}\" } } ]"),
        "a step behind a branch that ends the flow": branches("        a: [ { end: passed } ]\n        b: [ { get: /b } ]", "  - get: /c"),
      ]), "parallel.txt")
  }

  @Test func `what is right`() {
    let fine: [String] = [
      branches(
        "        a: { steps: [ { id: a, get: /a } ], outputs: { n: \"${{ steps.a.response.status }}\" } }\n        b: [ { get: /b } ]",
        "      on_branch_error: finish\n    on_error: [ { when: parallel.failed, then: fail } ]\n  - if: steps.both.outputs.a.n == 200\n    get: /c"
      ),
      // One secret among the outputs of a branch makes no secret of the others.
      "secrets: [key]\n"
        + branches(
          "        a: { steps: [ { get: /a } ], outputs: { n: 1, key: { value: \"${{ secrets.key }}\", secret: true } } }\n        b: [ { get: /b } ]",
          "  - get: /${{ steps.both.outputs.a.n }}"),
    ]
    for flow in fine { #expect(Checked(flow).text == "no findings\n", "\(flow)") }
  }

  @Test func `a branch that signs in has a session of its own`() throws {
    let logIn = "{ uses: rapidsos/authenticate, with: { grant: password, username: ada, password: \"${{ secrets.password }}\" } }"
    func flow(_ first: String, _ rest: String = "") -> String {
      signedIn("  - parallel:\n      branches:\n        a: [ \(first) ]\n        b: [ { uses: rapidsos/fetch-profile } ]\n\(rest)")
    }
    let plan = try #require(Checked(flow(logIn)).plan)
    guard case .parallel(let parallel) = plan.steps[1].action else { throw Unexpected() }
    #expect(parallel.branches.map(\.body.ownSessions) == [[0], []])
    // Before its own log-in nobody is signed in there; behind the branches the user is who it was.
    #expect(Checked(flow("{ uses: rapidsos/fetch-profile }, \(logIn)")).text.contains("nobody has signed in"))
    #expect(Checked(flow(logIn, "  - uses: rapidsos/fetch-profile")).text == "no findings\n")
  }
}
