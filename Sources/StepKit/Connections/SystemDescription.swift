package import Values

/// One system that flows can use: its connection's settings, how it gives out tokens, its steps.
package struct SystemDescription: Sendable {
  package let name: String
  package let title: String
  /// The shape of a connection's settings: the system's own, and those that every connection takes.
  package let settings: @Sendable () -> RecordShape
  /// The system's own settings alone.
  package let ownSettings: @Sendable () -> RecordShape
  /// Where a connection with such settings leads.
  package let endpoint: @Sendable (ValueMap) throws(StepFailure) -> ConnectionEndpoint
  package let tokens: (any TokenIssuer)?
  /// Whether a connection with settings of these names has a user without a log-in; the values may not be known yet.
  package let signsIn: @Sendable (ValueMap) -> Bool
  /// That user's name and password.
  package let credentials: @Sendable (ValueMap) -> Credentials?
  package let steps: [AnyStep]
  /// The hosts that it is known for, live ones and those for tests: exact, or `*.suffix` for every host below.
  package let hosts: [String]
  /// The settings that name its hosts; a sandbox answers for all of them.
  package let urls: [String]
  /// Whether the sandbox stands in for it.
  package let hasSandbox: Bool

  /// - Parameters:
  ///   - settings: the system's own; what every connection takes is added.
  ///   - endpoint: reads the settings; begins with `ConnectionEndpoint(settings:)`, which reads the common ones.
  package init(
    name: String, title: String, settings: @escaping @Sendable () -> RecordShape, tokens: (any TokenIssuer)?, steps: [AnyStep],
    hosts: [String] = [], urls: [String] = ["base_url"], hasSandbox: Bool = true,
    signsIn: @escaping @Sendable (ValueMap) -> Bool = { _ in false },
    credentials: @escaping @Sendable (ValueMap) -> Credentials? = { _ in nil },
    endpoint: @escaping @Sendable (ValueMap) throws(StepFailure) -> ConnectionEndpoint = { settings throws(StepFailure) in
      try ConnectionEndpoint(settings: settings)
    }
  ) {
    self.name = name
    self.title = title
    self.settings = { settings().withCommonSettings() }
    ownSettings = settings
    self.tokens = tokens
    // Whom the store signs in only the run tells; `auth.expired` says that it is nobody.
    self.signsIn = { signsIn($0) || $0.keepsTokens }
    self.credentials = credentials
    self.endpoint = { given throws(StepFailure) in
      if given.keepsTokens, tokens?.classes(given).isEmpty ?? true {
        throw StepFailure(
          "config.token_store", title: "the tokens cannot be kept",
          detail: "`token_store` is for connections with tokens, and this one has none")
      }
      var made = try endpoint(given)
      made.secrets += settings().openSecrets(in: given)
      return made
    }
    self.steps = steps
    self.hosts = hosts
    self.urls = urls
    self.hasSandbox = hasSandbox
  }
}

extension SystemDescription {
  /// The texts that stand openly where its settings ask for secrets, and that nothing may show.
  package func openSecrets(in given: ValueMap) -> [String] { settings().openSecrets(in: given) }
}

extension ValueMap {
  /// Whether the settings of a connection say that its tokens outlive the run.
  package var keepsTokens: Bool { self["token_store"]?.exposed == .bool(true) }
}

/// Every system and built-in step by name.
package struct StepCatalogue: Sendable {
  package let systems: [SystemDescription]
  package let builtIn: [AnyStep]
  private let byName: [String: AnyStep]

  package init(systems: [SystemDescription], builtIn: [AnyStep]) {
    self.systems = systems
    self.builtIn = builtIn
    byName = Dictionary((builtIn + systems.flatMap(\.steps)).map { ($0.about.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The step of this name; nil where there is none.
  package func step(_ name: String) -> AnyStep? { byName[name] }
  /// The system of this name; nil where there is none.
  package func system(_ name: String) -> SystemDescription? { systems.first { $0.name == name } }

  /// Sorted by name.
  package var stepNames: [String] { byName.keys.sorted() }
}
