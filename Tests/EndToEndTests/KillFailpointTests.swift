import Testing

/// Kills inside of the process, where a debug build does it itself: around each change of the ledger.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Executable.hasFailpoints, "a release build has no failpoints"))
struct KillFailpointTests {
  /// A place where a process dies.
  struct Point: Sendable, CustomTestStringConvertible {
    let change: String
    let moment: String

    var testDescription: String { "\(change).\(moment)" }

    static let moments = ["before", "written", "committing", "after"]

    static func of(_ changes: String..., except left: String? = nil) -> [Point] {
      changes.flatMap { change in moments.filter { $0 != left }.map { Point(change: change, moment: $0) } }
    }
  }

  private func kill(_ room: KillRoom, _ arguments: String..., at point: Point) async throws {
    let ended = try await room.baton(arguments, failpoint: point.testDescription)
    #expect(ended.code == -9 && !ended.stderr.contains("deadline"), "not killed at \(point): \(ended)\n\(room.story)")
  }

  @Test(arguments: Point.of("intend", "sent"))
  func beforeTheFirstByte(_ point: Point) async throws {
    try await KillRoom.use { room in
      try await kill(room, "run", "one.flow.yaml", at: point)
      #expect(room.server.received.isEmpty, room.story)
      try await room.goOn(.each(point.testDescription.utf8.count))
    }
  }

  @Test(arguments: Point.of("outcome"), KillServer.Answer.allCases)
  func behindTheAnswer(_ point: Point, _ answer: KillServer.Answer) async throws {
    try await KillRoom.use(answering: answer) { room in
      try await kill(room, "run", "one.flow.yaml", at: point)
      #expect(room.server.received.count { $0.isAnswered } == 1, room.story)
      try await room.goOn(.each(point.testDescription.utf8.count + answer.rawValue.utf8.count))
    }
  }

  // MARK: - once more where the first death is cleared up

  @Test(
    arguments: [("intend", "after"), ("sent", "before"), ("sent", "committing")].map(Point.init),
    Point.of("resume", except: "committing") + Point.of("sent", "outcome"))
  func goingOnWithWhatHasNotLeft(_ first: Point, _ second: Point) async throws {
    try await KillRoom.use { room in
      try await kill(room, "run", "one.flow.yaml", at: first)
      let run = try #require(try await room.run())
      try await kill(room, "resume", run, at: second)
      try await room.goOn(.each(second.testDescription.utf8.count))
    }
  }

  @Test(
    arguments: [("sent", "after"), ("outcome", "before"), ("outcome", "committing")].map(Point.init), Point.of("unresolved"))
  func goingOnWithADoubt(_ first: Point, _ second: Point) async throws {
    try await KillRoom.use { room in
      try await kill(room, "run", "one.flow.yaml", at: first)
      try await kill(room, "runs", "--unresolved", at: second)
      try await room.goOn(.each(first.testDescription.utf8.count))
    }
  }

  @Test(arguments: Point.of("settle"), KillRoom.Word.allCases)
  func settlingIt(_ point: Point, _ word: KillRoom.Word) async throws {
    try await KillRoom.use(killingAt: .lastByte) { room in
      _ = try await room.runIntoTheServer()
      let run = try #require(try await room.run())
      try await kill(room, "resolve", run, "--\(word.rawValue)", "--reason", "of the test", at: point)
      let isOpen = try await !room.unresolved(sourceLocation: #_sourceLocation).isEmpty
      #expect(isOpen == (point.moment != "after"), room.story)
      // The word of a dead process counts or does not; it can be said again.
      let again = try await room.baton("resolve", run, "--\(word.rawValue)", "--reason", "of the test")
      #expect(again.code == 0, "\(again)\n\(room.story)")
      try await room.goOnAfter(word, run)
    }
  }

  /// What a look-up found before is of the attempt before: nothing is sent again by its word.
  @Test(arguments: [("sent", "after"), ("outcome", "before"), ("outcome", "after")].map(Point.init), Point.of("settle"))
  func lookingItUp(_ first: Point, _ second: Point) async throws {
    try await KillRoom.use(answering: .unavailable, reconciles: true) { room in
      try await kill(room, "run", "one.flow.yaml", at: first)
      let run = try #require(try await room.run())
      try await kill(room, "resume", run, at: second)
      try await room.goOn(.delivered)
      #expect(room.server.received.count <= 1, room.story)
    }
  }
}
