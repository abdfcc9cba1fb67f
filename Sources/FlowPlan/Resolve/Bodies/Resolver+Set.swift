import CEL
import Diagnostics
import FlowSyntax
import JSONSchema
import SourceText
import StepKit
import Values

/// `set`: names that last to the end of the flow, and what lasts between runs.
extension Resolver {
  mutating func resolveSet(_ entries: [DataSyntax.Entry], at span: Span) -> ActionPlan {
    if let concurrent {
      report(
        .invalidValue, "`set` has no place where steps run beside each other", at: span, related: [(concurrent, "they do so here")],
        help: ["give the value as an output of the body, and set it behind"])
    }
    checkUnique(entries.map { ($0.key.value, $0.key.span) }, what: "name")
    return .set(
      entries.compactMap { entry in
        entry.key.value.hasPrefix("state.") ? setState(entry) : setVariable(entry)
      })
  }

  private mutating func setVariable(_ entry: DataSyntax.Entry) -> SetPlan? {
    let name = entry.key.value
    // What is no name is reported where the form is read.
    if name.contains(".") { return nil }
    let value = resolveData(entry.value, nil, named: name, Locals())
    let isSecret = firstSecret(in: value) != nil
    if let earlier = variables[name] {
      // One type for life; what was null at first may become anything.
      let joined = earlier.type.widened(by: value.type)
      if !value.type.fits(earlier.type), !earlier.type.isNull {
        report(
          .typeMismatch, "`\(name)` is \(article(earlier.type)), and cannot become \(article(value.type))", at: entry.value.span,
          label: "\(value.type)", related: [(earlier.place, "set here first")], help: ["a name has one type for life: take another name"])
      }
      variables[name] = FlowVariable(
        type: earlier.type.isNull ? joined ?? earlier.type : earlier.type, isSecret: earlier.isSecret || isSecret, place: earlier.place)
    } else {
      variables[name] = FlowVariable(type: value.type, isSecret: isSecret, place: entry.key.span)
    }
    state.vars[name] = .always
    noteSet(name)
    return SetPlan(root: .vars, name: name, value: value, place: Place(file, entry.key.span))
  }

  private mutating func setState(_ entry: DataSyntax.Entry) -> SetPlan? {
    let name = Located(String(entry.key.value.dropFirst("state.".count)), entry.key.span)
    let value = resolveData(entry.value, nil, named: entry.key.value, Locals())
    guard let declared = states.first(where: { $0.name.value == name.value }) else {
      if !document.state.contains(where: { $0.name.value == name.value }) {
        reportUnknown(
          .unknownName, "state", name, among: states.map(\.name.value), help: states.isEmpty ? ["declare it under `state:`"] : [])
      }
      return nil
    }
    if !value.type.fits(declared.type) {
      report(
        .typeMismatch, "`state.\(name.value)` must be \(article(declared.type)), not \(article(value.type))", at: entry.value.span,
        label: "\(value.type)", related: [(declared.name.span, "declared here")])
    } else if let constant = entry.value.constant, let violation = declared.schema.validate(constant).first {
      report(.invalidValue, "`state.\(name.value)` is not valid: \(violation.message)", at: entry.value.span)
    }
    checkKept(value)
    noteSet(entry.key.value)
    return SetPlan(root: .state, name: name.value, value: value, place: Place(file, entry.key.span))
  }

  // MARK: - reading

  /// The roots `vars` and `state`, where there is anything in them.
  var flowVariables: [Variable] {
    let slots = Slots(count: 0)
    var all: [Variable] = []
    if !variableNames.isEmpty {
      let fields = variableNames.map { RecordType.Field($0, variables[$0]?.type ?? .dyn) }
      all.append(Variable(name: "vars", type: .record(RecordType("the variables", fields)), slot: slots.vars))
    }
    if !document.state.isEmpty {
      let fields = document.state.map { declared in
        RecordType.Field(declared.name.value, states.first { $0.name.value == declared.name.value }?.type ?? .error)
      }
      all.append(Variable(name: "state", type: .record(RecordType("the state", fields)), slot: slots.state))
    }
    return all
  }

  /// A name that `set` gives must have been set on every way here.
  mutating func checkVariable(_ name: String, _ proof: Proof, at place: Span) {
    if proof.hasVariable(name) { return }
    guard let availability = state.vars[name] else {
      return report(
        .outputMayBeMissing, "`vars.\(name)` has not been set where this is evaluated", at: place, label: "not set yet",
        related: variables[name].map { [($0.place, "it is set here")] } ?? [], help: ["set it before, on every way here"])
    }
    guard availability.isDoubtful || !availability.conditions.isSubset(of: proof.holds) else { return }
    report(
      .outputMayBeMissing, "`vars.\(name)` may not have been set here", at: place, label: "may be missing",
      related: availability.reason.map { [($0.span, $0.text)] } ?? [],
      help: ["set it before, on every way here, or give a fallback: `default(vars.\(name), …)`"])
  }
}

extension ConnectionPlan {
  /// The settings that expressions may read: those that are not secret.
  var openSettings: RecordType {
    let shape = system.settings()
    let secret = shape.secretFields
    let name = "the connection `\(alias)`"
    var fields = shape.recordType(named: name).fields.filter { !secret.contains($0.name) }
    // No run begins without it.
    if let address = fields.firstIndex(where: { $0.name == "base_url" }) { fields[address] = RecordType.Field("base_url", .string) }
    return RecordType(name, fields)
  }
}
