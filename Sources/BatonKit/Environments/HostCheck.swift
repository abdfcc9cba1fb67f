import Diagnostics
import FlowPlan
import SourceText
import StepKit
import Values

/// The hosts of a flow that are known before its first request, held against those that an environment lists.
struct HostCheck {
  let environment: RunEnvironment

  /// - Parameter isServed: whether the sandbox takes a connection over; its address is its own.
  func findings(in plan: Plan, isServed: (ConnectionPlan) -> Bool = { _ in false }) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for flow in [plan] + plan.calledPlans {
      for connection in flow.connections where !connection.isBorrowed && !isServed(connection) {
        for (url, place) in addresses(of: connection) { check(url, at: place, into: &findings) }
      }
      for step in flow.steps + flow.finally {
        for inner in step.withInner {
          for url in inner.literalURLs { check(url, at: inner.place.place(of: url), into: &findings) }
        }
      }
    }
    return findings
  }

  /// The addresses of connections that are known once inputs and secrets are.
  func findings(in run: PreparedRun, isServed: (ConnectionPlan) -> Bool) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for (connection, settings) in zip(run.plan.connections, run.settings) where !connection.isBorrowed && !isServed(connection) {
      let known = addresses(of: connection).map(\.url)
      for (name, url) in settings.webAddresses where isCalled(name, connection) && !known.contains(url) {
        check(url, at: connection.place, into: &findings)
      }
    }
    return findings
  }

  /// The addresses that the environment gives a connection, else those that the flow does, as far as they are literal.
  private func addresses(of connection: ConnectionPlan) -> [(url: String, place: Place)] {
    var found: [String: (String, Place)] = [:]
    for (name, text) in connection.settings.webAddresses("") { found[name] = (text, connection.place.place(of: text)) }
    if let own = environment.connection(for: connection) {
      // What the environment gives stands in the flow's place, whole: of `oauth` all members.
      for (key, _) in own.settings { found = found.filter { $0.key != key.text && !$0.key.hasPrefix("\(key.text).") } }
      for (name, text) in own.settings.webAddresses { found[name] = (text, own.place.place(of: text)) }
    }
    // A redirect's address or an audience is called by nobody.
    return found.filter { isCalled($0.key, connection) }.sorted { $0.key < $1.key }.map(\.value)
  }

  private func isCalled(_ setting: String, _ connection: ConnectionPlan) -> Bool {
    connection.system.urls.contains(setting) || ["oauth.token_url", "oauth.revocation_url"].contains(setting)
  }

  private func check(_ url: String, at place: Place, into findings: inout [Diagnostic]) {
    guard let address = try? WebAddress(url), !environment.hosts.patterns.contains(where: { $0.matches(address) }) else { return }
    let host = address.listedHost
    let isListed = environment.hosts.isListed
    findings.append(
      Diagnostic(
        .hostNotAllowed, "the environment `\(environment.name)` does not allow the host `\(host)`", at: place,
        related: [.init(environment.hosts.place, isListed ? "it allows these" : "it lists no `hosts`")],
        help: [isListed ? "add `\(host)` to its `hosts`" : "write `hosts: [\"\(host)\"]` in it"]))
  }
}

extension RunEnvironment {
  /// What the environment says of a connection: under its alias, else under its system.
  func connection(for plan: ConnectionPlan) -> Connection? {
    let own = connections[plan.alias].flatMap { $0.system == nil || $0.system == plan.system.name ? $0 : nil }
    return own ?? connections[plan.system.name] ?? connections.values.first { $0.system == plan.system.name }
  }
}

extension Plan {
  /// The flows that it calls, and those that they call.
  var calledPlans: [Plan] {
    (steps + finally).flatMap(\.withInner).flatMap { step -> [Plan] in
      if case .call(let call) = step.action { [call.flow] + call.flow.calledPlans } else { [] }
    }
  }
}

extension StepPlan {
  /// The whole URLs that a request or a built-in step goes to, as far as their hosts are literal.
  fileprivate var literalURLs: [String] {
    guard case .handler(let handler) = action, case .map(let members) = handler.with else { return [] }
    let names: Set<String> =
      switch handler.step.about.name {
      case "http": ["url"]
      case let name where name.hasPrefix("oauth/"):
        ["token_url", "revocation_url", "authorization_url", "device_authorization_url"]
      default: []
      }
    return members.filter { names.contains($0.key) }.compactMap { _, member in
      let text: String? =
        switch member {
        case .constant(let value): value.stringValue
        // The host has ended where the path has begun.
        case .url(let segments), .text(let segments):
          if case .literal(let text)? = segments.first, text.dropFirst(8).contains("/") { text } else { nil }
        case .expression, .list, .map, .omit: nil
        }
      return text.flatMap { $0.isWebAddress ? $0 : nil }
    }
  }
}

extension DataPlan {
  /// The literal addresses in settings by their names, which are `oauth.token_url` below another.
  fileprivate func webAddresses(_ name: String) -> [(name: String, text: String)] {
    switch self {
    case .constant(let value): return value.webAddresses(name)
    case .map(let members): return members.flatMap { key, member in member.webAddresses(name.isEmpty ? key : "\(name).\(key)") }
    case .expression, .text, .url, .list, .omit: return []
    }
  }
}

extension ValueMap {
  fileprivate var webAddresses: [(name: String, text: String)] { Value.map(self).webAddresses("") }
}

extension Value {
  fileprivate func webAddresses(_ name: String) -> [(name: String, text: String)] {
    if let text = stringValue { return text.isWebAddress ? [(name, text)] : [] }
    guard let map = mapValue else { return [] }
    return map.flatMap { key, value in value.webAddresses(name.isEmpty ? key.text : "\(name).\(key.text)") }
  }
}

extension String {
  fileprivate var isWebAddress: Bool {
    let lowered = prefix(8).lowercased()
    return lowered.hasPrefix("http://") || lowered == "https://"
  }
}

extension Place {
  /// Where a text stands in it or soon after it, for a step's place is its action's key; itself where it is written otherwise.
  fileprivate func place(of text: String) -> Place {
    let wanted = Array(text.utf8)
    let last = min(span.start + 4096, file.bytes.count) - wanted.count
    guard !wanted.isEmpty, span.start <= last,
      let start = (span.start...last).first(where: { file.bytes[$0..<$0 + wanted.count].elementsEqual(wanted) })
    else { return self }
    return Place(file, Span(start, start + wanted.count))
  }
}
