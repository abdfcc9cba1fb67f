import FlowEvents
import FoundationEssentials
import Glibc
import Journal
import Testing

/// A disk that fails, and a process that dies, in each system call that stores something.
@Suite(.serialized, .enabled(if: Machine.canTrace, "needs strace"))
struct FaultTests {
  private static let life = ["opened", "intended", "sent", "acknowledged"]
  private static let calls = ["pwrite64", "fdatasync", "unlink"]

  /// A trigger from its beginning, and one that is gone on with: strace counts the calls of each thread for itself, and
  /// in the second all that `markSent` does is the first of its thread.
  private static let jobs = ["trigger", "send"]

  /// Runs a job that ends with a word once for each call of a kind, with a fault in that call, until it meets none.
  private func each(
    _ call: String, _ fault: String, _ job: String, _ word: String, until last: String,
    _ check: (Room, Probe.End, String) async throws -> Void
  ) async throws {
    // Death loses nothing that was written, so that every third write tells as much.
    let step = fault.hasPrefix("signal") && call == "pwrite64" ? 3 : 1
    for number in stride(from: 1, to: 500, by: step) {
      let room = try await prepared(job)
      let trace = room.path + "/trace"
      // Under seccomp strace is faster, and sends no signal to any call but the first.
      let speed = fault.hasPrefix("signal") ? [] : ["--seccomp-bpf"]
      let rules = ["-o", trace, "-e", "trace=\(call)", "-e", "inject=\(call):\(fault):when=\(number)"]
      let wrapper = ["strace", "-f"] + speed + rules
      let end = try Probe.run([job, room.state, word], under: wrapper)
      let wasHit =
        fault.hasPrefix("signal")
        ? end.lines.last != last : try String(contentsOf: URL(filePath: trace), encoding: .utf8).contains("INJECTED")
      guard wasHit else {
        let least = ["pwrite64": 10, "fdatasync": 4, "unlink": 1]
        #expect(number - 1 >= least[call, default: 0], "\(fault) met \(number - 1) calls of \(call)")
        return
      }
      try await check(room, end, "\(fault) in \(call) \(number)")
    }
    Issue.record("the job never ends")
  }

  /// A room with databases of this version, and what a job goes on with.
  private func prepared(_ job: String) async throws -> Room {
    let room = Room()
    let directory = try StateDirectory(room.state)
    if job == "runs" {
      try await SQLiteRunJournal.open(in: directory).close()
    } else {
      let ledger = try await SQLiteTriggerLedger.open(in: directory)
      if job == "send" { try #require(try await ledger.intend(.test("K"), .test(runID: "R")).attempt).release() }
    }
    return room
  }

  /// The states of the trigger, and what is unresolved, as the next process finds them.
  private func states(_ room: Room) async throws -> [String] {
    let ledger = try await SQLiteTriggerLedger.open(in: StateDirectory(room.state))
    return try await ledger.history(of: .test("K")).last?.transitions.map(\.state.rawValue) ?? []
  }

  @Test(arguments: calls, jobs)
  func ledgerSurvivesTheDeathOfItsProcess(_ call: String, _ job: String) async throws {
    try await each(call, "signal=KILL", job, "K", until: "acknowledged") { room, end, place in
      #expect(end.signal == SIGKILL, "\(place)")
      let told = max(end.lines.dropFirst().count, job == "send" ? 1 : 0)
      let found = try await states(room)
      #expect(
        (told...told + 1).contains(found.count) && found == Array(Self.life.dropFirst().prefix(found.count)),
        "\(place): \(end.lines) \(found)")
    }
  }

  /// What the disk does not take is never told as stored, and nothing is sent after `sent` could not be stored. A
  /// failed sync is never tried again: the connection that saw it stores nothing more.
  @Test(arguments: [("fdatasync", "EIO"), ("pwrite64", "EIO"), ("pwrite64", "ENOSPC"), ("unlink", "EIO")], jobs)
  func ledgerNeverClaimsWhatTheDiskDidNotTake(_ fault: (call: String, error: String), _ job: String) async throws {
    let (call, error) = fault
    var codes: Set<String> = []
    try await each(call, "error=\(error)", job, "K", until: "acknowledged") { room, end, place in
      let told = max(end.lines.filter(Self.life.contains).dropFirst().count, job == "send" ? 1 : 0)
      let found = try await states(room)
      #expect((told...told + 1).contains(found.count), "\(place): \(end.lines) \(found)")
      guard let refusal = end.lines.first(where: { $0.hasPrefix("error ") }) else {
        #expect(end.lines.last == "acknowledged", "\(place): \(end.lines)")
        return
      }
      codes.insert(String(refusal.dropFirst(6)))
      if error == "EIO", let again = end.lines.last, again != refusal { #expect(again == "again io", "\(place): \(end.lines)") }
    }
    #expect(codes.isSubset(of: error == "ENOSPC" ? ["disk_full"] : ["io", "other", "read_only"]), "\(codes)")
    #expect(!codes.isEmpty)
  }

  @Test(arguments: ["pwrite64", "fdatasync"])
  func journalSurvivesTheDeathOfItsProcess(_ call: String) async throws {
    try await each(call, "signal=KILL", "runs", "3", until: "3") { room, end, place in
      let journal = try await SQLiteRunJournal.open(in: StateDirectory(room.state))
      let found = try await journal.run("R")?.synced
      let told = end.lines.count - 1
      #expect((told...told + 1).contains(found?.count ?? -1), "\(place): \(end.lines) \(found ?? [])")
    }
  }

  @Test(arguments: [("fdatasync", "EIO"), ("pwrite64", "EIO"), ("pwrite64", "ENOSPC")])
  func journalNeverClaimsWhatTheDiskDidNotTake(_ call: String, _ error: String) async throws {
    try await each(call, "error=\(error)", "runs", "3", until: "3") { room, end, place in
      let journal = try await SQLiteRunJournal.open(in: StateDirectory(room.state))
      let found = try await journal.run("R")?.synced
      let told = end.lines.filter { Int($0) != nil }.count - 1
      #expect((told...told + 1).contains(found?.count ?? -1), "\(place): \(end.lines) \(found ?? [])")
      #expect(end.lines.last == (error == "ENOSPC" ? "error disk_full" : "error io") || end.lines.last == "3", "\(place): \(end.lines)")
    }
  }
}
