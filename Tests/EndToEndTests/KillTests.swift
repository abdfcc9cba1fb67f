import Testing

/// Kills at every point of an emergency: at most one request comes for each that was authorised, and the ledger never
/// says more than is so (docs/reliability.md).
@Suite(.timeLimit(.minutes(5))) struct KillTests {
  static let bodies = ["Baton", String(repeating: "B", count: 300_000)]
  static let answers = KillServer.Answer.allCases

  /// A word for a case, so that each is said often.
  private func word(_ number: Int) -> KillRoom.Word { KillRoom.Word.allCases[number % KillRoom.Word.allCases.count] }

  @Test(arguments: KillServer.Point.allCases, Self.answers)
  func onTheWire(_ point: KillServer.Point, _ answer: KillServer.Answer) async throws {
    for (number, body) in Self.bodies.enumerated() {
      try await KillRoom.use(killingAt: point, answering: answer, body: body) { room in
        let ended = try await room.runIntoTheServer()
        // Who has read the answer may be gone before the server sees it.
        if point != .answerRead { #expect(ended.code == -9, room.story) }
        try await room.goOn(word(number + point.rawValue.count))
      }
    }
  }
}

/// The same inside of the process, where a debug build kills itself.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Executable.hasFailpoints, "a release build has no failpoints"))
struct KillFailpointTests {
  static let moments = ["before", "written", "committing", "after"]
  /// What a killed run may leave behind, as the point at which it is killed.
  static let remains = ["intend.after", "sent.before", "sent.committing", "sent.after", "outcome.before", "outcome.committing"]

  private func kill(_ room: KillRoom, _ arguments: String..., at failpoint: String) async throws {
    let ended = try await room.baton(arguments, failpoint: failpoint)
    #expect(ended.code == -9 && !ended.stderr.contains("deadline"), "not killed at `\(failpoint)`: \(ended)\n\(room.story)")
  }

  @Test(arguments: ["intend", "sent", "outcome"].flatMap { change in moments.map { "\(change).\($0)" } }, KillServer.Answer.allCases)
  func inARun(_ failpoint: String, _ answer: KillServer.Answer) async throws {
    try await KillRoom.use(answering: answer) { room in
      try await kill(room, "run", "one.flow.yaml", at: failpoint)
      let isBeforeTheFirstByte = failpoint.hasPrefix("intend") || failpoint.hasPrefix("sent")
      #expect(room.server.received.count == (isBeforeTheFirstByte ? 0 : 1), room.story)
      try await room.goOn(KillRoom.Word.allCases[failpoint.count % 3])
    }
  }

  /// Dies once, and once more where the first death is cleared up.
  @Test(arguments: remains, ["resume", "intend", "sent", "outcome"].flatMap { change in moments.map { "\(change).\($0)" } })
  func inAResume(_ first: String, _ second: String) async throws {
    try await KillRoom.use { room in
      try await kill(room, "run", "one.flow.yaml", at: first)
      guard let run = try await room.run() else { return #expect(room.server.received.isEmpty, room.story) }
      // What has nothing to write, or nothing to send, does not come there.
      _ = try await room.baton("resume", run, failpoint: second)
      try await room.goOn(KillRoom.Word.allCases[second.count % 3])
    }
  }

  @Test(arguments: moments, KillServer.Answer.allCases)
  func whereDoubtsAreListed(_ moment: String, _ answer: KillServer.Answer) async throws {
    try await KillRoom.use(answering: answer) { room in
      try await kill(room, "run", "one.flow.yaml", at: "sent.after")
      try await kill(room, "runs", "--unresolved", at: "unresolved.\(moment)")
      try await room.goOn(.notDelivered)
    }
  }

  @Test(arguments: moments, KillRoom.Word.allCases)
  func inAResolve(_ moment: String, _ word: KillRoom.Word) async throws {
    try await KillRoom.use(killingAt: .lastByte) { room in
      _ = try await room.runIntoTheServer()
      let run = try #require(try await room.run())
      _ = try await room.baton("resume", run)
      try await kill(room, "resolve", run, "--\(word.rawValue)", "--reason", "of the test", at: "settle.\(moment)")
      let isOpen = try await !room.unresolved(sourceLocation: #_sourceLocation).isEmpty
      #expect(isOpen == (moment != "after"), room.story)
      // The word of a dead process counts or does not; it can be said again.
      let again = try await room.baton("resolve", run, "--\(word.rawValue)", "--reason", "of the test")
      #expect(again.code == 0, "\(again)\n\(room.story)")
      try await room.goOnAfter(word, run)
    }
  }

  @Test(arguments: moments, ["sent.after", "outcome.before", "outcome.after"])
  func whereItIsLookedUp(_ moment: String, _ remains: String) async throws {
    try await KillRoom.use(answering: .unavailable, reconciles: true) { room in
      try await kill(room, "run", "one.flow.yaml", at: remains)
      let run = try #require(try await room.run())
      try await kill(room, "resume", run, at: "settle.\(moment)")
      try await room.goOn(.delivered)
      #expect(room.server.received.count <= 1, room.story)
    }
  }
}
