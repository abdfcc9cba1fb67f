import Diagnostics
import FlowSyntax
import SourceText

extension Resolver {
  /// `undo`: what takes back what its step did. It sees what was certain when the step had succeeded, and how the run ended.
  mutating func resolveUndo(_ syntax: UndoSyntax, _ index: Int, _ error: Located<String>?) -> UndoPlan {
    if isInUndo || isInFinally {
      let place = isInUndo ? "undo" : "finally"
      report(
        .invalidValue, "`undo` has no place in `\(place)`: nothing runs behind it that would take the step back",
        at: syntax.span.line(in: file, within: syntax.span), help: ["leave it out, or move the step to the flow's own steps"])
    }
    let (settled, outerUndo, outerStep, outerBranches) = (state, isInUndo, current, isInBranches)
    defer { (state, isInUndo, current, isInBranches) = (settled, outerUndo, outerStep, outerBranches) }
    state.outputs[index] = FlowState.Availability(expecting: error)
    (isInUndo, isInBranches) = (true, true)
    let steps = resolveBody(syntax.steps) { _ in () }.steps
    return UndoPlan(steps: steps, isAlways: syntax.isAlways)
  }
}
