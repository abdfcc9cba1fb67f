package import FlowEvents
package import HTTPTypes
package import StepKit
package import Values

/// Everything outside of a run: the ports through which it acts, and where its events go.
package struct RunWorld: Sendable {
  package var transport: any HTTPTransporting
  package var sockets: any WebSocketTransporting
  /// Where tokens outlive the run.
  package var sessionStores: any SessionStores
  package var clock: any ClockPort
  package var random: any RandomPort
  package var prompt: any PromptPort
  package var files: any FilePort
  package var processes: any ProcessPort
  /// The environment's name; `sandbox`, or empty.
  package var environment: String
  /// Told what is under way; a virtual clock is its own.
  package var activity: any ActivityPort
  /// A refusal of a host, asked before anything is sent there.
  package var allows: @Sendable (HTTPRequest.Method, WebAddress) -> StepFailure?
  /// Commits what lasts between runs, the whole of it, before the step that set it ends. A failure is that of the step.
  package var saveState: @Sendable (ValueMap) async throws(StepFailure) -> Void
  /// Where the run writes down what happens.
  package var journal: any JournalPort
  /// Who knows what was sent that must be sent once.
  package var triggers: any TriggerPort
  /// A refusal of a route that belongs to an emergency; asked of every request but those of the emergency's own step.
  package var reserves: @Sendable (HTTPRequest.Method, WebAddress) -> StepFailure?
  /// Told of texts that are secret from now on, before anything can show them: tokens as they come in.
  package var hide: @Sendable ([String]) -> Void
  /// Told of every event, in order, one at a time.
  package var observe: @Sendable (RunEvent) -> Void

  package init(
    transport: any HTTPTransporting, sockets: any WebSocketTransporting = NoWebSocketTransport(),
    sessionStores: any SessionStores = NoSessionStores(), clock: any ClockPort, random: any RandomPort, prompt: any PromptPort,
    files: any FilePort = NoFiles(), processes: any ProcessPort = NoProcesses(), environment: String = "",
    activity: any ActivityPort = NoActivity(),
    allows: @escaping @Sendable (HTTPRequest.Method, WebAddress) -> StepFailure? = { _, _ in nil },
    saveState: @escaping @Sendable (ValueMap) async throws(StepFailure) -> Void = { (_: ValueMap) throws(StepFailure) in
      throw StepFailure("config.state", title: "the state cannot be kept", detail: "there is nowhere to keep it here")
    },
    journal: any JournalPort = NoJournal(), triggers: any TriggerPort = NoTriggers(),
    reserves: @escaping @Sendable (HTTPRequest.Method, WebAddress) -> StepFailure? = { _, _ in nil },
    hide: @escaping @Sendable ([String]) -> Void = { _ in }, observe: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) {
    self.transport = transport
    self.sockets = sockets
    self.sessionStores = sessionStores
    self.clock = clock
    self.random = random
    self.prompt = prompt
    self.files = files
    self.processes = processes
    self.environment = environment
    self.activity = activity
    self.allows = allows
    self.saveState = saveState
    self.journal = journal
    self.triggers = triggers
    self.reserves = reserves
    self.hide = hide
    self.observe = observe
  }
}
