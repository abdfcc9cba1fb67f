import Diagnostics
import Values

extension Timestamp {
  /// To the second, in UTC: `2026-03-01 09:30:00`.
  var displayText: String {
    String(Timestamp(seconds: seconds).text.dropLast()).replacing("T", with: " ")
  }

  /// How long ago it was: `12 s`, `3 min`, `5 h`, `2 days`.
  func age(at now: Timestamp) -> String {
    let seconds = max(now.seconds - self.seconds, 0)
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3600) h"
    default: return "\(seconds / 86_400) days"
    }
  }

  /// Nil where the clock was set back between the two.
  func duration(until end: Timestamp) -> Duration? {
    let span: Duration = .seconds(end.seconds - seconds) + .nanoseconds(Int64(end.nanoseconds) - Int64(nanoseconds))
    return span >= .zero ? span : nil
  }
}

/// The words for what nobody knows, and for what a person does about it.
enum DoubtTexts {
  /// `step `create` (POST /orders)`, `trigger `incident-7` (rapidsos/trigger-call-flow)`.
  static func subject(_ doubt: RecordedDoubt) -> String {
    let action = doubt.action.isEmpty ? "" : " (\(shownText(doubt.action)))"
    switch doubt.path {
    case nil: return "the trigger `\(shownText(doubt.key ?? ""))`\(action)"
    case "": return "something in this run"
    case let path?: return "step `\(shownText(path))`\(action)"
    }
  }

  /// The three commands that settle a run, each with what it means.
  static func settling(_ runID: String, step: String?) -> [String] {
    let command = "baton resolve \(shownText(runID))" + (step.map { " --step \(quoted($0))" } ?? "")
    return [
      "it happened:          \(command) --delivered --reason TEXT",
      "it did not happen:    \(command) --not-delivered --reason TEXT",
      "send it regardless:   \(command) --authorise-retry --reason TEXT",
    ]
  }

  /// As a shell takes it for one word.
  private static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "_-./".utf8.contains(byte)
      }
    return isPlain ? text : "'\(shownText(text).replacing("'", with: "'\\''"))'"
  }
}

extension ConsoleStyle {
  func mark(of standing: RunStanding) -> String {
    switch standing {
    case .passed: mark(.passed)
    case .failed, .errored: mark(.failed)
    case .cancelled: mark(.cancelled)
    case .indeterminate: mark(.unknown)
    case .running: mark(.running)
    case .interrupted: mark(.retry)
    }
  }

  func painted(_ standing: RunStanding, as text: String) -> String {
    switch standing {
    case .passed: painted(text, .green)
    case .failed, .errored: painted(text, .red)
    case .indeterminate: painted(text, .alarm)
    case .cancelled, .interrupted: painted(text, .yellow)
    case .running: painted(text, .dim)
    }
  }
}
