import FlowEngine
import Reporters
import StepKit

/// Has a person, or `--confirm`, confirm the key of an emergency that is ready to be sent to somebody real.
///
/// One is asked after the other, so that the text of none stands within that of another.
struct LiveConfirmation: Sendable {
  /// The environment's name; empty where there is none.
  let environment: String
  /// The keys that `--confirm` names.
  let confirmed: [String]
  /// Whether there is a terminal at which a key can be typed.
  let canAsk: Bool
  /// Reads a line from the terminal.
  let prompt: any PromptPort
  /// Shows text to the person at the terminal, and hides the secrets in it.
  let show: @Sendable (String) -> Void
  /// Hides the secrets in a text that is to be cut.
  let redact: @Sendable (String) -> String
  /// Told when a question stands at the terminal, and when it is answered.
  let asks: @Sendable (Bool) -> Void
  private let turn = Turn()

  init(
    environment: String, confirmed: [String], canAsk: Bool, prompt: any PromptPort, show: @escaping @Sendable (String) -> Void,
    redact: @escaping @Sendable (String) -> String = { $0 }, asks: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.environment = environment
    self.confirmed = confirmed
    self.canAsk = canAsk
    self.prompt = prompt
    self.show = show
    self.redact = redact
    self.asks = asks
  }

  /// How often a key may be mistyped.
  private static let tries = 3

  /// Returns once the key is confirmed; at once where the request stays on this machine.
  ///
  /// - Throws: `config.not_confirmed` where it is declined or there is nobody to ask; nothing was sent.
  func confirm(_ order: TriggerOrder) async throws(StepFailure) { try await confirm(LiveRequest(order)) }

  func confirm(_ request: LiveRequest) async throws(StepFailure) {
    guard !request.isLoopback else { return }
    await turn.take()
    do throws(StepFailure) {
      try await ask(request)
    } catch {
      await turn.give()
      throw error
    }
    await turn.give()
  }

  private func ask(_ request: LiveRequest) async throws(StepFailure) {
    guard !Task.isCancelled else { throw .notConfirmed("the run was cancelled") }
    let isConfirmed = confirmed.contains { $0.isExactly(request.key) }
    asks(true)
    defer { asks(false) }
    show(request.text(environment: environment, redact: redact))
    if isConfirmed { return show("the key is confirmed by `--confirm`\n") }
    guard confirmed.isEmpty || canAsk else { throw .notConfirmed("its key is not among those that `--confirm` names") }
    guard canAsk else { throw .notConfirmed("there is no terminal to type its key at, and `--confirm` does not name it") }
    try await askForKey(request)
    show("confirmed\n")
  }

  private func askForKey(_ request: LiveRequest) async throws(StepFailure) {
    var question = PromptRequest(
      stepID: request.stepID, text: "type the key to send it, or nothing to stop", kind: .text, choices: [], isSecret: false, smsTo: nil)
    for left in (0..<Self.tries).reversed() {
      let typed: String
      do throws(StepFailure) {
        typed = try await prompt.answer(question)
      } catch {
        throw .notConfirmed("its key was not typed")
      }
      guard !typed.isEmpty else { throw .notConfirmed("it was declined") }
      if typed.isExactly(request.key) { return }
      question.complaint = "this is not the key; \(left == 1 ? "1 try is" : "\(left) tries are") left"
    }
    throw .notConfirmed("its key was mistyped \(Self.tries) times")
  }
}

extension LiveConfirmation {
  /// - Parameter asks: told when a question stands at the terminal, and when it is answered.
  init(_ terminal: Terminal, environment: String, confirmed: [String], mayAsk: Bool, asks: @escaping @Sendable (Bool) -> Void) {
    self.init(
      environment: environment, confirmed: confirmed, canAsk: mayAsk && terminal.canAsk,
      prompt: Prompts(answers: [:], sandbox: nil, terminal: terminal, asks: { _ in }),
      show: { [terminal] in terminal.write($0, to: .error) }, redact: { [terminal] in terminal.redactor.redacted($0) }, asks: asks)
  }
}

extension StepFailure {
  fileprivate static func notConfirmed(_ detail: String) -> StepFailure {
    StepFailure("config.not_confirmed", title: "the emergency was not confirmed", detail: "\(detail); nothing was sent", sent: .no)
  }
}

/// Lets one through after the other, in the order in which they came.
private actor Turn {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take() async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { waiting.append($0) }
  }

  func give() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
