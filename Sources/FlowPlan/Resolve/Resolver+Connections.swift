import Diagnostics
import FlowSyntax
import SourceText
import StepKit

extension Resolver {
  mutating func resolveConnection(_ syntax: ConnectionSyntax) -> ConnectionPlan? {
    let name = syntax.system ?? syntax.alias
    guard let system = catalogue.system(name.value) else {
      reportUnknown(
        .unknownName, "system", name, among: catalogue.systems.map(\.name),
        help: syntax.system == nil ? ["name it with `system:` where the alias is not the system's name"] : [])
      return nil
    }
    if let earlier = document.connections.first(where: { $0.alias.value == syntax.alias.value }), earlier.alias.span != syntax.alias.span {
      report(
        .duplicateKey, "the connection `\(syntax.alias.value)` is declared twice", at: syntax.alias.span,
        related: [(earlier.alias.span, "first here")])
      return nil
    }
    // What is required may also come from the environment, so that it is asked for when the run is prepared.
    let settings = RecordShape(
      system.settings().fields.map { field in
        var optional = field
        optional.isRequired = false
        return optional
      })
    let data = resolveMap(syntax.settings, syntax.span, .record(settings), named: "", Locals())
    return ConnectionPlan(alias: syntax.alias.value, system: system, settings: data, place: Place(file, syntax.alias.span))
  }

  /// The connection that a step goes over: the one it names, or the only one of its system.
  mutating func connection(for step: StepSyntax, system: String, at span: Span) -> Int? {
    if let named = step.connection {
      guard let index = connections.firstIndex(where: { $0.alias == named.value }) else {
        reportUnknown(.unknownName, "connection", named, among: connections.map(\.alias))
        return nil
      }
      guard connections[index].system.name == system else {
        report(
          .typeMismatch, "`\(named.value)` is a connection of `\(connections[index].system.name)`, and this step needs one of `\(system)`",
          at: named.span)
        return nil
      }
      return index
    }
    let candidates = connections.indices.filter { connections[$0].system.name == system }
    if candidates.count == 1 { return candidates[0] }
    // A connection that failed to resolve is reported already.
    let isDeclared = document.connections.contains { ($0.system ?? $0.alias).value == system }
    if candidates.isEmpty, !isDeclared {
      report(
        .unknownName, "no connection of `\(system)` is declared", at: span,
        help: ["declare one: `connections: { \(system): { … } }`"])
    } else if candidates.count > 1 {
      report(
        .missingKey, "several connections of `\(system)` are declared, and this step names none", at: span,
        help: ["add `connection:` with one of \(candidates.map { "`\(connections[$0].alias)`" }.joined(separator: ", "))"])
    }
    return nil
  }

  /// The connection of a plain request: the one it names, or the only one of the flow; none for an absolute URL.
  mutating func plainConnection(for step: StepSyntax, isAbsolute: Bool, at span: Span) -> Int? {
    if let named = step.connection {
      guard let index = connections.firstIndex(where: { $0.alias == named.value }) else {
        reportUnknown(.unknownName, "connection", named, among: connections.map(\.alias))
        return nil
      }
      return index
    }
    if isAbsolute { return nil }
    if connections.count == 1 { return 0 }
    let plain = connections.indices.filter { connections[$0].system.name == "http" }
    if plain.count == 1 { return plain[0] }
    if document.connections.isEmpty {
      report(
        .unknownName, "a path needs a connection, and none is declared", at: span,
        help: ["write the whole URL, or declare `connections: { api: { system: http, base_url: https://… } }`"])
    } else if connections.count == document.connections.count {
      report(
        .missingKey, "several connections are declared, and this request names none", at: span,
        help: ["add `connection:` with one of \(connections.map { "`\($0.alias)`" }.joined(separator: ", "))"])
    }
    return nil
  }
}
