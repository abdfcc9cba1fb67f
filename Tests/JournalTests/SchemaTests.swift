import FoundationEssentials
import Journal
import Testing

@Suite struct SchemaTests {
  private func opening(_ room: Room, _ schema: Schema) async -> JournalError.Code? {
    do throws(JournalError) {
      _ = try await SQLiteTriggerLedger.open(in: try StateDirectory(room.state), schema: schema)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func olderFileIsBroughtToThisVersionWithItsRecords() async throws {
    let room = Room()
    let ledger = try await SQLiteTriggerLedger.open(in: try StateDirectory(room.state))
    let attempt = try #require(try await ledger.intend(.test("K"), .test()).attempt)
    try ledger.markSent(attempt)
    try await ledger.record(.acknowledged(outputs: "{}"), of: attempt)
    var later = Schema.triggers
    later.migrations += ["ALTER TABLE attempt ADD COLUMN note TEXT; CREATE TABLE later(id INTEGER PRIMARY KEY)", "DROP TABLE later"]
    let migrated = try await SQLiteTriggerLedger.open(in: try StateDirectory(room.state), schema: later)
    #expect(try await migrated.history(of: .test("K")).map(\.state) == [.acknowledged])
    // The program of before does not touch it.
    #expect(await opening(room, .triggers) == .newerSchema)
    #expect(await opening(room, later) == nil)
  }

  @Test func migrationThatFailsLeavesTheFileAsItWas() async throws {
    let room = Room()
    #expect(await opening(room, .triggers) == nil)
    var broken = Schema.triggers
    broken.migrations += ["CREATE TABLE half(id INTEGER PRIMARY KEY)", "CREATE TABLE attempt(id INTEGER PRIMARY KEY)"]
    #expect(await opening(room, broken) == .other)
    broken.migrations.removeLast()
    #expect(await opening(room, broken) == nil, "the half is not there yet")
  }

  @Test func fileOfAnotherProgramIsRefusedUntouched() async throws {
    let room = Room()
    var foreign = Schema.triggers
    foreign.applicationID = 77
    #expect(await opening(room, foreign) == nil)
    let before = try Data(contentsOf: URL(filePath: room.file("triggers.db")))
    #expect(await opening(room, .triggers) == .foreignFile)
    #expect(try Data(contentsOf: URL(filePath: room.file("triggers.db"))) == before)
  }

  @Test(arguments: ["header", "cut", "page"])
  func damagedFileIsRefused(_ damage: String) async throws {
    let room = Room()
    do {
      let ledger = try await SQLiteTriggerLedger.open(in: try StateDirectory(room.state))
      for number in 0..<100 { try #require(try await ledger.intend(.test("K\(number)"), .test()).attempt).release() }
    }
    let url = URL(filePath: room.file("triggers.db"))
    var bytes = try Data(contentsOf: url)
    switch damage {
    case "header": bytes.replaceSubrange(0..<16, with: Data("not a database!!".utf8))
    case "cut": bytes.removeLast(bytes.count / 2)
    default: bytes.replaceSubrange(8192..<12288, with: Data(repeating: 0xAA, count: 4096))
    }
    // In place: another file would have another mode.
    let count = overwrite(url.path(), bytes)
    #expect(count == bytes.count)
    #expect(await opening(room, .triggers) == .corrupt)
    #expect(try Data(contentsOf: url) == bytes, "what is left is left alone")
  }
}
