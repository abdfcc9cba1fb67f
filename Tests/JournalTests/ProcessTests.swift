import FlowEvents
import FoundationEssentials
import Glibc
import Journal
import Testing

/// What holds over the borders of processes, and after their sudden end.
@Suite(.serialized) struct ProcessTests {
  private static let life: [TriggerState] = [.intended, .sent, .acknowledged]

  private func history(_ room: Room) async throws -> [TriggerRecord] {
    try await SQLiteTriggerLedger.open(in: StateDirectory(room.state)).history(of: .test("K"))
  }

  /// reliability.md §2: 50 processes racing on one key produce one request.
  @Test func fiftyProcessesSendOnce() async throws {
    let room = Room()
    _ = try await SQLiteTriggerLedger.open(in: StateDirectory(room.state))
    var ends: [Probe.End] = []
    do {
      let racers = try Racers(count: 50, words: ["race", room.state, "K", "body"])
      ends = racers.finish()
    }
    let answers = ends.reduce(into: [String: Int]()) { $0[$1.lines.first ?? "nothing", default: 0] += 1 }
    #expect(answers["sent"] == 1, "\(answers)")
    #expect(answers.keys.allSatisfy { ["sent", "busy", "spent"].contains($0) }, "\(answers)")
    #expect(try Data(contentsOf: URL(filePath: room.file("received"))).count == 1)
    #expect(try await history(room).map(\.state) == [.acknowledged])
  }

  @Test func rightEndsWithItsProcess() async throws {
    let room = Room()
    let holder = try Probe(["hold", room.state, "K"])
    #expect(holder.firstLine() == "held")
    let ledger = try await SQLiteTriggerLedger.open(in: StateDirectory(room.state))
    #expect(try await ledger.intend(.test("K"), .test()).isBusy)
    #expect(try await ledger.history(of: .test("K")).map(\.state) == [.intended])
    holder.kill()
    #expect(holder.finish().signal == SIGKILL)
    #expect(try await ledger.intend(.test("K"), .test()).attempt?.number == 2)
    #expect(try await ledger.history(of: .test("K")).map(\.state) == [.notSent, .intended])
  }

  @Test func stoppedProcessKeepsItsRight() async throws {
    let room = Room()
    let holder = try Probe(["hold", room.state, "K"])
    #expect(holder.firstLine() == "held")
    holder.stop()
    let ledger = try await SQLiteTriggerLedger.open(in: StateDirectory(room.state))
    #expect(try await ledger.intend(.test("K"), .test()).isBusy)
    holder.kill()
    #expect(holder.finish().signal == SIGKILL)
  }

  @Test(arguments: ["opened", "intended", "not_sent", "sent", "acknowledged", "unknown", "resolved_delivered"])
  func whatWasStoredOutlivesItsProcess(_ last: String) async throws {
    let room = Room()
    let end = try Probe.run(["trigger", room.state, "K", last])
    #expect(end.signal == SIGKILL && end.lines.last == last)
    let record = try await history(room).last
    #expect(record?.transitions.map(\.state.rawValue) ?? [] == Array(end.lines.dropFirst()))
  }

  @Test func acknowledgedEntriesOutliveTheirProcess() async throws {
    let room = Room()
    let end = try Probe.run(["runs", room.state, "20"])
    #expect(end.signal == SIGKILL && end.lines.last == "20")
    let journal = try await SQLiteRunJournal.open(in: StateDirectory(room.state))
    #expect(try await journal.run("R")?.synced == (1...20).map(String.init))
  }

  @Test func entriesThatWereReadOutliveTheirProcess() async throws {
    let room = Room()
    let end = try Probe.run(["unsynced", room.state, "20"])
    #expect(end.signal == SIGKILL && end.lines == ["20"])
    let journal = try await SQLiteRunJournal.open(in: StateDirectory(room.state))
    #expect(try await journal.run("R")?.entries.count == 20)
  }

  @Test func writtenEntriesOutliveTheirProcess() async throws {
    let room = Room()
    let end = try Probe.run(["written", room.state, "20"])
    #expect(end.signal == SIGKILL && end.lines == ["20"])
    let journal = try await SQLiteRunJournal.open(in: StateDirectory(room.state))
    #expect(try await journal.run("R")?.entries.map(\.path) == (1...20).map(String.init))
  }

  /// Where only reads are run nobody waits for the disk.
  @Test(.enabled(if: Machine.canTrace, "needs strace"))
  func writtenEntriesAreNotSynced() async throws {
    let room = Room()
    let earlier = try await SQLiteRunJournal.open(in: StateDirectory(room.state))
    try await earlier.begin(.test("earlier"), .synced)
    try await earlier.close()
    let trace = room.path + "/trace"
    let end = try Probe.run(["written", room.state, "20"], under: ["strace", "-f", "-o", trace, "-e", "trace=fsync,fdatasync"])
    #expect(end.lines == ["20"])
    let calls = try String(contentsOf: URL(filePath: trace), encoding: .utf8)
    #expect(!calls.contains("sync("), "\(calls)")
  }

  // MARK: disks

  @Test func fullDiskKeepsTheTriggerBack() async throws {
    let room = Room()
    try expectFull(
      try Probe.run(["fill", room.state], under: ["sh", "-c", #"ulimit -f 600; exec "$@""#, "sh"]), codes: ["disk_full", "io"])
    let journal = try await SQLiteRunJournal.open(in: StateDirectory(room.state))
    #expect(try await journal.run("R") != nil)
  }

  @Test(.enabled(if: Machine.canMount, "mounting needs root"))
  func fullFileSystemKeepsTheTriggerBack() throws {
    let room = Room()
    let script = #"mount -t tmpfs -o size=400k,mode=700 none "$0" && exec "$@""#
    try expectFull(
      try Probe.run(["fill", room.path + "/state"], under: ["unshare", "-m", "sh", "-c", script, room.path]), codes: ["disk_full"])
  }

  /// Each entry was acknowledged until one was refused with the right code; what the disk has no room for is not sent.
  private func expectFull(_ end: Probe.End, codes: [String]) throws {
    let entries = end.lines.filter { Int($0) != nil }
    #expect(!entries.isEmpty && entries.count < 1000)
    let refusals = end.lines.filter { $0.hasPrefix("error ") }.map { String($0.dropFirst(6)) }
    #expect(!refusals.isEmpty && refusals.allSatisfy(codes.contains), "\(end.lines.suffix(3))")
    #expect(end.exitCode == 0 || end.exitCode == 1)
  }

  @Test(.enabled(if: Machine.canMount, "mounting needs root"))
  func folderThatARestartEmptiesIsNotDurable() throws {
    let room = Room()
    let script = #"mount -t tmpfs -o size=400k,mode=700 none "$0" && exec "$@""#
    let end = try Probe.run(["durable", room.path + "/state"], under: ["unshare", "-m", "sh", "-c", script, room.path])
    #expect(end.lines == ["error volatile_path"])
  }

  @Test(.enabled(if: Machine.canMount || geteuid() != 0, "root writes anywhere, and mounting is not allowed"))
  func readOnlyFolderIsRefused() throws {
    let room = Room()
    _ = try Probe.run(["trigger", room.state, "K"])
    for job in ["trigger", "runs"] {
      let script =
        Machine.canMount
        ? #"mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@""# : #"chmod 500 "$0" && exec "$@""#
      let shell = ["sh", "-c", script, room.state]
      let end = try Probe.run([job, room.state, "5"], under: Machine.canMount ? ["unshare", "-m"] + shell : shell)
      #expect(end.lines.last == "error read_only", "\(job)")
    }
  }
}
