internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

extension NativeReader {
  /// `on_error`: an ordered list of branches.
  mutating func branches(_ node: Node) -> [BranchSyntax] {
    (items(node, "on_error") ?? []).compactMap { branch($0) }
  }

  private mutating func branch(_ node: Node) -> BranchSyntax? {
    guard let fields = fields(node, of: "a branch of `on_error`", known: NativeKeys.branch) else { return nil }
    var branch = BranchSyntax(when: fields["when"].map { codes($0, "when") } ?? [], span: node.span)
    branch.reason = fields["reason"].flatMap { text($0, "reason") }
    branch.condition = fields["if"].flatMap { expression($0, "if") }
    branch.body = fields["do"].map { steps($0, "do") } ?? []
    branch.then = fields["then"].flatMap { choice($0, "then", NativeKeys.endings) }
    branch.max = fields["max"].flatMap { integer($0, "max", 1...Int.max) }
    branch.code = fields["code"].flatMap { text($0, "code") }
    branch.message = fields["message"].flatMap { template($0, "message") }
    branch.verdict = fields["verdict"].flatMap { choice($0, "verdict", NativeKeys.verdicts) }
    branch.outputs = fields["outputs"].map { outputs($0) } ?? []

    if fields["when"] == nil {
      reportMissing("when", in: "a branch of `on_error`", node.span, help: fields.hasUnknownKey ? [] : ["name the codes that it is for"])
    }
    if fields["reason"] == nil, let any = branch.when.first(where: { $0.value == "any" }) {
      report(.missingKey, "`when: any` needs a `reason`", any.span, help: ["say why every error is meant, or name the codes"])
    }
    if fields["then"] == nil || branch.then != nil { checkCompanions(fields, of: branch) }
    return branch.when.isEmpty ? nil : branch
  }

  /// The keys that belong to one `then` and mean nothing beside another.
  private mutating func checkCompanions(_ fields: Fields, of branch: BranchSyntax) {
    let then = branch.then?.value ?? "fail"
    if then == "retry", fields["max"] == nil, let span = branch.then?.span {
      report(.missingKey, "`then: retry` needs `max`", span, help: ["say how often at most, such as `max: 2`"])
    }
    if then == "end", fields["verdict"] == nil, let span = branch.then?.span {
      report(.missingKey, "`then: end` needs `verdict`", span, help: ["write `verdict: passed` or `verdict: failed`"])
    }
    let ends = then == "end" && branch.verdict?.value != "passed"
    let owners: [(key: String, isFine: Bool, owner: String)] = [
      ("max", then == "retry", "then: retry"), ("verdict", then == "end", "then: end"), ("outputs", then == "continue", "then: continue"),
      ("code", then == "fail" || ends, "then: fail"), ("message", then == "fail", "then: fail"),
    ]
    for (key, isFine, owner) in owners where !isFine {
      guard let entry = fields.entry(key) else { continue }
      let related = branch.then.map { [Diagnostic.Label(Place(file, $0.span), "this branch ends here")] } ?? []
      report(.invalidValue, "`\(key)` belongs to `\(owner)`, not to `then: \(then)`", entry.key.span, related: related)
    }
  }
}
