import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

/// Sandboxes and scripts for the tests of Afero.
enum AferoWorld {
  static let ann = #""username": "ann@example.test", "password": "hunter22", "first_name": "Ann", "last_name": "Lee""#
  static let fan = #"{"device_id": "dev-3", "friendly_name": "Hall fan", "association_id": "0123456789abcdef", "attributes": {"1": "01"}}"#

  /// A sandbox with Ann, who is signed in, and whatever else there is of hers, and of the world.
  static func signedIn(_ hers: String = "", further: String = "", settings: String = "{}") async throws -> StepWorld {
    let world = try StepWorld(
      "afero", given: #"{"users": [{\#(ann)\#(hers.isEmpty ? "" : ", \(hers)")}]\#(further)}"#, settings: settings)
    try await world.run("afero/sign-in", #"{"username": "ann@example.test", "password": "hunter22"}"#)
    return world
  }

  /// What a step asks a server that answers as it is told, and what comes of it.
  static func script(
    _ step: String, _ with: String, _ answers: [Result<TransportReply, TransportFailure>], settings: String = "{}",
    session: any SessionPort = HeldToken()
  ) async throws -> (asked: [TransportRequest], result: Result<ValueMap, StepFailure>) {
    let step = try #require(StepCatalogue.standard.step("afero/\(step)"))
    var given = try #require(try JSON.parse(AferoExam.settings).mapValue)
    for (key, value) in try #require(try JSON.parse(settings).mapValue) { given[key] = value }
    given["base_url"] = given["base_url"] ?? "https://api.afero.test"
    let transport = ScriptedTransport(answers)
    let http = ConnectedHTTP(
      endpoint: try ConnectionEndpoint(settings: given), session: session, transport: transport, clock: StepClock(),
      effect: step.about.effect, token: step.about.token)
    let ports = Ports(
      http: http, clock: StepClock(), random: ZeroRandom(), prompt: AnswerList([]), session: session, settings: given, log: { _ in })
    let input = try #require(try JSON.parse(with).mapValue)
    do {
      let outputs = try await step.run(input, ports)
      return (transport.asked, .success(outputs))
    } catch { return (transport.asked, .failure(error)) }
  }
}

/// A session that holds a token, and would be asked in vain for another one.
struct HeldToken: SessionPort {
  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token { Token(accessToken: "t-1", expires: nil) }
  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token { throw .none }
  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw .none }
  func forget(_ tokenClass: TokenClass) async {}
  func held(_ tokenClass: TokenClass) async -> Token? { Token(accessToken: "t-1", expires: nil) }
}

extension TransportRequest {
  /// The body as JSON; nil where it is none.
  var json: Value? { try? JSON.parse(body ?? []) }

  /// `METHOD URL`
  var line: String { "\(method.rawValue) \(url)" }
}

extension StepWorld {
  /// The person's token, as steps see it.
  var held: Token? {
    get async {
      let port: any SessionPort = session
      return await port.held(.user)
    }
  }
}
