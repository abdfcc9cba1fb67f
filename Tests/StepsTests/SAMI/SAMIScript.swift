import HTTPTypes
import StepKit
import Steps
import Testing
import Values

/// A connection to SAMI whose server says what a script has, and that keeps what it was asked.
struct SAMIScript {
  let transport: ScriptedTransport
  let session: any SessionPort
  private let http: ConnectedHTTP
  private let settings: ValueMap
  private let clock = StepClock()
  private let sockets: any WebSocketPort
  let events = EventLog()

  /// - Parameter token: of the person who is signed in; nil is nobody.
  init(_ answers: [Result<TransportReply, TransportFailure>], token: String? = "2f6c0d", sockets: any WebSocketPort = NoWebSockets())
    async throws
  {
    self.sockets = sockets
    transport = ScriptedTransport(answers)
    settings = try #require(
      try JSON.parse(
        """
        {"client_id": "app-1", "client_secret": "s3cr3t", "redirect_uri": "ios-app://redirect", "base_url": "https://api.test",
          "accounts_url": "https://accounts.test/"}
        """
      ).mapValue)
    let endpoint = try SAMI.system.endpoint(settings)
    session = ConnectionSession(
      issuer: SAMI.system.tokens, settings: settings,
      http: ConnectedHTTP(endpoint: endpoint, session: NoSession(), transport: transport, clock: clock), clock: clock)
    http = ConnectedHTTP(endpoint: endpoint, session: session, transport: transport, clock: clock)
    if let token {
      try await session.adopt(Token(accessToken: token, expires: nil, type: "bearer (implicit)", refreshToken: "r-81"), .user)
    }
    try await session.adopt(Token(accessToken: "app-token", expires: nil, type: "bearer"), .client)
  }

  @discardableResult
  func run(_ name: String, _ with: String) async throws -> ValueMap {
    let step = try #require(StepCatalogue.standard.step("sami/\(name)"))
    let input = try #require(try JSON.parse(with).mapValue)
    let violations = step.refine(input, settings).violations(in: input)
    guard violations.isEmpty else { throw InvalidInput(messages: violations.map(\.message)) }
    var port = http
    port.effect = step.about.effect
    port.token = step.about.token
    port.hooks = HTTPHooks(observe: events.append)
    let outputs = try await step.run(
      input,
      Ports(
        http: port, clock: clock, random: ZeroRandom(), prompt: AnswerList([]), session: session, settings: settings,
        sockets: sockets, log: events.append, stepID: "step"))
    #expect(step.refineOutput(input).violations(in: outputs).map(\.message) == [])
    return outputs
  }

  func failure(_ name: String, _ with: String) async -> StepFailure? {
    await #expect(throws: StepFailure.self) { try await run(name, with) }
  }

  /// `POST https://api.test/v1.1/messages {"sdid":…}`
  var asked: [String] {
    transport.asked.map { request in
      let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
      return "\(request.method) \(request.url) \(body)".filter { $0 != "\n" }.trimmingEnd
    }
  }

  func authorization(_ index: Int) -> String? {
    transport.asked.indices.contains(index) ? transport.asked[index].headers[.authorization] : nil
  }
}

extension String {
  fileprivate var trimmingEnd: String { hasSuffix(" ") ? String(dropLast()) : self }
}
