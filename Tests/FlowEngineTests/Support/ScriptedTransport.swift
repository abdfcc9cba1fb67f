import HTTPTypes
import StepKit
import Synchronization
import Values

/// What one request is answered, and when.
struct Answer: Sendable {
  enum Kind: Sendable {
    case reply(status: Int, headers: [String: String], body: String, type: String)
    case failure(TransportFailure.Reason, Sent)
  }

  var kind: Kind
  /// On the virtual clock.
  var delay = Duration.zero
  /// A signal that arrives as the request does.
  var signal: Int?
  /// Comes even if the attempt is cancelled.
  var isStubborn = false
  /// Whether the connection stands, so that whoever must be asked before the first byte is asked.
  var isConnected: Bool

  init(kind: Kind, delay: Duration = .zero, isConnected: Bool? = nil) {
    self.kind = kind
    self.delay = delay
    var stands = true
    if case .failure(_, .no) = kind { stands = false }
    self.isConnected = isConnected ?? stands
  }

  static func json(_ status: Int, _ body: String = "{}", headers: [String: String] = [:]) -> Answer {
    Answer(kind: .reply(status: status, headers: headers, body: body, type: "application/json"))
  }

  static func text(_ status: Int, _ body: String = "", headers: [String: String] = [:]) -> Answer {
    Answer(kind: .reply(status: status, headers: headers, body: body, type: "text/plain"))
  }

  static func fail(_ reason: TransportFailure.Reason, _ sent: Sent) -> Answer { Answer(kind: .failure(reason, sent)) }

  /// Never answers: the attempt's timeout, or a cancel, ends it.
  static let silence = Answer(kind: .failure(.timeout, .maybe), delay: .seconds(86_400))

  static let ok = json(200)
  static let refused = fail(.connect, .no)
  static let lost = fail(.reset, .maybe)

  func after(_ delay: Duration) -> Answer {
    var copy = self
    copy.delay = delay
    return copy
  }

  var stubborn: Answer {
    var copy = self
    copy.isStubborn = true
    return copy
  }

  func raising(_ signal: Int) -> Answer {
    var copy = self
    copy.signal = signal
    return copy
  }
}

/// Answers each route from its list in order, its last answer again and again; any other route 200 with `{}`.
final class ScriptedTransport: HTTPTransporting {
  private struct State {
    var script: [String: [Answer]]
    var asked: [TransportRequest] = []
  }

  private let state: Mutex<State>
  private let clock: any ClockPort
  private let raise: @Sendable (Int) -> Void

  init(_ script: [String: [Answer]], clock: any ClockPort, raise: @escaping @Sendable (Int) -> Void) {
    state = Mutex(State(script: script))
    self.clock = clock
    self.raise = raise
  }

  var asked: [TransportRequest] { state.withLock { $0.asked } }

  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    let answer = state.withLock { state in
      state.asked.append(request)
      guard let answers = state.script[request.route], let first = answers.first else { return Answer.ok }
      if answers.count > 1 { state.script[request.route]?.removeFirst() }
      return first
    }
    if answer.isConnected, request.willSend?() == false {
      throw TransportFailure(.refusedByCaller, sent: .no, message: "held back")
    }
    if let signal = answer.signal { raise(signal) }
    do throws(CancellationError) {
      // A signal is handled before the answer comes.
      if answer.delay > .zero || answer.signal != nil { try await clock.sleep(for: min(answer.delay, request.timeout)) }
    } catch {
      if !answer.isStubborn { throw TransportFailure(.cancelled, sent: .maybe, message: "cancelled") }
    }
    if answer.delay > request.timeout { throw TransportFailure(.timeout, sent: .maybe, message: "no whole answer in time") }
    switch answer.kind {
    case .failure(let reason, let sent): throw TransportFailure(reason, sent: sent, message: "scripted")
    case .reply(let status, let headers, let body, let type):
      var fields: HTTPFields = [.contentType: type]
      for (name, value) in headers {
        if let name = HTTPField.Name(name) { fields[name] = value }
      }
      return TransportReply(status: status, headers: fields, body: Array(body.utf8), url: request.url)
    }
  }
}

extension TransportRequest {
  /// `POST /v1/users`
  var route: String {
    let path = (try? WebAddress(url))?.path ?? url
    return "\(method.rawValue) \(path)"
  }
}

/// Answers prompts from a list, one for each ask; then it is silent.
final class ScriptedPrompt: PromptPort {
  private let answers: Mutex<[String]>
  private let clock: any ClockPort

  init(_ answers: [String], clock: any ClockPort) {
    self.answers = Mutex(answers)
    self.clock = clock
  }

  func answer(_ request: PromptRequest) async throws(StepFailure) -> String {
    if let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return answer }
    do throws(CancellationError) {
      try await clock.sleep(for: .seconds(86_400))
    } catch {
      throw StepFailure("cancelled", title: "cancelled")
    }
    throw StepFailure("config.answer", title: "nobody answered")
  }
}

/// The same bytes at every run.
struct FixedRandom: RandomPort {
  func bytes(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }
}
