import Diagnostics
import FlowSyntax
import SourceText
import Values

/// One environment of `baton.yaml`, with what it extends merged in.
struct RunEnvironment: Sendable {
  struct Connection: Sendable {
    let system: String?
    var settings: ValueMap
    var place: Place
  }

  struct Hosts: Sendable {
    var patterns: [HostPattern]
    /// Where they stand; the environment's name where it lists none.
    var place: Place
    var isListed: Bool
  }

  struct Source: Sendable {
    let source: ValueSourceSyntax
    let place: Place
  }

  let name: String
  /// The folder of `baton.yaml`, where its programs start and its paths begin.
  let folder: String
  var isLive = false
  var mayExec = false
  /// By alias or system.
  var connections: [String: Connection] = [:]
  var inputs = ValueMap()
  var secrets: [String: Source] = [:]
  var answers: [String: Source] = [:]
  var hosts: Hosts

  /// - Throws: why a flow has no such environment, as findings.
  static func load(_ name: String, of project: Project) throws(Findings) -> RunEnvironment {
    let document = try project.document(for: name)
    let known = document.environments.map(\.name.value)
    guard let own = document.environments.first(where: { $0.name.value == name }) else {
      var help = known.isEmpty ? "`\(document.file.path)` has none" : "known: \(known.map { "`\($0)`" }.joined(separator: ", "))"
      if let near = nearestName(to: name, among: known) { help = "did you mean `\(near)`?" }
      throw Findings([Diagnostic(.unknownName, "there is no environment `\(name)`", at: Place(document.file, Span(0, 0)), help: [help])])
    }
    var environment = RunEnvironment(
      name: name, folder: project.folder,
      hosts: Hosts(patterns: [], place: Place(document.file, own.name.span), isListed: false))
    // What is extended comes first, and is overwritten.
    for part in try chain(own, in: document).reversed() { environment.merge(part, of: document.file) }
    return environment
  }

  /// An environment, the one that it extends, and so on.
  private static func chain(_ own: EnvironmentSyntax, in document: ProjectDocument) throws(Findings) -> [EnvironmentSyntax] {
    var chain = [own]
    while let wanted = chain.last?.extends {
      let place = Place(document.file, wanted.span)
      guard let next = document.environments.first(where: { $0.name.value == wanted.value }) else {
        let near = nearestName(to: wanted.value, among: document.environments.map(\.name.value))
        throw Findings([
          Diagnostic(
            .unknownName, "there is no environment `\(wanted.value)` to extend", at: place,
            help: near.map { ["did you mean `\($0)`?"] } ?? [])
        ])
      }
      if let first = chain.firstIndex(where: { $0.name.value == wanted.value }) {
        let path = (chain[first...].map(\.name.value) + [wanted.value]).map { "`\($0)`" }.joined(separator: " → ")
        throw Findings([
          Diagnostic(
            .invalidValue, "these environments extend each other without end: \(path)", at: place,
            related: chain[first...].dropLast().compactMap(\.extends).map { .init(Place(document.file, $0.span), "extends `\($0.value)`") },
            help: ["let one of them stand by itself"])
        ])
      }
      chain.append(next)
    }
    return chain
  }

  /// Maps are merged by key; lists and single values replace.
  private mutating func merge(_ part: EnvironmentSyntax, of file: SourceFile) {
    if let isLive = part.isLive { self.isLive = isLive.value }
    if let mayExec = part.mayExec { self.mayExec = mayExec.value }
    for connection in part.connections {
      let settings = connection.settings.values
      let place = Place(file, connection.span)
      let before = connections[connection.alias.value]
      connections[connection.alias.value] = Connection(
        system: connection.system?.value ?? before?.system,
        settings: before.map { $0.settings.merged(with: settings) } ?? settings, place: place)
    }
    inputs = inputs.merged(with: part.inputs.values)
    for (name, source) in part.secrets { secrets[name.value] = Source(source: source, place: Place(file, name.span)) }
    for (name, source) in part.answers { answers[name.value] = Source(source: source, place: Place(file, name.span)) }
    guard let listed = part.hosts else { return }
    let span = listed.first.map { first in listed.reduce(first.span) { $0.joined(with: $1.span) } } ?? part.name.span
    hosts = Hosts(patterns: listed.map { HostPattern($0.value) }, place: Place(file, span), isListed: true)
  }
}

extension ValueMap {
  /// Maps in maps are merged too.
  fileprivate func merged(with other: ValueMap) -> ValueMap {
    var merged = self
    for (key, value) in other {
      if case .map(let inner) = value, case .map(let before)? = merged[key] {
        merged[key] = .map(before.merged(with: inner))
      } else {
        merged[key] = value
      }
    }
    return merged
  }
}

extension [DataSyntax.Entry] {
  /// Literal data.
  fileprivate var values: ValueMap {
    var map = ValueMap()
    for entry in self { map[entry.key.value] = entry.value.literal }
    return map
  }
}

extension DataSyntax {
  fileprivate var literal: Value {
    switch self {
    case .scalar(let scalar):
      switch scalar.literal {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .double(let value): .double(value)
      case .string: .string(scalar.text.text)
      }
    case .list(let items, _): .list(items.map(\.literal))
    case .map(let entries, _): .map(entries.values)
    }
  }
}
