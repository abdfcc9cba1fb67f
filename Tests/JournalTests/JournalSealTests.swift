import FoundationEssentials
import Glibc
import Journal
import Testing

@Suite struct JournalSealTests {
  private let key = Data(repeating: 7, count: 32).base64EncodedString()

  private func code(_ body: () throws(JournalError) -> Void) -> JournalError.Code? {
    do throws(JournalError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  private func open(_ room: Room, environmentKey: String? = nil) throws(JournalError) -> JournalSeal {
    try JournalSeal(in: StateDirectory(room.state), environmentKey: environmentKey)
  }

  @Test(arguments: ["", "hunter2-canary", "a\0b", "\u{1F600}e\u{301}", String(repeating: "hunter2-canary", count: 10_000)])
  func textComesBackAndIsNotInWhatIsStored(_ text: String) throws {
    let room = Room()
    let seal = try open(room)
    let sealed = try seal.seal(text, for: "R1 each[3].create")
    #expect(try Array(seal.open(sealed, for: "R1 each[3].create").utf8) == Array(text.utf8))
    let bytes = try #require(Data(base64Encoded: sealed))
    #expect(bytes.count == text.utf8.count + 28, "a nonce of 12 bytes and a tag of 16")
    #expect(!String(decoding: bytes, as: UTF8.self).contains("canary"))
    // The next process has the same key.
    #expect(try Array(open(room).open(sealed, for: "R1 each[3].create").utf8) == Array(text.utf8))
    #expect(try seal.seal(text, for: "R1 each[3].create") != sealed, "each has a nonce of its own")
  }

  @Test func otherKeyIsTold() throws {
    let sealed = try open(Room()).seal("hunter2", for: "R1")
    #expect(code { () throws(JournalError) in _ = try open(Room()).open(sealed, for: "R1") } == .sealed)
    #expect(code { () throws(JournalError) in _ = try open(Room(), environmentKey: key).open(sealed, for: "R1") } == .sealed)
  }

  @Test func otherContextIsTold() throws {
    let seal = try open(Room())
    let sealed = try seal.seal("hunter2", for: "R1 a")
    for context in ["R1 b", "R2 a", "", "R1 a ", "R1"] {
      #expect(code { () throws(JournalError) in _ = try seal.open(sealed, for: context) } == .sealed)
    }
  }

  @Test func everyChangeIsTold() throws {
    let seal = try open(Room())
    let sealed = try #require(Data(base64Encoded: try seal.seal("hunter2", for: "R1")))
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(code { () throws(JournalError) in _ = try seal.open(changed.base64EncodedString(), for: "R1") } == .sealed)
      let cut = sealed.prefix(index).base64EncodedString()
      #expect(code { () throws(JournalError) in _ = try seal.open(cut, for: "R1") } == .sealed)
    }
    #expect(code { () throws(JournalError) in _ = try seal.open("no base64", for: "R1") } == .sealed)
    do throws(JournalError) {
      _ = try seal.open("", for: "R1")
    } catch {
      #expect(
        error.description == """
          cannot open what was sealed for `R1`: the key is another one, or the text was changed; use the `BATON_STATE_KEY`, or the \
          `seal.key`, with which it was stored
          """)
    }
  }

  // MARK: keys

  @Test func keyOfTheEnvironmentComesFirstAndMakesNoFile() throws {
    let rooms = [Room(), Room()]
    let sealed = try open(rooms[0], environmentKey: key).seal("hunter2", for: "R1")
    #expect(try open(rooms[1], environmentKey: key).open(sealed, for: "R1") == "hunter2")
    #expect(try FileManager.default.contentsOfDirectory(atPath: rooms[0].state).isEmpty)
  }

  @Test(arguments: [
    "", "hunter2", "aHVudGVyMg==", Data(repeating: 7, count: 33).base64EncodedString(), "!" + String(repeating: "A", count: 43),
  ])
  func malformedKeyOfTheEnvironmentIsNamedAndNotShown(_ text: String) {
    do throws(JournalError) {
      _ = try open(Room(), environmentKey: text)
      Issue.record("a key")
    } catch {
      #expect(error.code == .sealed)
      #expect(error.description.hasPrefix("`BATON_STATE_KEY` holds no key; set it to the base64 of 32 random bytes"))
      #expect(text.isEmpty || !error.description.contains(text))
    }
  }

  @Test func eightFirstUsersMakeOneKeyThatOnlyTheUserCanRead() throws {
    let room = Room()
    let ends = try Racers(count: 8, words: ["seal", room.state, "hunter2", "R1"]).finish()
    #expect(ends.count == 8 && ends.allSatisfy { $0.exitCode == 0 })
    for end in ends { #expect(try open(room).open(end.lines[0], for: "R1") == "hunter2") }
    var status = stat()
    try #require(unsafe lstat(room.file("seal.key"), &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600 && status.st_size == 32)
  }

  @Test func fileOfOthersIsRefused() throws {
    for change in ["mode", "symbolic link", "hard link", "folder"] {
      let room = Room()
      _ = try open(room)
      let (file, other) = (room.file("seal.key"), room.path + "/other")
      switch change {
      case "mode": _ = unsafe chmod(file, 0o640)
      case "hard link": _ = unsafe link(file, other)
      default:
        _ = unsafe rename(file, other)
        _ = change == "folder" ? unsafe mkdir(file, 0o700) : unsafe symlink(other, file)
      }
      #expect(code { () throws(JournalError) in _ = try open(room) } == .unsafePath, "\(change)")
    }
  }

  /// A maker that died leaves it empty: nothing was sealed with it.
  @Test func emptyFileIsMadeAKeyAndAnyOtherLengthIsRefused() throws {
    let room = Room()
    _ = try open(room)
    for (bytes, expected) in [(0, nil), (31, .corrupt), (33, .corrupt), (1000, .corrupt)] as [(Int, JournalError.Code?)] {
      _ = overwrite(room.file("seal.key"), Data(repeating: 7, count: bytes))
      #expect(code { () throws(JournalError) in _ = try open(room) } == expected, "\(bytes) bytes")
    }
    _ = overwrite(room.file("seal.key"), Data(repeating: 0, count: 32))
    #expect(code { () throws(JournalError) in _ = try open(room) } == .corrupt)
  }
}
