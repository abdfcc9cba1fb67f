package import StepKit

extension StepCatalogue {
  /// Every system and built-in step that is shipped. A new one is a folder and one line here.
  package static let standard = StepCatalogue(
    systems: [
      PlainHTTP.system,
      RapidSOS.system,
    ],
    builtIn: [
      AnyStep(ExecStep.self),
      AnyStep(HTTPStep.self),
      AnyStep(LogStep.self),
      AnyStep(OAuthTokenStep.self),
      AnyStep(PromptStep.self),
      AnyStep(ReadFileStep.self),
      AnyStep(WriteFileStep.self),
    ])
}
