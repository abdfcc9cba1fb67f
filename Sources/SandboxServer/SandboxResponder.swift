import HTTPTypes
import Hummingbird
import SandboxKit

/// Hands requests to a sandbox and performs what it says about the answer. Each request waits in a task of its own.
struct SandboxResponder: HTTPResponder {
  private static let maximumBodyBytes = 32 << 20
  let sandbox: Sandbox

  func respond(to request: Request, context: Connection) async throws -> Response {
    var body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: Self.maximumBodyBytes)
    } catch {
      return Response(status: .contentTooLarge, headers: [.connection: "close"])
    }
    var asked = SandboxRequest(
      request.method, target: request.head.path ?? "/", headers: request.headers,
      body: body.readBytes(length: body.readableBytes) ?? [])
    asked.authority = request.head.authority
    guard let outcome = try await request.asksForWebSocket ? upgrade(request, asked, over: context) : sandbox.answer(asked) else {
      return Self.nowhere
    }
    if outcome.delay > .zero { try await sandbox.clock.sleep(outcome.delay) }
    switch outcome.ending {
    case .whole:
      let response = response(outcome)
      return request.method == .head ? response.createHeadResponse() : response
    case .midBody: return brokenResponse(outcome, over: context)
    case .beforeResponse: try await context.close()
    case .reset: try await context.reset()
    }
    return Self.nowhere
  }

  /// For a connection that is closed.
  private static let nowhere = Response(status: .serviceUnavailable)

  private func response(_ outcome: SandboxOutcome) -> Response {
    let reply = outcome.reply
    guard let pace = outcome.bytesPerSecond, !reply.body.isEmpty else {
      return head(of: reply, ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
    }
    let sleep = sandbox.clock.sleep
    return head(
      of: reply,
      ResponseBody(contentLength: reply.body.count) { writer in
        for portion in Self.portions(of: reply.body, bytesPerSecond: pace) {
          try await sleep(portion.wait)
          try await writer.write(ByteBuffer(bytes: portion.bytes))
        }
        try await writer.finish(nil)
      })
  }

  /// Promises the whole body and closes the connection after half of it.
  private func brokenResponse(_ outcome: SandboxOutcome, over connection: Connection) -> Response {
    let body = outcome.reply.body
    return head(
      of: outcome.reply,
      ResponseBody(contentLength: body.count) { writer in
        try await writer.write(ByteBuffer(bytes: body.prefix(body.count / 2)))
        // Sends what is written before it closes; closing both ways would discard it.
        try await connection.closeOutput()
        throw CancellationError()
      })
  }

  private func head(of reply: SandboxReply, _ body: ResponseBody) -> Response {
    var response = Response(status: .init(code: reply.status), headers: reply.headers, body: body)
    // A 204 has no length (RFC 9110 §8.6).
    if reply.status == 204 { response.headers[.contentLength] = nil }
    return response
  }

  /// A body in ten portions a second, or one byte at a time where that is less.
  static func portions(of body: [UInt8], bytesPerSecond: Int) -> [(wait: Duration, bytes: ArraySlice<UInt8>)] {
    let size = max(1, bytesPerSecond / 10)
    return stride(from: 0, to: body.count, by: size).map { start in
      let bytes = body[start..<min(start + size, body.count)]
      return (.nanoseconds(Int64(bytes.count) * 1_000_000_000 / Int64(bytesPerSecond)), bytes)
    }
  }
}
