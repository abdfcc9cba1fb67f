import Glibc
import Reporters
import Synchronization

/// The two streams of a command, and what stands behind them. Everything that leaves goes through one redactor for
/// each stream.
public final class Terminal: Sendable {
  enum Stream: Int32 { case output = 1, error = 2 }

  private let redactors = Mutex<[Stream: Redactor]>([:])
  /// What is hidden already: a loop may hide the same text thousands of times.
  private let hidden = Mutex<Set<String>>([])
  let environment: [String: String]
  /// Whether a person can answer a question here.
  let canAsk: Bool
  private let colours: [Stream: Bool]
  let isUTF8: Bool

  /// The process's own streams and environment.
  public static func current() -> Terminal { Terminal(environment: ProcessEnvironment.read()) }

  init(environment: [String: String]) {
    self.environment = environment
    canAsk = isatty(0) == 1 && isatty(2) == 1
    let wantsColour = environment["NO_COLOR"]?.isEmpty ?? true && environment["TERM"] != "dumb"
    colours = [.output: wantsColour && isatty(1) == 1, .error: wantsColour && isatty(2) == 1]
    let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? "C.UTF-8"
    isUTF8 = locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
  }

  func isColoured(_ stream: Stream) -> Bool { colours[stream] ?? false }
  func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  func style(_ stream: Stream) -> ConsoleStyle { ConsoleStyle(isColoured: isColoured(stream), isUTF8: isUTF8) }

  /// The width of the terminal in columns; 80 where there is none.
  var columns: Int {
    var size = winsize()
    return unsafe ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// From now on these texts, and what they are encoded as, appear on no stream.
  func hide(_ secrets: [String]) {
    // Under one lock: whoever finds a text hidden already may show it at once.
    hidden.withLock { hidden in
      let new = secrets.filter { hidden.insert($0).inserted }
      guard !new.isEmpty else { return }
      redactors.withLock { redactors in
        for stream in [Stream.output, .error] { redactors[stream, default: Redactor()].add(new) }
      }
    }
  }

  /// Hides what no stream may show in texts that go elsewhere, such as files.
  var redactor: Redactor { redactors.withLock { $0[.output] ?? Redactor() } }

  /// Writes a message of the command line itself, which holds nothing of a flow.
  public func print(_ text: String, asError: Bool) { write(text + "\n", to: asError ? .error : .output) }

  /// Writes text whose parts are redacted already: a redactor that looked at it whole could cut into its syntax.
  func writeRedacted(_ text: String, to stream: Stream) {
    redactors.withLock { _ in _ = FileAccess.writeAll(text, to: stream.rawValue) }
  }

  /// Writes text in pieces that are whole in themselves.
  func write(_ text: String, to stream: Stream) {
    redactors.withLock { redactors in
      let shown = redactors[stream]?.redacted(text) ?? text
      FileAccess.writeAll(shown, to: stream.rawValue)
    }
  }
}

/// The environment of the process.
enum ProcessEnvironment {
  /// As it was when this was first asked: libraries change it.
  static func read() -> [String: String] { atStart }

  private static let atStart: [String: String] = {
    var variables: [String: String] = [:]
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let text = unsafe String(cString: entry)
      if let equals = text.firstIndex(of: "=") { variables[String(text[..<equals])] = String(text[text.index(after: equals)...]) }
      unsafe next += 1
    }
    return variables
  }()
}
