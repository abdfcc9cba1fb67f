import Diagnostics
import FlowSyntax
import SourceText

/// Runs that are killed, and those that take them up.
extension ScenarioResolver {
  /// The numbers of the runs that a fault with `kill` stops, from 0: those that a `resume` follows.
  mutating func resolveKills(_ syntax: ScenarioSyntax, _ world: ScenarioWorld) -> Set<Int> {
    let resumes = syntax.then.enumerated().filter { $0.element.verb.value == "resume" }
    let kill = world.faults.first { $0.kill != nil }
    // A fault that is wrong is missing from the world.
    let isStated = syntax.faults.contains { $0.settings.contains { $0.key.value == "kill" } }
    if isWhole, !isStated {
      for (_, resume) in resumes {
        report(
          .invalidValue, "nothing stops the run that this is to take up", at: resume.verb.span,
          help: ["add a fault that does, such as `faults: [ { route: \"POST /v1/users\", kill: after_send } ]`, or write `run`"])
      }
    }
    if isWhole, let kill, resumes.isEmpty {
      report(
        .invalidValue, "this kills the run, and nothing takes it up again", at: kill.place.span,
        help: ["add `then: { resume: { expect: … } }` to the case"])
    }
    return kill == nil ? [] : Set(resumes.map(\.offset))
  }

  /// A run that is killed has no end of which anything could be said.
  mutating func checkEndless(_ expect: ScenarioExpectSyntax) {
    let stated = [
      ("verdict", expect.verdict?.span), ("code", expect.code?.span), ("outputs", expect.outputs.map { line(of: $0.span) }),
    ]
    for case (let name, let span?) in stated {
      report(
        .invalidValue, "a run that is killed has no `\(name)`", at: span,
        help: ["expect it of the run that takes it up: `then: { resume: { expect: { \(name): … } } }`"])
    }
  }
}
