import HTTPTypes
import StepKit
import Values

extension SecureNode {
  /// Sends to the API at whichever of its two places it stands: below `/api`, else at the root of the host.
  ///
  /// The second place is tried after 404 and 405, and after a transport error where the request may be sent again. An answer
  /// that names what is missing, as `device_not_registered` does, comes from the operation itself and is not asked again.
  struct Client {
    let ports: Ports

    init(_ ports: Ports) { self.ports = ports }

    /// The answer, whatever its status.
    func send(
      _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)] = [], body: Value? = nil, effect: Effect
    ) async throws(StepFailure) -> HTTPReply {
      // The type goes with every request, those without a body too.
      var call = HTTPCall(
        method, "/api\(path)", query: query, headers: [.contentType: "application/json"], body: body.map { .json($0) } ?? .none,
        token: TokenClass.none, effect: effect)
      let first: Result<HTTPReply, StepFailure>
      do throws(StepFailure) {
        first = .success(try await ports.http.send(call))
      } catch {
        first = .failure(error)
      }
      switch first {
      case .success(let reply): guard Self.isElsewhere(reply) else { return reply }
      case .failure(let failure):
        guard Self.isOfTransport(failure), effect.allowsRetry(sent: failure.sent, isRejected: false) else { throw failure }
      }
      call.target = path
      let second = try await ports.http.send(call)
      // Nothing is there either: the first place says more, unless the envelope came from the second.
      return Self.isElsewhere(second) && !Refusal(second).isEnvelope ? try first.get() : second
    }

    /// The answer of an operation that must succeed.
    func sendExpecting(
      _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)] = [], body: Value? = nil, effect: Effect,
      _ declared: [Int: StepError] = [:]
    ) async throws(StepFailure) -> HTTPReply {
      let reply = try await send(method, path, query: query, body: body, effect: effect)
      guard reply.isSuccess else { throw failure(reply, declared) }
      return reply
    }

    private static func isElsewhere(_ reply: HTTPReply) -> Bool {
      (reply.status == 404 || reply.status == 405) && !Refusal(reply).namesWhatIsMissing
    }

    private static func isOfTransport(_ failure: StepFailure) -> Bool {
      ["network", "timeout", "tls"].contains(failure.code.prefix { $0 != "." })
    }
  }
}

extension SecureNode {
  /// Reads an answer that no client reads: one without a body, or of another form, has no members.
  static func read<Record: DescribedRecord>(_ reply: HTTPReply) throws(StepFailure) -> Record {
    reply.body.mapValue == nil ? Record(valid: ValueMap()) : try Record.decode(reply)
  }

  /// The time as SecureNode writes it, to the millisecond: `2024-11-21T09:00:00Z`.
  static func now(_ ports: Ports) -> String {
    var now = ports.clock.now()
    now.nanoseconds -= now.nanoseconds % 1_000_000
    return now.text
  }

  /// The members of a request, without the times of these names that are empty: state that has not been set yet.
  static func body(_ record: some DescribedRecord, withoutEmpty times: String...) -> ValueMap {
    var body = record.encoded
    for time in times where body[time] == "" { body[time] = nil }
    return body
  }

  /// Nil for an empty text, which state is that has not been set yet.
  static func stated(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
