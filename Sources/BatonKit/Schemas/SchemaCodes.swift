import StepKit
import Values

/// The codes of errors that flows and scenarios name.
struct SchemaCodes {
  private let declared: [String]

  /// The codes of the language, then those of the catalogue's steps.
  init(_ catalogue: StepCatalogue) {
    let codes = catalogue.stepNames.compactMap { catalogue.step($0) }.flatMap(\.errors).map(\.code)
    declared = Self.language + Set(codes).subtracting(Self.language).sorted()
  }

  /// A code; those of a flow's own are not among the words.
  var one: Value { .anyOf(.choice(declared), .ref("text")) }

  var several: Value {
    Value.oneOrMore(.ref("code")).described("A code of an error, or a list of them; `http` means all that start with `http.`.")
  }

  var own: Value {
    ["description": "A code of the flow's own, such as `user.pin_rejected`.", "type": "string", "pattern": #"^user\.."#]
  }

  private static let language = [
    "any", "network", "network.dns", "network.connect", "network.reset", "network.protocol", "tls", "tls.certificate", "tls.handshake",
    "timeout", "timeout.connect", "timeout.attempt", "timeout.step", "timeout.poll", "timeout.prompt", "auth", "auth.invalid_client",
    "auth.invalid_grant", "auth.denied", "auth.expired", "auth.pending", "http", "http.4xx", "http.5xx", "http.401", "http.403", "http.404",
    "http.409", "http.422", "http.429", "http.500", "http.502", "http.503", "http.504", "assertion", "schema.input", "schema.response",
    "decode", "poll.failed", "repeat.exhausted", "parallel.failed", "indeterminate", "user",
  ]
}
