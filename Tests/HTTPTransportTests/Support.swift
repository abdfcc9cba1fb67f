import Glibc
import HTTPTransport
import HTTPTypes
import StepKit
import Testing

/// A whole small answer.
func ok(_ body: String = "ok", _ headers: String = "") -> String {
  "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
}

func get(_ url: String, timeout: Duration = .seconds(60), change: (inout TransportRequest) -> Void = { _ in }) -> TransportRequest {
  var request = TransportRequest(method: .get, url: url, delivery: .repeatable, timeout: timeout)
  request.connectTimeout = .seconds(60)
  change(&request)
  return request
}

func post(_ url: String, _ body: String, _ delivery: Delivery, change: (inout TransportRequest) -> Void = { _ in }) -> TransportRequest {
  var request = TransportRequest(method: .post, url: url, body: Array(body.utf8), delivery: delivery, timeout: .seconds(60))
  // A test that is about another moment is not to end in this one.
  request.connectTimeout = .seconds(60)
  change(&request)
  return request
}

/// The failure of a request that must fail.
func failure(
  of request: TransportRequest, _ transport: CurlTransport = .shared, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> TransportFailure {
  let reply: TransportReply
  do { reply = try await transport.perform(request) } catch { return error }
  Issue.record("expected a failure, got status \(reply.status)", sourceLocation: sourceLocation)
  throw UnexpectedReply()
}

struct UnexpectedReply: Error {}

/// Examines a request whose time is to run out at one moment. A machine that stands still may use the time up before that
/// moment; then all is done again, with more of it.
///
/// - Parameter examine: false where the request did not come as far as that moment within its seconds.
func withinSeconds(
  _ choices: [Int] = [1, 5, 30], sourceLocation: SourceLocation = #_sourceLocation, _ examine: (_ seconds: Int) async throws -> Bool
) async throws {
  for seconds in choices where try await examine(seconds) { return }
  Issue.record("the request did not come as far as the moment of this test in \(choices) s", sourceLocation: sourceLocation)
}

/// What one request came to, for tests that count outcomes.
func outcome(of request: TransportRequest, _ transport: CurlTransport = .shared) async -> Result<TransportReply, TransportFailure> {
  do { return .success(try await transport.perform(request)) } catch { return .failure(error) }
}

extension TransportReply {
  var text: String { String(decoding: body, as: UTF8.self) }
}

extension Result {
  var failure: Failure? {
    if case .failure(let failure) = self { return failure }
    return nil
  }
}

/// The pace of a server that sends drop by drop: a few milliseconds.
func breathe() { _ = poll(nil, 0, 5) }
