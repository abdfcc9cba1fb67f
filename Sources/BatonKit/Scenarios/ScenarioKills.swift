import FlowPlan
import HTTPTypes
import SandboxKit
import SourceText
import Synchronization
import Values

/// The faults of a case that kill the runner: where the process of a real run would die, that of the case ends without a word.
final class ScenarioKills: Sendable {
  private struct Armed: Sendable {
    let fault: ScenarioFault
    let kill: ScenarioKill
    let route: RoutePattern
    let after: Int
    let times: Int
    var seen = 0
    var happened = 0
  }

  private let armed: Mutex<[Armed]>

  /// - Throws: where a route is none; the checker has found it before.
  init(_ faults: [ScenarioFault]) throws(SandboxError) {
    var armed: [Armed] = []
    for fault in faults {
      guard let kill = fault.kill else { continue }
      armed.append(
        Armed(
          fault: fault, kill: kill, route: try RoutePattern(fault.settings["route"]?.stringValue ?? ""),
          after: Int(fault.settings["after"]?.intValue ?? 0), times: Int(fault.settings["times"]?.intValue ?? 1)))
    }
    self.armed = Mutex(armed)
  }

  /// Where the runner dies at this request; nil where it lives.
  func due(_ request: SandboxRequest) -> ScenarioKill? {
    let segments = PathPattern.segments(of: request.path)
    guard let system = segments.first else { return nil }
    let seen = ScenarioRequest(
      system: system, method: request.method.rawValue, path: "/" + segments.dropFirst().joined(separator: "/"), content: request.content)
    return armed.withLock { armed in
      var due: ScenarioKill?
      for index in armed.indices where armed[index].route.matches(system: system, method: request.method, path: Array(segments.dropFirst()))
      {
        if let match = armed[index].fault.match,
          (try? match.evaluate(FlowFrame(slots: [seen.value]))) != .bool(true)
        {
          continue
        }
        armed[index].seen += 1
        guard due == nil, armed[index].seen > armed[index].after, armed[index].happened < armed[index].times else { continue }
        armed[index].happened += 1
        due = armed[index].kill
      }
      return due
    }
  }

  /// Those of the case's own that never happened.
  var unused: [(fault: ScenarioFault, matched: Int)] {
    armed.withLock { $0.filter { $0.fault.isOwn && $0.happened == 0 }.map { ($0.fault, $0.seen) } }
  }
}
