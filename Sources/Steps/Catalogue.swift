package import StepKit

extension StepCatalogue {
  /// Every system and built-in step that is shipped. A new one is a folder and one line here.
  package static let standard = StepCatalogue(
    systems: [
      Afero.system,
      Ostelco.system,
      Oya.system,
      PlainHTTP.system,
      RapidSOS.system,
      SAMI.system,
      SecureNode.system,
    ],
    builtIn: [
      AnyStep(ExecStep.self),
      AnyStep(HTTPStep.self),
      AnyStep(LogStep.self),
      AnyStep(OAuthAuthorizeStep.self),
      AnyStep(OAuthDeviceCodeStep.self),
      AnyStep(OAuthParseRedirectStep.self),
      AnyStep(OAuthRevokeStep.self),
      AnyStep(OAuthSignOutStep.self),
      AnyStep(OAuthTokenStep.self),
      AnyStep(PromptStep.self),
      AnyStep(ReadFileStep.self),
      AnyStep(WriteFileStep.self),
    ])
}
