import FlowEvents
import Journal
import Testing
import Values

/// What every `RunJournal` must pass, whatever it keeps its runs in.
///
/// `makeJournal` opens the journal of a name: the same name twice gives two openings of one journal, as two processes
/// have it, or one object twice where it lives in memory. Run it as `ask(_:)` for each question, or `examine(makeJournal:)`.
struct RunJournalExam: Sendable {
  var makeJournal: @Sendable (String) async throws -> any RunJournal

  enum Question: String, CaseIterable, Sendable {
    case readingBack, order, batches, unknownRuns, executions, ends, listing, pruning, holding, racers, anyText
  }

  func ask(_ question: Question) async throws {
    switch question {
    case .readingBack: try await readingBack()
    case .order: try await order()
    case .batches: try await batches()
    case .unknownRuns: try await unknownRuns()
    case .executions: try await executions()
    case .ends: try await ends()
    case .listing: try await listing()
    case .pruning: try await pruning()
    case .holding: try await holding()
    case .racers: try await racers()
    case .anyText: try await anyText()
    }
  }

  func open(_ name: String = "one") async throws -> any RunJournal { try await makeJournal(name) }

  func code(_ body: () async throws(JournalError) -> Void) async -> JournalError.Code? {
    do throws(JournalError) {
      try await body()
      return nil
    } catch {
      return error.code
    }
  }
}

/// Asks every question of `RunJournalExam`.
func examine(makeJournal: @escaping @Sendable (String) async throws -> any RunJournal) async throws {
  for question in RunJournalExam.Question.allCases { try await RunJournalExam(makeJournal: makeJournal).ask(question) }
}

