import HTTPTransport
import HTTPTypes
import StepKit
import TestKit
import Testing

@Suite struct ConcurrencyTests {
  @Test func twoHundredAtOnce() async throws {
    let server = try RawServer.answering { ok($0.line) }
    let transport = CurlTransport()
    let replies = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in 0..<200 {
        group.addTask { (number, try await transport.perform(get("\(server.origin)/\(number)")).text) }
      }
      return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    #expect(replies == Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, "GET /\($0) HTTP/1.1") }))
    #expect(server.received.count == 200)
    #expect(server.connections <= 64)
  }

  /// 64 that hang take every handle of a loop; those behind them wait in Swift, where the deadline counts as well.
  @Test func whatWaitsForAHandleTimesOutAndCancels() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      arrived.yield()
      connection.waitForClose()
    }
    let transport = CurlTransport()
    let hanging = (0..<64).map { _ in Task { await outcome(of: get(server.origin), transport) } }
    var count = 0
    for await _ in arrivals {
      count += 1
      if count == 64 { break }
    }
    let late = await outcome(of: get(server.origin, timeout: .milliseconds(100)), transport)
    #expect(late.failure == TransportFailure(.timeout, sent: .no, message: "no whole answer within 100 ms"))

    let queued = Task { await outcome(of: get(server.origin), transport) }
    queued.cancel()
    #expect(await queued.value.failure?.reason == .cancelled)
    #expect(await queued.value.failure?.sent == .no)

    for task in hanging { task.cancel() }
    for task in hanging { #expect(await task.value.failure?.reason == .cancelled) }
    #expect(server.received.count == 64)
  }

  @Test func cancelledBeforeItBegins() async throws {
    let server = try RawServer.answering { _ in ok() }
    for delivery in [Delivery.repeatable, .single, .once] {
      let task = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return await outcome(of: post(server.origin, "x", delivery), CurlTransport())
      }
      #expect(
        await task.value.failure == TransportFailure(.cancelled, sent: .no, message: "the request was cancelled"))
    }
    #expect(server.received.isEmpty)
  }

  @Test(arguments: [Delivery.repeatable, .single, .once])
  func cancelledInTheMiddle(_ delivery: Delivery) async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let (closings, closed) = AsyncStream<Void>.makeStream()
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      arrived.yield()
      connection.waitForClose()
      closed.yield()
    }
    let transport = CurlTransport()
    let task = Task { await outcome(of: post(server.origin, "x", delivery), transport) }
    for await _ in arrivals { break }
    task.cancel()
    #expect(
      await task.value.failure == TransportFailure(.cancelled, sent: .maybe, message: "the request was cancelled"))
    for await _ in closings { break }  // the connection is closed, not kept
  }

  @Test func manyCancelledAtRandomMoments() async throws {
    let server = try RawServer.answering { _ in ok() }
    let transport = CurlTransport()
    let outcomes = await withTaskGroup(of: Result<TransportReply, TransportFailure>.self) { group in
      for number in 0..<400 {
        group.addTask {
          let task = Task { await outcome(of: get(server.origin), transport) }
          if number.isMultiple(of: 2) {
            for _ in 0..<(number % 7) { await Task.yield() }
            task.cancel()
          }
          return await task.value
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count == 400)
    #expect(outcomes.count { $0.failure == nil } >= 200)
    #expect(outcomes.allSatisfy { $0.failure == nil || $0.failure?.reason == .cancelled })
  }
}
