import Diagnostics
import FlowEngine
import Reporters
import StepKit
import Values

/// A request that is ready to be sent to somebody real, as a person has to judge it.
struct LiveRequest: Sendable {
  var system: String
  var key: String
  var stepID: String
  var method: String
  /// With secrets hidden.
  var url: String
  var host: String
  var isLoopback: Bool
  var body: [UInt8]?
  /// What the provider recognises a repeat by.
  var idempotencyKey: String?
  var validFor: Duration
  var canReconcile: Bool
  /// Why nobody could find out what became of it.
  var unverifiable: String?
  /// Whether a run goes on whose process died.
  var isResumed = false
}

extension LiveRequest {
  init(_ order: TriggerOrder) {
    let exchange = order.exchange
    self.init(
      system: order.name.system, key: order.name.key, stepID: order.stepID, method: exchange.method, url: exchange.url,
      host: exchange.address.listedHost, isLoopback: exchange.address.isLoopback, body: exchange.body,
      idempotencyKey: order.idempotencyKey, validFor: order.validFor, canReconcile: order.canReconcile, unverifiable: order.unverifiable,
      isResumed: order.isResumed)
  }

  /// All that decides whether it is to be sent, a line each, none of which a terminal obeys.
  ///
  /// - Parameter redact: hides secrets; asked before anything is cut.
  func text(environment: String, redact: (String) -> String) -> String {
    var rows = [
      ("sends", "\(method) \(url)"), ("to", host), ("environment", environment.isEmpty ? "none" : environment), ("key", key),
      ("of", system),
    ]
    if let idempotencyKey { rows.append(("repeats", "the provider recognises one by `\(idempotencyKey)`")) }
    rows.append(("valid for", "\(validFor.text) from its confirmation to its first byte"))
    rows.append(("in doubt", inDoubt))
    if isResumed { rows.append(("resumed", "the process that first meant to send it is gone")) }
    let rule = String(repeating: "=", count: 72)
    var lines = [rule, "LIVE EMERGENCY: step `\(shownText(redact(stepID)))` is ready to be sent", ""]
    lines += rows.map { name, value in "  \(name.padded(to: 13))\(shownText(redact(value)))" }
    lines += bodyLines(redact) + [rule]
    return lines.map { $0 + "\n" }.joined()
  }

  private var inDoubt: String {
    var ways: [String] = []
    if canReconcile { ways.append("the flow looks up what became of it") }
    if let unverifiable { ways.append("nobody can look it up: \(unverifiable)") }
    if ways.isEmpty { ways.append(idempotencyKey == nil ? "nobody can look it up" : "the same key may be sent again") }
    return ways.joined(separator: "; ")
  }

  /// More lines than this are counted and not shown.
  private static let mostLines = 200

  private func bodyLines(_ redact: (String) -> String) -> [String] {
    guard let body, !body.isEmpty else { return ["  \("body".padded(to: 13))none"] }
    let text: String
    if let json = try? JSON.parse(body) {
      text = json.json(indent: 2)
    } else if let plain = String(validating: body, as: UTF8.self) {
      text = plain
    } else {
      return ["  \("body".padded(to: 13))\(body.count) bytes that are no text"]
    }
    let lines = redact(text).split(separator: "\n", omittingEmptySubsequences: false)
    var shown = lines.prefix(Self.mostLines).map { "    " + shownText(String($0)) }
    if lines.count > shown.count {
      shown.append("    … and \(counted(lines.count - shown.count, "line")) more (\(body.count) bytes in all)")
    }
    return ["  body"] + shown
  }
}

extension String {
  /// With spaces behind it.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }

}
