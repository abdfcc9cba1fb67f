import FlowSyntax
import SourceText

extension Resolver {
  /// `undo`: what takes back what its step did. It sees what was certain when the step had succeeded, and how the run ended.
  mutating func resolveUndo(_ syntax: UndoSyntax, _ index: Int) -> UndoPlan {
    let (settled, outerUndo, outerStep, outerBranches) = (state, isInUndo, current, isInBranches)
    defer { (state, isInUndo, current, isInBranches) = (settled, outerUndo, outerStep, outerBranches) }
    state.outputs[index] = .always
    (isInUndo, isInBranches) = (true, true)
    let steps = resolveBody(syntax.steps) { _ in () }.steps
    return UndoPlan(steps: steps, isAlways: syntax.isAlways)
  }
}
