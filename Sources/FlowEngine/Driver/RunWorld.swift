package import FlowEvents
package import HTTPTypes
package import StepKit

/// Everything outside of a run: the ports through which it acts, and where its events go.
package struct RunWorld: Sendable {
  package var transport: any HTTPTransporting
  package var clock: any ClockPort
  package var random: any RandomPort
  package var prompt: any PromptPort
  /// The environment's name; `sandbox`, or empty.
  package var environment: String
  /// A refusal of a host, asked before anything is sent there.
  package var allows: @Sendable (HTTPRequest.Method, WebAddress) -> StepFailure?
  /// Told of every event, in order.
  package var observe: @Sendable (RunEvent) -> Void

  package init(
    transport: any HTTPTransporting, clock: any ClockPort, random: any RandomPort, prompt: any PromptPort, environment: String = "",
    allows: @escaping @Sendable (HTTPRequest.Method, WebAddress) -> StepFailure? = { _, _ in nil },
    observe: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) {
    self.transport = transport
    self.clock = clock
    self.random = random
    self.prompt = prompt
    self.environment = environment
    self.allows = allows
    self.observe = observe
  }
}
