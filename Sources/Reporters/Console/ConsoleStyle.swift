import Diagnostics

/// What a console can show.
package struct ConsoleStyle: Hashable, Sendable {
  /// For terminals without `NO_COLOR`.
  package var isColoured: Bool
  /// Whether the locale is UTF-8; otherwise the marks are ASCII. Texts of the flow stay as they are.
  package var isUTF8: Bool

  package init(isColoured: Bool = false, isUTF8: Bool = true) {
    self.isColoured = isColoured
    self.isUTF8 = isUTF8
  }

  /// The sign at the head of a line.
  enum Mark {
    case passed, failed, skipped, retry, recovered, branch, group, running, unknown, cancelled, replayed, log, request
  }

  enum Colour: String {
    case green = "32"
    case red = "31"
    case yellow = "33"
    case dim = "2"
    case bold = "1"
    case alarm = "1;31"
  }

  func mark(_ mark: Mark) -> String {
    let (unicode, ascii, colour): (String, String, Colour) =
      switch mark {
      case .passed: ("✓", "+", .green)
      case .failed: ("✗", "x", .red)
      case .skipped: ("↷", "-", .dim)
      case .retry: ("↻", "~", .yellow)
      case .recovered: ("↺", "!", .yellow)
      case .branch: ("↪", "=", .yellow)
      case .group: ("▸", ">", .dim)
      case .running: ("…", ".", .dim)
      case .unknown: ("?", "?", .alarm)
      case .cancelled: ("■", "#", .yellow)
      case .replayed: ("≡", "=", .yellow)
      case .log: ("│", "|", .dim)
      case .request: ("→", ">", .dim)
      }
    return painted(isUTF8 ? unicode : ascii, colour)
  }

  func painted(_ text: String, _ colour: Colour) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }

  var diagnostics: HumanRenderer { HumanRenderer(style: .init(isColoured: isColoured)) }
}

/// What a console report shows, and how.
package struct ConsoleOptions: Sendable {
  package var style: ConsoleStyle
  /// Whether each request has a line of its own.
  package var isVerbose: Bool
  /// Whether the run is in the journal, so that `baton resume` is worth offering.
  package var isJournaled: Bool
  /// Whether the block of doubt goes to another stream than the rest.
  package var tellsDoubtApart = false
  /// Hides secrets in texts before they are shortened; a cut would save half of one from the redactor of the output.
  package var redactor: Redactor

  package init(style: ConsoleStyle = ConsoleStyle(), isVerbose: Bool = false, isJournaled: Bool = false, redactor: Redactor = Redactor()) {
    self.style = style
    self.isVerbose = isVerbose
    self.isJournaled = isJournaled
    self.redactor = redactor
  }
}
