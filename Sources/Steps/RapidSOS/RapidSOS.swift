package import StepKit

/// RapidSOS: a caller's emergency profile, the proof of their phone, and the emergency trigger.
package enum RapidSOS {
  /// The system as the catalogue lists it: connection, tokens, steps.
  package static let system = SystemDescription(
    name: "rapidsos", title: "RapidSOS Emergency API and Emergency Data API", settings: { Settings.recordShape },
    tokens: RapidSOSTokenIssuer(),
    steps: [
      AnyStep(Authenticate.self),
      AnyStep(FetchProfile.self),
      AnyStep(Register.self),
      AnyStep(RequestPIN.self),
      AnyStep(TriggerCallFlow.self),
      AnyStep(ValidatePIN.self),
    ])
}
