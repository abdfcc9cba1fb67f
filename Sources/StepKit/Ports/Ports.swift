package import Values

/// The world as one step may touch it.
package struct Ports: Sendable {
  package var http: any HTTPPort
  package var clock: any ClockPort
  package var random: any RandomPort
  package var prompt: any PromptPort
  package var files: any FilePort
  package var processes: any ProcessPort
  package var sockets: any WebSocketPort
  /// The session of the step's connection.
  package var session: any SessionPort
  /// The connection's settings, validated, defaults filled in.
  package var settings: ValueMap
  /// Whether the body of the answer is to be saved, so that it need not be held.
  package var savesBody: Bool
  /// Shows a line to the person who watches.
  package var log: @Sendable (String) -> Void
  /// The step's id in its flow; empty where it has none.
  package var stepID: String
  /// How long one attempt may take, for what is no request.
  package var attemptTimeout: Duration

  package init(
    http: any HTTPPort, clock: any ClockPort, random: any RandomPort, prompt: any PromptPort, session: any SessionPort,
    settings: ValueMap, files: any FilePort = NoFiles(), processes: any ProcessPort = NoProcesses(),
    sockets: any WebSocketPort = NoWebSockets(),
    savesBody: Bool = false, log: @escaping @Sendable (String) -> Void, stepID: String = "",
    attemptTimeout: Duration = .seconds(30)
  ) {
    self.http = http
    self.clock = clock
    self.random = random
    self.prompt = prompt
    self.files = files
    self.processes = processes
    self.sockets = sockets
    self.session = session
    self.settings = settings
    self.savesBody = savesBody
    self.log = log
    self.stepID = stepID
    self.attemptTimeout = attemptTimeout
  }
}

/// Time. Conformers keep true: `elapsed` never goes back; `sleep` ends early only by cancellation.
package protocol ClockPort: Sendable {
  /// The wall clock, for display and for what providers date.
  func now() -> Timestamp
  /// Since some fixed start, for measuring.
  func elapsed() -> Duration
  func sleep(for duration: Duration) async throws(CancellationError)
}

/// Randomness.
package protocol RandomPort: Sendable {
  func bytes(_ count: Int) -> [UInt8]
}

/// Asks a person, or whatever stands in for one.
package struct PromptRequest: Sendable {
  package var stepID: String
  package var text: String
  package var kind: PromptKind
  package var choices: [String]
  package var isSecret: Bool
  /// In the sandbox the newest SMS to this number answers, where nothing else does.
  package var smsTo: String?
  /// In the sandbox the newest mail to this address answers, where nothing else does.
  package var mailTo: String?
  /// Why the answer before this one was not taken; nil the first time.
  package var complaint: String?

  package init(
    stepID: String, text: String, kind: PromptKind, choices: [String], isSecret: Bool, smsTo: String?, mailTo: String? = nil,
    complaint: String? = nil
  ) {
    self.stepID = stepID
    self.text = text
    self.kind = kind
    self.choices = choices
    self.isSecret = isSecret
    self.smsTo = smsTo
    self.mailTo = mailTo
    self.complaint = complaint
  }
}

/// What kind of answer a prompt takes.
package enum PromptKind: String, Choice { case text, confirm, choice }

/// Whoever answers prompts. Conformers keep true: a secret answer is never shown.
package protocol PromptPort: Sendable {
  /// - Throws: `timeout.prompt`, `config.answer`, `cancelled`.
  func answer(_ request: PromptRequest) async throws(StepFailure) -> String
}
