import Testing

/// Kills at every point of an emergency: at most one request comes for each that was authorised, and the ledger never
/// says more than is so (docs/reliability.md).
@Suite(.timeLimit(.minutes(10))) struct KillTests {
  /// What the server is like where the client dies.
  struct Wire: Sendable, CustomTestStringConvertible {
    let point: KillServer.Point
    let answer: KillServer.Answer
    /// Longer than what the system takes from a process at once.
    var isLong = false

    var testDescription: String { "\(point), \(answer)\(isLong ? ", long" : "")" }

    /// Each point with a long body; each of the answer with every answer, the others with one.
    static let all =
      KillServer.Point.allCases.map { Wire(point: $0, answer: .accepted, isLong: true) }
      + KillServer.Point.allCases.flatMap { point in
        (point.isOfTheAnswer ? KillServer.Answer.allCases : [.accepted]).map { Wire(point: point, answer: $0) }
      }
  }

  @Test(arguments: Wire.all)
  func onTheWire(_ wire: Wire) async throws {
    let body = wire.isLong ? String(repeating: "B", count: 300_000) : "Baton"
    try await KillRoom.use(killingAt: wire.point, answering: wire.answer, body: body) { room in
      let ended = try await room.runIntoTheServer()
      // Who has read the answer may be gone before the server sees it.
      if wire.point != .answerRead { #expect(ended.code == -9, room.story) }
      try await room.goOn(.each(wire.testDescription.utf8.count))
    }
  }

  // MARK: - many at once

  @Test func fiftyUnderOneKey() async throws {
    try await KillRoom.use { room in
      let ends = try await race(50, room)
      #expect(room.server.received.count == 1, room.story)
      #expect(ends.allSatisfy { $0.code == 0 }, "\(ends)")
      #expect(ends.count { $0.stdout.contains("replayed") } == 49)
    }
  }

  /// The one that comes first is refused by the system, and those behind it too, until somebody listens again.
  @Test func twentyWhereNobodyListensAtFirst() async throws {
    try await KillRoom.use(refusingAfter: 20) { room in
      let ends = try await race(20, room) { number in if number == 1 { try room.server.listenAgain() } }
      #expect(room.server.received.count <= 1, room.story)
      #expect(ends.contains { $0.code == 3 && $0.everything.contains("network.connect") }, "\(ends)")
      #expect(ends.allSatisfy { [0, 3].contains($0.code) }, "\(ends)")
      #expect(ends.count { $0.code == 0 && !$0.stdout.contains("replayed") } == room.server.received.count, "\(ends)")
    }
  }

  /// - Parameter ended: told how many have ended.
  private func race(_ count: Int, _ room: KillRoom, ended: (Int) throws -> Void = { _ in }) async throws -> [Ended] {
    let processes = try (0..<count).map { _ in try room.workspace.start(["run", "one.flow.yaml"]) }
    let ends = try await withThrowingTaskGroup(of: Ended.self) { group in
      for process in processes { group.addTask { try await process.end() } }
      var ends: [Ended] = []
      for try await end in group {
        ends.append(end)
        try ended(ends.count)
      }
      return ends
    }
    await room.server.settle()
    return ends
  }
}

extension KillServer.Point {
  fileprivate var isOfTheAnswer: Bool {
    switch self {
    case .connected, .firstByte, .midHeader, .header, .midBody, .lastByte, .holding: false
    case .partialAnswerLine, .partialAnswerHeader, .partialAnswerBody, .wholeAnswer, .answerRead: true
    }
  }
}
