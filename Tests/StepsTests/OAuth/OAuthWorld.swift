import HTTPTypes
import StepKit
import Steps
import Synchronization
import Testing
import Values

/// A plain connection with `oauth`, and a server that answers what a script says.
struct OAuthWorld {
  let clock = StepClock()
  let transport: ScriptedTransport
  let session: ConnectionSession
  let settings: ValueMap
  private let endpoint: ConnectionEndpoint
  /// What the engine would be told of.
  var hooks = HTTPHooks()

  /// Of the steps that run.
  private let stepID: String

  /// - Parameter oauth: members beside `token_url` and `client_id`; nil is a connection without.
  init(
    _ answers: [Result<TransportReply, TransportFailure>], oauth: String? = "", more: String = "",
    tokenURL: String = "https://id.test/token", stepID: String = ""
  ) throws {
    self.stepID = stepID
    transport = ScriptedTransport(answers)
    let own = oauth.map { #", "oauth": {"token_url": "\#(tokenURL)", "client_id": "app"\#($0)}"# } ?? ""
    settings = try #require(try JSON.parse(#"{"base_url": "https://api.test"\#(own)\#(more)}"#).mapValue)
    #expect(PlainHTTP.system.settings().violations(in: settings).map(\.message) == [])
    endpoint = try PlainHTTP.system.endpoint(settings)
    let http = ConnectedHTTP(endpoint: endpoint, session: NoSession(), transport: transport, clock: clock)
    session = ConnectionSession(
      issuer: PlainHTTP.system.tokens, settings: settings, http: http, clock: clock, credentials: PlainHTTP.system.credentials(settings),
      memory: endpoint.memory)
  }

  func port(_ effect: Effect, _ token: TokenClass) -> ConnectedHTTP {
    ConnectedHTTP(endpoint: endpoint, session: session, transport: transport, clock: clock, effect: effect, token: token, hooks: hooks)
  }

  /// A plain request that carries the only token.
  func get(_ path: String) async throws -> HTTPReply {
    let classes = PlainTokenIssuer().classes(settings)
    return try await port(.read, classes.first ?? .none).get(path)
  }

  @discardableResult
  func run(_ name: String, _ with: String) async throws -> ValueMap {
    let step = try #require(StepCatalogue.standard.step(name))
    let input = try #require(try JSON.parse(with).mapValue)
    let violations = step.refine(input, settings).violations(in: input)
    guard violations.isEmpty else { throw InvalidInput(messages: violations.map(\.message)) }
    let outputs = try await step.run(
      input,
      Ports(
        http: port(step.about.effect, step.about.token), clock: clock, random: ZeroRandom(), prompt: AnswerList([]), session: session,
        settings: settings, log: { _ in }, stepID: stepID))
    #expect(step.refineOutput(input).violations(in: outputs).map(\.message) == [])
    return outputs
  }

  func failure(_ name: String, _ with: String) async -> StepFailure? {
    await #expect(throws: StepFailure.self) { try await run(name, with) }
  }

  /// `POST https://id.test/token grant_type=…`
  var sent: [String] {
    transport.asked.map { request in
      let body = request.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
      return "\(request.method) \(request.url)\(body)"
    }
  }

  var carried: [String?] { transport.asked.map { $0.headers[.authorization] } }

  static func token(_ number: Int, life: Int = 3600) -> Result<TransportReply, TransportFailure> {
    .json(200, #"{"access_token": "t\#(number)", "token_type": "Bearer", "expires_in": \#(life), "refresh_token": "r\#(number)"}"#)
  }
}
