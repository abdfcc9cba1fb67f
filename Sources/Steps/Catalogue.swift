package import StepKit

extension StepCatalogue {
  /// Every system and built-in step that is shipped. A new one is a folder and one line here.
  package static let standard = StepCatalogue(
    systems: [
      PlainHTTP.system,
      RapidSOS.system,
    ],
    builtIn: [
      AnyStep(HTTPStep.self),
      AnyStep(LogStep.self),
      AnyStep(PromptStep.self),
    ])
}
