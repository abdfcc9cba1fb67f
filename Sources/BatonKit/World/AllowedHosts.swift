import FlowPlan
import HTTPTypes
import StepKit
import Values

/// The hosts that a run may reach: those that its environment lists; without one, those that the flow names literally
/// and those that its operator handed in. The run's own sandbox is always among them.
struct AllowedHosts: Sendable {
  /// `host:port`
  private let known: Set<String>
  private let environment: RunEnvironment?

  /// - Parameter own: addresses that the run itself serves.
  init(_ run: PreparedRun, given: RunGivens, environment: RunEnvironment?, own: [String]) {
    self.environment = environment
    guard environment == nil else {
      known = Set(own.compactMap { Self.origin(of: $0) })
      return
    }
    var literals = run.plan.literals
    for (_, input) in given.inputs {
      switch input {
      case .text(let text): literals.append(text)
      case .data(let value): literals += value.texts
      }
    }
    literals += run.plan.inputs.compactMap { $0.fallback?.stringValue }
    for (_, settings) in given.connections { literals += Value.map(settings).texts }
    known = Set(literals.compactMap { Self.origin(of: $0) } + literals.compactMap { Self.proxy(of: $0) })
  }

  func refusal(of address: WebAddress) -> StepFailure? {
    let host = "\(address.host):\(address.port)"
    if known.contains(host) { return nil }
    if let environment {
      if environment.hosts.patterns.contains(where: { $0.matches(address) }) { return nil }
      return StepFailure(
        "config.host", title: "this host is not allowed",
        detail: "the environment `\(environment.name)` does not allow `\(address.listedHost)`; add it to its `hosts` in `baton.yaml`")
    }
    return StepFailure(
      "config.host", title: "this host is not allowed",
      detail: "`\(host)` is named neither in the flow nor by whoever runs it; name it literally, or allow it in the environment")
  }

  /// A proxy's URL has no path, and may have a scheme or a user that no request has.
  private static func proxy(of text: String) -> String? {
    guard text.contains("://"), let proxy = try? ProxyServer(text) else { return nil }
    return "\(proxy.host):\(proxy.port)"
  }

  private static func origin(of text: String) -> String? {
    guard text.hasPrefix("http://") || text.hasPrefix("https://"), let address = try? WebAddress(text) else { return nil }
    return "\(address.host):\(address.port)"
  }
}

extension Value {
  /// Every text in it.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .list(let items): items.flatMap(\.texts)
    case .map(let map): map.flatMap { $0.value.texts }
    case .secret(let inner): inner.texts
    default: []
    }
  }
}

extension Plan {
  /// The literal texts of connections and of requests' addresses.
  fileprivate var literals: [String] {
    connections.flatMap { $0.settings.literals } + (steps + finally).flatMap(\.literals)
  }
}

extension StepPlan {
  fileprivate var literals: [String] {
    withInner.flatMap { step -> [String] in
      switch step.action {
      case .handler(let handler): handler.with.literals
      case .call(let call): call.flow.literals
      case .group, .choose, .forEach, .repeating, .parallel, .set, .wait, .fail, .end: []
      }
    }
  }
}

extension DataPlan {
  fileprivate var literals: [String] {
    switch self {
    case .constant(let value): value.texts
    case .text(let segments), .url(let segments):
      // `https://host/…${{ }}` names its host as long as the path has begun.
      if case .literal(let text)? = segments.first { [text] } else { [] }
    case .list(let items): items.flatMap(\.literals)
    case .map(let members): members.flatMap(\.value.literals)
    case .expression, .omit: []
    }
  }
}
