import StepKit
import Steps
import Synchronization
import Testing
import Values

/// Everything that a report may show of one step, or of one request for a token, where a server answers as a test has written:
/// requests, answers, outputs, failures; without what is hidden by then.
final class ShownText: Sendable {
  private let system: SystemDescription
  private let settings: ValueMap
  private let transport: ScriptedTransport
  private let log = EventLog()
  private let hidden = Mutex<[String]>([])

  init(_ name: String, _ answer: Result<TransportReply, TransportFailure>) throws {
    system = try #require(StepCatalogue.standard.system(name))
    var settings = try JSON.parse(ExamSettings.of(name)).mapValue ?? ValueMap()
    for field in system.settings().fields where settings[field.name] == nil { settings[field.name] = field.fallback }
    for url in system.urls { settings[url] = "https://api.test" }
    self.settings = settings
    transport = ScriptedTransport([answer])
  }

  /// Of a step of somebody who is signed in.
  func step(_ name: String, _ with: String) async throws -> String {
    let step = try #require(StepCatalogue.standard.step(name))
    let input = try #require(try JSON.parse(with).mapValue)
    let session = HeldToken()
    let ports = Ports(
      http: try http(session, step.about), clock: StepClock(), random: ZeroRandom(), prompt: AnswerList([]), session: session,
      settings: settings, log: { _ in })
    do {
      return text(.success(.map(try await step.run(input, ports))))
    } catch { return text(.failure(error)) }
  }

  /// Of the request for a token.
  func token(_ grant: TokenGrant) async throws -> String {
    let issuer = try #require(system.tokens)
    let http = try http(HeldToken())
    do throws(StepFailure) {
      _ = try await issuer.token(for: grant, settings: settings, http: http, clock: StepClock())
      return text(.success(.null))
    } catch { return text(.failure(error)) }
  }

  private func http(_ session: any SessionPort, _ about: About? = nil) throws -> ConnectedHTTP {
    ConnectedHTTP(
      endpoint: try system.endpoint(settings), session: session, transport: transport, clock: StepClock(),
      effect: about?.effect ?? .idempotent, token: about?.token ?? .none,
      hooks: HTTPHooks(observe: log.append, hide: { texts in self.hidden.withLock { $0 += texts } }))
  }

  private func text(_ outcome: Result<Value, StepFailure>) -> String {
    var parts = log.events.flatMap { event -> [String] in
      switch event {
      case .sending(let exchange): [exchange.url]
      case .replied(_, let reply, _): [reply.value.redacted.json()]
      case .failed(_, let failure, _): told(failure)
      }
    }
    switch outcome {
    case .success(let outputs): parts.append(outputs.redacted.json())
    case .failure(let failure): parts += told(failure)
    }
    let whole = parts.joined(separator: "\n")
    return hidden.withLock(\.self).filter { !$0.isEmpty }.reduce(whole) { $0.replacing($1, with: "[secret]") }
  }

  private func told(_ failure: StepFailure) -> [String] {
    [failure.code, failure.title, failure.detail, failure.answer?.body.redacted.json() ?? ""] + failure.problems.map(\.message)
      + (failure.cause.map { told($0) } ?? [])
  }
}

extension ShownText {
  /// An answer in every form in which a server may give it: as documented, inside an error, as a text, as JSON that ends too early.
  static func forms(of body: String) -> [Result<TransportReply, TransportFailure>] {
    [
      .json(200, body), .json(500, #"{"error": \#(body), "message": "out of order"}"#), .text(200, body), .text(500, body),
      .json(200, String(body.dropLast(2))), .json(500, String(body.dropLast(2))),
    ]
  }
}
