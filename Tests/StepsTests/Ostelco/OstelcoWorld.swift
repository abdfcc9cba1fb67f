import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

extension StepWorld {
  /// A sandbox of Ostelco.
  static func ostelco(_ given: String = "{}", settings: String = "{}") throws -> StepWorld {
    try StepWorld("ostelco", given: given, settings: settings)
  }

  /// A sandbox with one customer, who is signed in.
  /// - Parameter members: of the customer, in JSON.
  static func mei(_ members: String = "", switches: String = "") async throws -> StepWorld {
    let user = #"{"email": "mei@example.test", "name": "Mei Tan", "id": "mei-1"\#(members.isEmpty ? "" : ", \(members)")}"#
    let world = try StepWorld.ostelco(#"{"users": [\#(user)]\#(switches.isEmpty ? "" : ", \(switches)")}"#)
    try await world.signIn(as: "mei@example.test")
    return world
  }

  @discardableResult
  func signIn(as user: String) async throws -> ValueMap { try await run("ostelco/login", #"{"login_hint": "\#(user)"}"#) }

  /// The token of the user who is signed in, as a step sees it.
  func userToken() async -> Token? {
    let session: any SessionPort = session
    return await session.held(.user)
  }

  /// The answers of the API to the user who is signed in, as they travel.
  func ask(
    _ method: HTTPRequest.Method, _ target: String, json: String? = nil, form: String? = nil, token: String? = nil
  ) async throws -> SandboxReply {
    var headers = HTTPFields()
    let held = await userToken()?.accessToken
    headers[.authorization] = (token ?? held).map { "Bearer \($0)" }
    if json != nil { headers[.contentType] = "application/json" }
    if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
    return sandbox.answer(
      SandboxRequest(method, target: "/ostelco\(target)", headers: headers, body: Array((json ?? form ?? "").utf8))
    ).reply
  }
}

/// Runs one step against answers that a test has written.
enum OstelcoScript {
  static func run(
    _ step: String, _ with: String? = nil, _ answers: [Result<TransportReply, TransportFailure>]
  ) async throws -> (outcome: Result<ValueMap, StepFailure>, asked: [TransportRequest]) {
    let step = try #require(StepCatalogue.standard.step("ostelco/\(step)"))
    let settings = try StepWorld.ostelco().settings
    let script = ScriptedTransport(answers)
    let http = ConnectedHTTP(
      endpoint: try ConnectionEndpoint(settings: settings), session: SomeToken(), transport: script, clock: StepClock(),
      effect: step.about.effect,
      token: step.about.token)
    let ports = Ports(
      http: http, clock: StepClock(), random: ZeroRandom(), prompt: AnswerList([]), session: SomeToken(), settings: settings, log: { _ in })
    let input = try #require(try JSON.parse(with ?? step.example.with).mapValue)
    do throws(StepFailure) {
      return (.success(try await step.run(input, ports)), script.asked)
    } catch {
      return (.failure(error), script.asked)
    }
  }
}

private struct SomeToken: SessionPort {
  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token { Token(accessToken: "t", expires: nil) }
  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token { throw .none }
  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw .none }
  func forget(_ tokenClass: TokenClass) async {}
  func adopt(_ token: Token, _ tokenClass: TokenClass) async throws(StepFailure) {}
}
