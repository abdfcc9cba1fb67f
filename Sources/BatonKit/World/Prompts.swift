import Glibc
import SandboxKit
import StepKit
import Synchronization

/// Answers prompts from what was given, then by the environment's programs, the sandbox's outbox, the person at the terminal
/// (language.md §3, precedence of answers).
struct Prompts: PromptPort {
  let answers: [String: String]
  /// The environment's programs by prompt, and what they run in.
  var commands: [String: [String]] = [:]
  var values: EnvironmentValues?
  let sandbox: Sandbox?
  let terminal: Terminal
  /// Told when a question goes to the terminal, and when it is answered.
  let asks: @Sendable (Bool) -> Void

  func answer(_ request: PromptRequest) async throws(StepFailure) -> String {
    if let answer = answers[request.stepID] {
      // The same answer again would be refused again.
      if let complaint = request.complaint { throw .answer("the given answer does not fit: \(complaint)") }
      return answer
    }
    if let command = commands[request.stepID], let values { return try await output(of: command, request, values) }
    if let code = sandbox?.code(for: request) { return code }
    guard terminal.canAsk else { throw .answer("`\(request.stepID)` has nobody to ask: there is no terminal and no answer") }
    asks(true)
    defer { asks(false) }
    let answer = try await TerminalQuestion(request: request, terminal: terminal).ask()
    if request.isSecret { terminal.hide([answer]) }
    return answer
  }

  /// A program answers each time that it is asked; one whose answer does not fit is not asked to try again.
  private func output(of command: [String], _ request: PromptRequest, _ values: EnvironmentValues) async throws(StepFailure) -> String {
    if let complaint = request.complaint {
      throw .answer("the answer of `\(command.joined(separator: " "))` does not fit: \(complaint)")
    }
    // The step's own time-out ends it before that.
    let answer = try await values.output(of: command, timeout: .seconds(3600))
    if request.isSecret { terminal.hide([answer]) }
    return answer
  }
}

extension StepFailure {
  fileprivate static func answer(_ detail: String) -> StepFailure {
    StepFailure("config.answer", title: "a prompt has no answer", detail: detail)
  }
}

/// One question on the terminal. It is read on a thread of its own in slices, so that a cancel is noticed.
private struct TerminalQuestion {
  let request: PromptRequest
  let terminal: Terminal

  func ask() async throws(StepFailure) -> String {
    if let complaint = request.complaint { terminal.write("  \(complaint)\n", to: .error) }
    let choices = request.kind == .choice ? " [\(request.choices.joined(separator: ", "))]" : request.kind == .confirm ? " [yes, no]" : ""
    // Before the question stands there: whoever answers at once must not see the secret, nor lose it.
    let echo = request.isSecret ? TerminalEcho.off() : nil
    defer { echo?.restore(terminal) }
    terminal.write("? \(request.text)\(choices): ", to: .error)
    let isCancelled = Flag()
    let line = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        ProcessThread.run { continuation.resume(returning: Self.readLine(unless: isCancelled)) }
      }
    } onCancel: {
      isCancelled.raise()
    }
    if isCancelled.isRaised { throw .cancelled(by: request.stepID) }
    guard let line else { throw .answer("the input ended before `\(request.stepID)` was answered") }
    return line
  }

  private static func readLine(unless isCancelled: Flag) -> String? {
    var bytes: [UInt8] = []
    while !isCancelled.isRaised {
      var poller = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&poller, 1, 100) > 0 else { continue }
      var byte: UInt8 = 0
      guard unsafe Glibc.read(0, &byte, 1) == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }
}

extension StepFailure {
  fileprivate static func cancelled(by step: String) -> StepFailure {
    StepFailure("cancelled", title: "cancelled", detail: "while `\(step)` waited for an answer")
  }
}

/// A flag that goes up once.
final class Flag: Sendable {
  private let state = Atomic<Bool>(false)

  var isRaised: Bool { state.load(ordering: .acquiring) }
  func raise() { state.store(true, ordering: .releasing) }
}

/// Switches the terminal's echo off while a secret is typed.
private struct TerminalEcho {
  private let before: termios

  static func off() -> TerminalEcho? {
    var settings = termios()
    guard unsafe tcgetattr(0, &settings) == 0 else { return nil }
    let echo = TerminalEcho(before: settings)
    settings.c_lflag &= ~tcflag_t(ECHO)
    unsafe tcsetattr(0, TCSAFLUSH, &settings)
    return echo
  }

  func restore(_ terminal: Terminal) {
    var settings = before
    unsafe tcsetattr(0, TCSAFLUSH, &settings)
    terminal.write("\n", to: .error)
  }
}
