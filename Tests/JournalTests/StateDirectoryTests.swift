import FlowEvents
import FoundationEssentials
import Glibc
import Journal
import Testing

@Suite struct StateDirectoryTests {
  private func code(_ room: Room, _ path: String? = nil) async -> JournalError.Code? {
    do throws(JournalError) {
      let directory = try StateDirectory(path ?? room.state)
      _ = try await SQLiteTriggerLedger.open(in: directory)
      _ = try await SQLiteRunJournal.open(in: directory)
      return nil
    } catch {
      return error.code
    }
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func everyFileIsOfThisUserAlone() async throws {
    let room = Room()
    let directory = try StateDirectory(room.path + "/a/b/state/")
    #expect(directory.path == room.path + "/a/b/state")
    let ledger = try await SQLiteTriggerLedger.open(in: directory)
    let journal = try await SQLiteRunJournal.open(in: directory)
    try await journal.begin(.test("R1"), .synced)
    #expect(try await ledger.intend(.test("K"), .test()).attempt != nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(names == ["runs.db", "runs.db-shm", "runs.db-wal", "runs.held", "runs.lock", "triggers.db", "triggers.held"])
    #expect(names.allSatisfy { mode("\(directory.path)/\($0)") == 0o600 })
    for folder in ["a", "a/b", "a/b/state"] { #expect(mode("\(room.path)/\(folder)") == 0o700) }
  }

  @Test(arguments: [0o755, 0o770, 0o701, 0o4700] as [mode_t])
  func folderThatOthersCanEnterIsRefused(_ mode: mode_t) async {
    let room = Room()
    #expect(await code(room) == nil)
    _ = unsafe chmod(room.state, mode)
    #expect(await code(room) == .unsafePath)
  }

  @Test(arguments: ["triggers.db", "triggers.held", "runs.db", "runs.lock", "runs.held", "runs.db-wal"])
  func fileThatOthersCanOpenIsRefused(_ name: String) async {
    let room = Room()
    #expect(await code(room) == nil)
    _ = unsafe chmod(room.file(name), 0o640)
    #expect(await code(room) == .unsafePath)
  }

  @Test(arguments: ["triggers.db", "triggers.db-journal", "triggers.held", "runs.db", "runs.db-wal", "runs.lock"])
  func linkedFileIsRefused(_ name: String) async {
    for isSymbolic in [true, false] {
      let room = Room()
      #expect(await code(room) == nil)
      let other = room.path + "/other"
      _ = unsafe rename(room.file(name), other)
      if unsafe access(other, F_OK) != 0 { _ = unsafe mknod(other, S_IFREG | 0o600, 0) }
      _ = isSymbolic ? unsafe symlink(other, room.file(name)) : unsafe link(other, room.file(name))
      #expect(await code(room) == .unsafePath)
    }
  }

  @Test func linkedFolderIsRefused() async {
    let room = Room()
    #expect(await code(room) == nil)
    let other = room.path + "/other"
    _ = unsafe symlink(room.state, other)
    #expect(await code(room, other) == .unsafePath)
    #expect(await code(room, other + "/") == .unsafePath)
    // Folders above may be linked.
    let above = room.path + "-linked"
    _ = unsafe symlink(room.path, above)
    defer { _ = unsafe unlink(above) }
    #expect(await code(room, above + "/state") == nil)
  }

  @Test func folderThatAnyoneCanReplaceIsRefused() async {
    let room = Room()
    _ = unsafe chmod(room.path, 0o777)
    #expect(await code(room) == .unsafePath)
    _ = unsafe chmod(room.path, 0o1777)
    #expect(await code(room) == nil, "the sticky bit keeps others from it")
  }

  @Test func ownerMustBeTheUser() async throws {
    let room = Room()
    #expect(await code(room) == nil)
    guard geteuid() == 0 else { return }
    _ = unsafe chown(room.file("triggers.db"), 12345, 12345)
    #expect(await code(room) == .unsafePath)
  }

  @Test func everyPathThatIsNoFolderIsRefused() async {
    let room = Room()
    _ = unsafe mknod(room.state, S_IFREG | 0o600, 0)
    #expect(await code(room) == .unsafePath)
    #expect(await code(room, room.state + "/deeper") == .unsafePath)
    #expect(await code(room, "/") == .unsafePath)
    #expect(await code(room, "") == .unsafePath)
  }
}
