import Diagnostics
import FlowSyntax
import SourceText
import StepKit

extension Resolver {
  mutating func resolveConnection(_ syntax: ConnectionSyntax) -> ConnectionPlan? {
    if let earlier = document.connections.first(where: { $0.alias.value == syntax.alias.value }), earlier.alias.span != syntax.alias.span {
      report(
        .duplicateKey, "the connection `\(syntax.alias.value)` is declared twice", at: syntax.alias.span, label: "again",
        related: [(earlier.alias.span, "first here")])
      return nil
    }
    let name = syntax.system ?? syntax.alias
    guard let system = catalogue.system(name.value) else {
      reportUnknown(
        .unknownName, "system", name, among: catalogue.systems.map(\.name),
        help: syntax.system == nil ? ["an alias that is not a system's name needs `system:` under it"] : [])
      return nil
    }
    // What is required may also come from the environment, so that it is asked for when the run is prepared.
    let settings = RecordShape(
      system.settings().fields.map { field in
        var optional = field
        optional.isRequired = false
        return optional
      })
    let data = resolveMap(syntax.settings, at: syntax.alias.span, .record(settings), named: "", Locals(isOfConnection: true))
    return ConnectionPlan(
      alias: syntax.alias.value, system: system, settings: data, isBorrowed: syntax.isBorrowed, place: Place(file, syntax.alias.span))
  }

  /// The connection of this alias; nil, with the reason reported here or where it is declared.
  mutating func connection(named name: Located<String>) -> Int? {
    if let index = connections.firstIndex(where: { $0.alias == name.value }) { return index }
    if !document.connections.contains(where: { $0.alias.value == name.value }) {
      reportUnknown(
        .unknownName, "connection", name, among: connections.map(\.alias),
        help: document.connections.isEmpty ? ["declare it: `connections: { \(name.value): { … } }`"] : [])
    }
    return nil
  }

  /// The connection that a typed step goes over: the one it names, or the only one of its system.
  mutating func connection(for step: StepSyntax, system: String, at span: Span) -> Int? {
    if let named = step.connection {
      guard let index = connection(named: named) else { return nil }
      guard connections[index].system.name == system else {
        report(
          .typeMismatch, "`\(named.value)` is a connection of `\(connections[index].system.name)`, and this step needs one of `\(system)`",
          at: named.span, related: [(connections[index].place.span, "declared here")])
        return nil
      }
      return index
    }
    let candidates = connections.indices.filter { connections[$0].system.name == system }
    if candidates.count == 1 { return candidates[0] }
    if candidates.count > 1 {
      report(
        .missingKey, "several connections of `\(system)` are declared, and this step names none", at: span,
        help: ["add `connection:` with one of \(quotedList(candidates.map { connections[$0].alias }))"])
    } else if connections.count == document.connections.count {
      // Else one of them is reported already, and may be the one that is meant.
      report(
        .unknownName, "no connection of `\(system)` is declared", at: span,
        help: ["declare one: `connections: { \(system): { … } }`"])
    }
    return nil
  }
}
