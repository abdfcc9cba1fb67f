import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

extension Resolver {
  mutating func resolveBody(_ steps: [StepSyntax]) -> [StepPlan] {
    let outer = scope
    scope = table.scope(of: steps)
    defer { scope = outer }
    return steps.compactMap { resolveStep($0) }
  }

  mutating func resolveStep(_ step: StepSyntax) -> StepPlan? {
    guard let index = table.index(of: step) else { return nil }
    let before = state
    let condition = step.condition.flatMap { resolveExpression($0, Locals(), isCondition: true) }
    checkConstant(condition)
    if let condition { guards.append(Guard(text: condition.text.text.trimmed, expression: condition.program.expression)) }
    let action = resolveAction(step, index)
    let locals = Locals(outputs: ownOutputs(action), hasResponse: action?.isPlainHTTP ?? false)
    let outputs = resolveOutputs(step.outputs, locals)
    table[index].outputs = stepOutputs(action, outputs)
    table[index].hasResponse = locals.hasResponse
    let expect = resolveExpect(step.expect, Locals(outputs: table[index].outputs, hasResponse: locals.hasResponse), action)
    if condition != nil { guards.removeLast() }
    let afterSuccess = state
    let failable = FlowState.failed(before: before, after: afterSuccess, inside: table.indices(in: step.innerSteps))
    let branches = resolveBranches(step, index, failedState: failable, action: action)
    settleState(step, index, condition, before: before, afterSuccess: afterSuccess)
    guard let action else { return nil }
    let retry = resolveRetry(step.retry ?? document.defaults.retry, isStated: step.retry != nil, action)
    return StepPlan(
      id: table[index].id, depth: scope.count - 1 < 0 ? 0 : scope.count - 1, place: Place(file, step.id?.span ?? step.action.span),
      slots: table[index].slots, condition: condition, action: action, expect: expect, outputs: outputs, retry: retry,
      timeout: step.timeout?.value ?? document.defaults.timeout?.value ?? action.ownTimeout, branches: branches)
  }

  /// What is certain behind the step.
  private mutating func settleState(
    _ step: StepSyntax, _ index: Int, _ condition: CompiledExpression?, before: FlowState, afterSuccess: FlowState
  ) {
    state = afterSuccess
    var availability = FlowState.Availability.always
    if step.expect?.error != nil {
      availability.isDoubtful = true
      availability.reason = ("this step succeeds by failing", step.expect?.span ?? step.span)
    }
    let continuing = step.onError.filter { $0.then?.value == "continue" }
    if !continuing.isEmpty {
      let supplied = continuing.map { Set($0.outputs.map(\.name.value)) }
      availability.fields = supplied.dropFirst().reduce(supplied[0]) { $0.intersection($1) }
      availability.reason = ("this branch continues without them", continuing[0].span)
      state.signedIn = state.signedIn.intersection(before.signedIn)
    }
    if let condition {
      availability.conditions = [condition.text.text.trimmed]
      availability.reason = availability.reason ?? ("the step may be skipped", condition.text.fileSpan)
      state.signedIn = state.signedIn.intersection(before.signedIn)
    }
    state.outputs[index] = availability
  }

  private mutating func checkConstant(_ condition: CompiledExpression?) {
    guard let condition, condition.program.expression.isConstant else { return }
    report(
      .constantCondition, "this condition is the same at every run", at: condition.text.fileSpan, help: ["leave the `if` out, or the step"],
      severity: .warning)
  }

  // MARK: - outputs

  /// What `outputs` means in the step's own modifiers.
  private func ownOutputs(_ action: ActionPlan?) -> ValueType? {
    guard case .handler(let handler)? = action, !handler.isPlainHTTP else { return nil }
    return .record(handler.outputType)
  }

  /// What the rest of the flow sees: the handler's outputs and the step's own.
  private func stepOutputs(_ action: ActionPlan?, _ outputs: [OutputPlan]) -> ValueType {
    guard let action else { return .error }
    var fields: [RecordType.Field] = []
    var name = "the outputs of this step"
    var isOpen = false
    if case .handler(let handler) = action, !handler.isPlainHTTP {
      let record = handler.outputType
      fields = record.fields
      name = record.name
      isOpen = record.isOpen
    }
    fields += outputs.map { RecordType.Field($0.name, $0.value.type) }
    return .record(RecordType(name, fields, isOpen: isOpen))
  }

  mutating func resolveOutputs(_ outputs: [OutputSyntax], _ locals: Locals) -> [OutputPlan] {
    checkUnique(outputs.map { ($0.name.value, $0.name.span) }, what: "output")
    return outputs.map { output in
      OutputPlan(
        name: output.name.value, value: resolveData(output.value, nil, named: output.name.value, locals), isSecret: output.isSecret,
        place: Place(file, output.name.span))
    }
  }
}

extension StepSyntax {
  /// The steps of its own bodies, branches left out.
  var innerSteps: [StepSyntax] {
    if case .group(let steps, _) = action { steps } else { [] }
  }
}

extension FlowState {
  /// When the step itself failed: nothing that it did is certain.
  static func failed(before: FlowState, after: FlowState, inside: [Int]) -> FlowState {
    var state = before
    for index in inside {
      var availability = after.outputs[index] ?? .always
      availability.isDoubtful = true
      state.outputs[index] = availability
    }
    state.signedIn = before.signedIn.intersection(after.signedIn)
    return state
  }
}

extension HandlerPlan {
  /// The type of the handler's outputs, as far as its input decides it.
  fileprivate var outputType: RecordType {
    var literals = ValueMap()
    if case .map(let members) = with {
      for (key, member) in members {
        if case .constant(let value) = member { literals[key] = value } else { literals[key] = .null }
      }
    }
    return step.refineOutput(literals).recordType(named: "the output of `\(step.about.name)`")
  }
}

extension ActionPlan {
  var isPlainHTTP: Bool {
    if case .handler(let handler) = self { handler.isPlainHTTP } else { false }
  }

  /// A prompt waits ten minutes unless the flow says otherwise (language.md §3).
  var ownTimeout: Duration? {
    if case .handler(let handler) = self, handler.step.about.name == "prompt" { .seconds(600) } else { nil }
  }
}

extension DataPlan {
  /// The type that expressions see of it.
  var type: ValueType {
    switch self {
    case .constant(let value): value.staticType
    case .expression(let expression): expression.program.type
    case .text, .url: .string
    case .list: .list(.dyn)
    case .map(let members): .record(RecordType("this map", members.map { RecordType.Field($0.key, $0.value.type) }))
    case .omit: .dyn
    }
  }
}

extension Value {
  fileprivate var staticType: ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double, .decimal: .double
    case .string: .string
    case .bytes: .bytes
    case .timestamp: .timestamp
    case .duration: .duration
    case .list: .list(.dyn)
    case .map: .map(.string, .dyn)
    case .type, .optional: .dyn
    case .secret(let inner): inner.staticType
    }
  }
}
