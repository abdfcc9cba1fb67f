import FlowPlan
import HTTPTypes
import StepKit
import Values

/// The hosts that a run may reach: those that the flow names literally, and those that its operator handed in.
struct AllowedHosts: Sendable {
  /// `host:port`
  private let known: Set<String>

  init(_ run: PreparedRun, given: RunGivens) {
    var literals = run.plan.literals
    for (_, input) in given.inputs {
      switch input {
      case .text(let text): literals.append(text)
      case .data(let value): literals += value.texts
      }
    }
    literals += run.plan.inputs.compactMap { $0.fallback?.stringValue }
    for (_, settings) in given.connections { literals += Value.map(settings).texts }
    known = Set(literals.compactMap { text in Self.origin(of: text) })
  }

  func refusal(of address: WebAddress) -> StepFailure? {
    let host = "\(address.host):\(address.port)"
    if known.contains(host) { return nil }
    return StepFailure(
      "config.host", title: "this host is not allowed",
      detail: "`\(host)` is named neither in the flow nor by whoever runs it; name it literally, or allow it in the environment")
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
    withInner.flatMap { step in
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
