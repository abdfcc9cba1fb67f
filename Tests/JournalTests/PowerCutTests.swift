import FlowEvents
import FoundationEssentials
import Glibc
import Journal
import Testing
import Values

/// Every disk that a power cut may leave behind, at each system call of a recorded life.
@Suite(.serialized, .enabled(if: Machine.canTrace, "needs strace"))
struct PowerCutTests {
  private static let life = ["opened", "intended", "sent", "acknowledged"]

  /// Records a job of the probe, and hands over each disk with what had been told by then.
  private func cut(
    _ words: [String], in room: Room, _ check: (_ image: Room, _ told: [String], _ place: String) async throws -> Void
  ) async throws -> Int {
    let before = try contents(of: room.state)
    let trace = room.path + "/trace"
    let calls = "trace=openat,mknod,mknodat,close,pwrite64,write,ftruncate,fsync,fdatasync,unlink"
    let strace = ["strace", "-f", "--seccomp-bpf", "-o", trace, "-e", calls, "-e", "signal=none", "-xx", "-s", "1000000"]
    _ = try Probe.run(words, under: strace)
    var disk = Disk(folder: room.state, holding: before)
    var generator = SeededGenerator(7)
    var told: [String] = []
    var seen: Set<[String: [UInt8]]> = []
    for (number, call) in try SystemCall.all(in: String(contentsOf: URL(filePath: trace), encoding: .utf8)).enumerated() {
      disk.perform(call)
      if case .said(let line) = call { told.append(line) }
      for loss in Disk.Loss.allCases {
        let image = disk.image(after: loss, &generator)
        // What was told makes the same disk another case.
        guard seen.insert(image.merging(["": Array(told.joined().utf8)]) { $1 }).inserted else { continue }
        let copy = Room()
        _ = unsafe mkdir(copy.state, 0o700)
        for (name, bytes) in image {
          _ = unsafe mknod(copy.file(name), S_IFREG | 0o600, 0)
          _ = overwrite(copy.file(name), Data(bytes))
        }
        try await check(copy, told, "call \(number), \(call.name), lost: \(loss)")
      }
    }
    return seen.count
  }

  private func contents(of folder: String) throws -> [String: [UInt8]] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [:] }
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\($0)")))) })
  }

  /// The state found is the last one that was told, or the next one.
  @Test(arguments: [true, false])
  func ledgerKeepsWhatItTold(_ isNew: Bool) async throws {
    let room = Room()
    if !isNew { _ = try Probe.run(["trigger", room.state, "other"]) }
    let count = try await cut(["trigger", room.state, "K"], in: room) { image, told, place in
      let ledger = try await SQLiteTriggerLedger.open(in: StateDirectory(image.state))
      let states = try await ledger.history(of: .test("K")).last?.transitions.map(\.state.rawValue) ?? []
      let least = max(told.count - 1, 0)
      #expect(
        (least...least + 1).contains(states.count) && states == Array(Self.life.dropFirst().prefix(states.count)),
        "\(place): \(told) \(states)")
      if !isNew { #expect(try await ledger.history(of: .test("other")).map(\.state) == [.acknowledged], "\(place)") }
    }
    #expect(count > 50, "\(count) disks")
  }

  @Test(arguments: [true, false])
  func journalKeepsWhatItTold(_ isNew: Bool) async throws {
    let room = Room()
    if !isNew {
      let journal = try await SQLiteRunJournal.open(in: StateDirectory(room.state))
      try await journal.begin(.test("other"), .synced)
      try await journal.append([.test(.ended, "a")], to: "other", .synced)
      try await journal.close()
    }
    let count = try await cut(["runs", room.state, "6"], in: room) { image, told, place in
      let journal = try await SQLiteRunJournal.open(in: StateDirectory(image.state))
      let paths = try await journal.run("R")?.synced
      let least = told.count - 1
      #expect((least...least + 1).contains(paths?.count ?? -1), "\(place): \(told) \(paths ?? [])")
      #expect(paths ?? [] == (0..<(paths?.count ?? 0)).map { "\($0 + 1)" }, "\(place)")
      if !isNew { #expect(try await journal.run("other")?.entries.map(\.path) == ["a"], "\(place)") }
    }
    #expect(count > 20, "\(count) disks")
  }
}

extension SystemCall {
  /// As a failure shows it.
  fileprivate var name: String {
    switch self {
    case .open(let path, _): "open \(path)"
    case .make(let path): "make \(path)"
    case .close(let descriptor): "close \(descriptor)"
    case .write(let descriptor, let bytes, let offset): "write \(bytes.count) bytes at \(offset) of \(descriptor)"
    case .truncate(let descriptor, let count): "truncate \(descriptor) to \(count)"
    case .sync(let descriptor): "sync \(descriptor)"
    case .remove(let path): "remove \(path)"
    case .said(let line): "said \(line)"
    }
  }
}
