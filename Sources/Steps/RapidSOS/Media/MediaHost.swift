import HTTPTypes
import StepKit
import Values

/// The host of photo upload and push registration. It is another one than the API's, so that the connection's token does
/// not go there by itself.
struct MediaHost {
  private let base: String
  private let ports: Ports

  /// - Throws: `config.url` where the connection names none: it has no default.
  init(_ ports: Ports) throws(StepFailure) {
    guard let url = ports.settings["media_url"]?.exposed.stringValue, !url.isEmpty else {
      throw StepFailure("config.url", title: "the URL cannot be used", detail: "the connection has no `media_url`, which this step needs")
    }
    base = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.ports = ports
  }

  /// Sends without a token.
  func send(_ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)], secretMembers: Set<String>)
    async throws(StepFailure) -> HTTPReply
  {
    try await ports.http.send(HTTPCall(method, base + path, query: query, token: TokenClass.none, secretMembers: secretMembers))
  }

  /// Sends with the app's token; a 401 is answered with one new token and one repeat, as on the connection itself.
  func send(_ method: HTTPRequest.Method, _ path: String, json body: Value) async throws(StepFailure) -> HTTPReply {
    let first = try await token { session throws(StepFailure) in try await session.token(.client) }
    let reply = try await send(method, path, body, first)
    guard reply.status == 401 else { return reply }
    let second = try await token { session throws(StepFailure) in try await session.replacement(for: first, .client) }
    let answer = try await send(method, path, body, second)
    guard answer.status == 401 else { return answer }
    await ports.session.forget(.client, refused: second)
    throw .refusedAgain(second, after: first, answer)
  }

  private func token(
    _ get: @Sendable (any SessionPort) async throws(StepFailure) -> Token
  ) async throws(StepFailure) -> Token {
    do throws(StepFailure) {
      return try await get(ports.session)
    } catch {
      // Whatever went wrong, the request itself has not been sent, or was refused.
      var failure = error
      failure.sent = .no
      throw failure
    }
  }

  private func send(_ method: HTTPRequest.Method, _ path: String, _ body: Value, _ token: Token) async throws(StepFailure) -> HTTPReply {
    var headers = HTTPFields()
    headers[.authorization] = "Bearer \(token.accessToken)"
    var call = HTTPCall(method, base + path, headers: headers, body: .json(body), token: TokenClass.none)
    call.secretHeaders = [.authorization]
    return try await ports.http.send(call)
  }
}
