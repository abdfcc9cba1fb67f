package import StepKit

/// RapidSOS: a caller's emergency profile, the proof of their phone, and the emergency trigger.
package enum RapidSOS {
  /// The system as the catalogue lists it: connection, tokens, steps.
  package static let system = SystemDescription(
    name: "rapidsos", title: "RapidSOS Emergency API and Emergency Data API", settings: { Settings.recordShape },
    tokens: RapidSOSTokenIssuer(),
    steps: [
      AnyStep(Authenticate.self),
      AnyStep(CreateSaved<Device>.self),
      AnyStep(CreateSaved<Location>.self),
      AnyStep(DeleteSaved<Device>.self),
      AnyStep(DeleteSaved<Location>.self),
      AnyStep(FetchProfile.self),
      AnyStep(GetSaved<Device>.self),
      AnyStep(GetSaved<Location>.self),
      AnyStep(GetUploadURL.self),
      AnyStep(ListSaved<Device>.self),
      AnyStep(ListSaved<Location>.self),
      AnyStep(Register.self),
      AnyStep(RegisterPush.self),
      AnyStep(ReplaceSaved<Location>.self),
      AnyStep(RequestPIN.self),
      AnyStep(ResetPassword.self),
      AnyStep(TriggerCallFlow.self),
      AnyStep(UpdateProfile.self),
      AnyStep(UpdateSaved<Device>.self),
      AnyStep(UpdateSaved<Location>.self),
      AnyStep(UploadPhoto.self),
      AnyStep(ValidatePIN.self),
    ],
    // Production is `api`; `api-staging`, `api-sandbox` and `api-dev` are documented too, and others may come.
    hosts: ["rapidsos.com", "*.rapidsos.com"], urls: ["base_url", "media_url"],
    signsIn: { Settings.signsIn($0) }, credentials: { Settings.credentials($0) },
    endpoint: { settings throws(StepFailure) in
      try Settings.checkCredentials(settings)
      return try ConnectionEndpoint(settings: settings)
    })
}