extension RunJournalExam {
  private func readingBack() async throws {
    let journal = try await open()
    // JSON keeps the order of its members and the digits of its numbers: it is text here.
    let opening = RunOpening.test("R1", inputs: #"{"z": 1.10, "a": [12345678901234567890]}"#)
    try await journal.begin(opening, .synced)
    let entry = JournalEntry(
      .ended, path: "each[3].create", at: Timestamp(seconds: -1, nanoseconds: 999_999_999), status: "succeeded", code: "http.201",
      outputs: #"{"b": 1, "a": 2}"#, outputsDigest: "d1", details: "{}")
    try await journal.append([entry], to: "R1", .synced)
    try await journal.append([.test(.checkpoint)], to: "R1", .synced)
    for reader in [journal, try await open()] {
      #expect(try await reader.run("R1") == RunRecord(opening: opening, entries: [entry, .test(.checkpoint)]))
    }
    try await journal.close()
    #expect(try await open().run("R1")?.entries.count == 2)
  }

  private func order() async throws {
    let journal = try await open()
    try await journal.begin(.test("R1"), .synced)
    try await journal.begin(.test("R2"), .synced)
    let durabilities = Durability.allCases
    for number in 0..<100 {
      try await journal.append([.test(.ended, "\(number)")], to: number % 3 == 0 ? "R2" : "R1", durabilities[number % 7 / 3])
    }
    let first = try #require(try await journal.run("R1")).entries.map(\.path)
    let second = try #require(try await journal.run("R2")).entries.map(\.path)
    #expect(first == (0..<100).filter { $0 % 3 != 0 }.map(String.init))
    #expect(second == (0..<100).filter { $0 % 3 == 0 }.map(String.init))
  }

  private func batches() async throws {
    let journal = try await open()
    // Of a run whose start nobody waited for.
    try await journal.begin(.test("R1"), .soon)
    for durability in Durability.allCases {
      try await journal.append([.test(.started, "\(durability)"), .test(.ended, "\(durability)")], to: "R1", durability)
      try await journal.append([], to: "R1", durability)
    }
    let paths = Durability.allCases.flatMap { ["\($0)", "\($0)"] }
    #expect(try await open().run("R1")?.entries.map(\.path) == paths)
    // All of a call or none of it, and one that fails takes no other with it.
    let results = await withTaskGroup(of: JournalError.Code?.self) { group in
      for number in 0..<20 {
        group.addTask {
          await code { () throws(JournalError) in
            try await journal.append([.test(.started, "x"), .test(.ended, "x")], to: number % 2 == 0 ? "R1" : "R9", .written)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count { $0 == nil } == 10 && results.count { $0 == .notFound } == 10)
    #expect(try await journal.run("R1")?.entries.count == paths.count + 20)
  }

  private func unknownRuns() async throws {
    let journal = try await open()
    #expect(try await journal.run("R1") == nil)
    #expect(await code { () throws(JournalError) in try await journal.append([.test(.started)], to: "R1", .synced) } == .notFound)
    try await journal.begin(.test("R1"), .synced)
    #expect(await code { () throws(JournalError) in try await journal.begin(.test("R1", flow: "b"), .synced) } == .duplicate)
    #expect(try await journal.run("R1")?.opening.flow == "a.flow.yaml")
    // One that nobody waits for is told of by the next that somebody does, and that one is not kept.
    try await journal.append([.test(.started)], to: "R9", .soon)
    #expect(try await journal.run("R9") == nil)
    #expect(await code { () throws(JournalError) in try await journal.append([.test(.ended, "a")], to: "R1", .written) } == .notFound)
    try await journal.append([.test(.ended, "b")], to: "R1", .synced)
    // The same where all of it comes at once.
    try await journal.append([.test(.started)], to: "R9", .soon)
    #expect(await code { () throws(JournalError) in try await journal.append([.test(.ended, "c")], to: "R1", .synced) } == .notFound)
    #expect(try await journal.run("R1")?.entries.map(\.path) == ["b"])
  }

  private func executions() async throws {
    let journal = try await open()
    try await journal.begin(.test("R1"), .synced)
    let entries: [JournalEntry] = [
      .test(.started, "each"), .test(.started, "each[a].create"), .test(.started, "each[b].create"),
      .test(.ended, "each[b].create", status: "failed"), .test(.checkpoint, "each", details: "1"), .test(.checkpoint, "each", details: "2"),
      .test(.started, "each[b].create"), .test(.ended, "each[b].create", status: "succeeded"),
    ]
    for entry in entries { try await journal.append([entry], to: "R1", .soon) }
    let steps = try #require(try await journal.run("R1")).steps
    #expect(steps.map(\.path) == ["each", "each[a].create", "each[b].create", "each[b].create"])
    #expect(steps.map(\.end?.status) == [nil, nil, "failed", "succeeded"])
    #expect(steps.map(\.checkpoint?.details) == ["2", nil, nil, nil])
  }

  private func ends() async throws {
    let journal = try await open()
    try await journal.begin(.test("R1"), .synced)
    let list = { () async throws -> RunSummary in try #require(try await journal.runs(RunFilter()).first) }
    let outcome = { () async throws -> [String] in
      let run = try await list()
      return [run.verdict ?? "none", run.isUnresolved ? "unresolved" : "resolved"]
    }
    #expect(try await outcome() == ["none", "unresolved"])
    try await journal.append([.test(.finished, status: "failed", details: #"{"report": 1}"#)], to: "R1", .synced)
    #expect(try await outcome() == ["failed", "resolved"])
    try await journal.append([.test(.resumed)], to: "R1", .synced)
    #expect(try await outcome() == ["none", "unresolved"])
    try await journal.append([.test(.finished, status: "indeterminate")], to: "R1", .synced)
    #expect(try await outcome() == ["indeterminate", "unresolved"])
    try await journal.append([.test(.settled, details: #"{"by": "ada"}"#)], to: "R1", .synced)
    #expect(try await outcome() == ["indeterminate", "resolved"])
    // The list and the record say the same.
    let record = try #require(try await journal.run("R1"))
    #expect(try await list() == record.summary)
  }

  private func listing() async throws {
    let journal = try await open()
    for (number, verdict) in ["passed", "failed", "indeterminate", nil, "passed"].enumerated() {
      try await journal.begin(.test("R\(number)", flow: number == 4 ? "b" : "a", at: Int64(number)), .synced)
      if let verdict { try await journal.append([.test(.finished, status: verdict)], to: "R\(number)", .synced) }
    }
    let ids = { (filter: RunFilter) async throws -> [String] in try await journal.runs(filter).map(\.opening.id) }
    #expect(try await ids(RunFilter()) == ["R4", "R3", "R2", "R1", "R0"])
    #expect(try await ids(RunFilter(flow: "b")) == ["R4"])
    #expect(try await ids(RunFilter(verdict: "passed")) == ["R4", "R0"])
    #expect(try await ids(RunFilter(since: Timestamp(seconds: 3, nanoseconds: 5))) == ["R4", "R3"])
    #expect(try await ids(RunFilter(isUnresolved: true)) == ["R3", "R2"])
    #expect(try await ids(RunFilter(flow: "a", verdict: "passed", limit: 1)) == ["R0"])
    #expect(try await ids(RunFilter(limit: 2)) == ["R4", "R3"])
  }

  private func pruning() async throws {
    let journal = try await open()
    for (number, verdict) in ["passed", "indeterminate", nil, "failed"].enumerated() {
      try await journal.begin(.test("R\(number)", at: Int64(number)), .synced)
      if let verdict { try await journal.append([.test(.finished, status: verdict)], to: "R\(number)", .synced) }
    }
    #expect(try await journal.prune(startedBefore: Timestamp(seconds: 3)) == 1)
    #expect(try await journal.runs(RunFilter()).map(\.opening.id) == ["R3", "R2", "R1"])
    #expect(try await journal.run("R0") == nil)
    try await journal.begin(.test("R0"), .synced)
    #expect(try await journal.run("R0")?.entries.isEmpty == true)
  }

  private func holding() async throws {
    let journal = try await open()
    let other = try await open()
    try await journal.begin(.test("R1"), .synced)
    var hold = try await journal.hold("R1")
    #expect(hold != nil)
    #expect(try await other.hold("R1") == nil)
    #expect(try await journal.hold("R1") == nil)
    #expect(try await other.hold("R2") != nil)
    hold = nil
    #expect(try await other.hold("R1") != nil)
  }

  /// Fifty writers over several openings, of which each entry is kept once and in its writer's order.
  private func racers() async throws {
    var journals: [any RunJournal] = []
    for _ in 0..<5 { journals.append(try await open()) }
    try await journals[0].begin(.test("R1"), .synced)
    let begun = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<50 {
        let journal = journals[writer % journals.count]
        group.addTask {
          for number in 0..<10 {
            try await journal.append([.test(.ended, "\(writer) \(number)")], to: "R1", Durability.allCases[number % 3])
          }
          return await code { () throws(JournalError) in try await journal.begin(.test("R2"), .synced) } == nil ? 1 : 0
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(begun == 1, "an id is taken once")
    let paths = try #require(try await journals[0].run("R1")).entries.map(\.path)
    #expect(paths.count == 500 && Set(paths).count == 500)
    for writer in 0..<50 {
      #expect(paths.filter { $0.hasPrefix("\(writer) ") } == (0..<10).map { "\(writer) \($0)" })
    }
  }

  private func anyText() async throws {
    let journal = try await open()
    try await journal.begin(.test("R1"), .synced)
    let texts = ["", "a\0b", "'; DROP TABLE run; --", "\u{1F600}e\u{301}", String(repeating: "x", count: 1_000_000)]
    for text in texts { try await journal.append([.test(.ended, text, outputs: text)], to: "R1", .synced) }
    let entries = try #require(try await journal.run("R1")).entries
    #expect(entries.map { Array($0.path.utf8) } == texts.map { Array($0.utf8) })
    #expect(entries.map(\.outputs) == texts)
  }
}
