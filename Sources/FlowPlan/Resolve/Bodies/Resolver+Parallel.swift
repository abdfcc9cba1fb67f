import Diagnostics
import FlowSyntax
import SourceText
import Values

/// `parallel`: branches that run beside each other; none sees the steps of another.
extension Resolver {
  mutating func resolveParallel(_ parallel: ParallelSyntax, _ name: String) -> ResolvedBodies {
    checkUnique(parallel.branches.map { ($0.name.value, $0.name.span) }, what: "branch")
    let before = state
    var branches: [(name: String, body: BodyPlan)] = []
    var outputs = RecordType(name, [])
    var secret: Set<String> = []
    var after = before
    for branch in parallel.branches {
      state = before
      let body = resolveConcurrent(branch.body.steps, at: branch.name.span) { resolver, ownSessions in
        let (steps, outputs) = resolver.resolveBody(branch.body.steps) { $0.resolveOutputs(branch.body.outputs, Locals()) }
        return BodyPlan(steps: steps, outputs: outputs, ownSessions: ownSessions)
      }
      // All of them have run behind it.
      after.outputs.merge(state.outputs) { mine, _ in mine }
      for (connection, signOut) in state.signOuts where before.signOuts[connection]?.step != signOut.step {
        after.signOut(signOut.step, on: connection)
      }
      branches.append((branch.name.value, body))
      outputs.fields.append(
        RecordType.Field(branch.name.value, .record(record("the outputs of branch `\(branch.name.value)`", body.outputs))))
      secret.formUnion(body.outputs.filter(\.isSecret).map { "\(branch.name.value).\($0.name)" })
    }
    state = after
    return ResolvedBodies(
      action: .parallel(ParallelPlan(branches: branches, stopsOnError: (parallel.onBranchError?.value ?? "stop") == "stop")),
      outputs: outputs,
      secretOutputs: secret)
  }
}
