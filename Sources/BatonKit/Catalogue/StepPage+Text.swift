import StepKit
import Values

extension StepPage {
  /// For a terminal, and for whoever reads along in a pipe.
  func text(_ layout: TextLayout = TextLayout()) -> String {
    let about = step.about
    var text = "\(about.name)\n" + layout.line("  ", about.summary) + "\n"
    if let system {
      text += layout.line("  connection  ", "\(system.title): `baton steps \(system.name)` shows its settings")
    }
    if let needs = needsWords { text += layout.line(system == nil ? "  connection  " : "              ", "needs \(needs)") }
    text += layout.line("  effect      ", "\(about.effect.rawValue): \(effectWords)")
    if about.isEmergency {
      text += layout.line("              ", "emergency: needs a `dedupe_key`, and stays on the sandbox outside of `--live`")
    }
    text += layout.line("  token       ", (about.token == .none ? "" : "\(about.token.rawValue), ") + tokenWords)
    if about.signsIn, about.token != .none { text += layout.line("              ", "signs a user in on its connection") }
    if let signsOutWords { text += layout.line("              ", signsOutWords) }
    text += section("inputs", input.rows(), layout)
    for refinement in refinements where !refinement.input.isEmpty {
      text += section("inputs where `\(refinement.condition)`", RecordShape(refinement.input).rows(), layout)
    }
    text += section("outputs", output.rows(), layout)
    for refinement in refinements where !refinement.output.isEmpty {
      text += section("outputs where `\(refinement.condition)`", RecordShape(refinement.output).rows(), layout)
    }
    return text + errors(layout) + "\nexample\n" + wholeExample(indent: 2)
  }

  private func section(_ title: String, _ rows: [FieldRow], _ layout: TextLayout) -> String {
    rows.isEmpty ? "" : "\n\(title)\n" + layout.rows(rows, indent: 2)
  }

  private func errors(_ layout: TextLayout) -> String {
    guard !step.errors.isEmpty else { return "" }
    let pairs = step.errors.map { error in
      (name: error.code, text: [error.title, error.help, error.actedWords ?? ""].filter { !$0.isEmpty }.joined(separator: " — "))
    }
    return "\nerrors, beside those of every request\n" + layout.pairs(pairs, indent: 2)
  }
}

extension StepError {
  /// Said only where the provider may have acted all the same.
  var actedWords: String? { isRejected ? nil : "the provider may have acted" }
}
