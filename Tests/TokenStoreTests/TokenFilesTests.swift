import Glibc
import Journal
import StepKit
import Testing
import TokenStore
import Values

/// Serialised: the umask belongs to the process.
@Suite("The token store in files", .serialized)
struct TokenFilesTests {
  private let room: StateRoom

  init() throws { room = try StateRoom() }

  // MARK: what is kept

  @Test("gives back what was stored, whole, and nothing where nothing is")
  func roundTrip() async throws {
    #expect(try await room.store().load().isEmpty)
    try await room.store().put(someSession)
    #expect(try await room.store().load() == someSession)
    try await room.store().put(StoredSession())
    #expect(try await room.store().load().isEmpty)
    #expect(!room.names.contains { $0.hasSuffix(".sealed") })
  }

  @Test("tells sessions apart by system, URLs, client, user and environment, and not by secrets or by how they are reached")
  func identities() async throws {
    func settings(_ json: String) throws -> ValueMap { try JSON.parse(json).mapValue ?? ValueMap() }
    let own = #"{"base_url": "https://a.test", "client_id": "c", "username": "ada""#
    try await #require(room.stores().store(system: "rapidsos", settings: settings(own + "}"))).put(someSession)
    let same = #", "password": "other", "client_secret": "s", "rate": "1/1s", "token_store": true, "proxy": "none"}"#
    #expect(try await #require(room.stores().store(system: "rapidsos", settings: settings(own + same))).load() == someSession)
    let reordered = #"{"username": "ada", "client_id": "c", "base_url": "https://a.test"}"#
    #expect(try await #require(room.stores().store(system: "rapidsos", settings: settings(reordered))).load() == someSession)
    for other in [
      #"{"base_url": "https://b.test", "client_id": "c", "username": "ada"}"#,
      #"{"base_url": "https://a.test", "client_id": "d", "username": "ada"}"#,
      #"{"base_url": "https://a.test", "client_id": "c", "username": "eve"}"#, #"{"base_url": "https://a.test", "client_id": "c"}"#,
    ] {
      #expect(try await #require(room.stores().store(system: "rapidsos", settings: settings(other))).load().isEmpty)
    }
    #expect(try await #require(room.stores().store(system: "afero", settings: settings(own + "}"))).load().isEmpty)
    #expect(try await #require(room.stores(environment: "qa").store(system: "rapidsos", settings: settings(own + "}"))).load().isEmpty)
  }

  @Test("holds no plain byte of a token, and no name says whose it is")
  func nothingPlain() async throws {
    try await room.store().put(someSession)
    let names = room.names
    #expect(names.count == 2)
    for name in names {
      let text = name + String(decoding: room.bytes(room.tokens + "/" + name), as: UTF8.self)
      #expect(!text.contains("canary"))
      #expect(!text.contains("example"))
    }
  }

  @Test("is open to its user alone, whatever the umask", arguments: [0o000, 0o022, 0o277] as [mode_t])
  func modes(mask: mode_t) async throws {
    let before = umask(mask)
    defer { umask(before) }
    // What lies above is made before: a folder that its owner cannot enter is nobody's.
    if mask == 0o277 {
      try #require(
        unsafe mkdir(room.state, 0o700) == 0 && chmod(room.state, 0o700) == 0 && mkdir(room.tokens, 0o700) == 0
          && chmod(room.tokens, 0o700) == 0)
    }
    try await room.store().put(someSession)
    #expect(room.mode(room.state) == 0o700)
    #expect(room.mode(room.tokens) == 0o700)
    for name in room.names { #expect(room.mode(room.tokens + "/" + name) == 0o600) }
    #expect(try await room.store().load() == someSession)
  }

  // MARK: what is refused

  private func expectRefusal(_ words: String, _ store: (any SessionStore)? = nil) async throws {
    let store = try store ?? room.store()
    let failure = await #expect(throws: StepFailure.self) { try await store.load() }
    #expect(failure?.code == "config.token_store")
    #expect(failure?.detail.contains(words) == true, "\(failure?.detail ?? "")")
    #expect(failure?.detail.contains("canary") == false)
    let lease = await #expect(throws: StepFailure.self) {
      let lease = try await store.acquire()
      do {
        _ = try await lease.load()
      } catch {
        await lease.release()
        throw error
      }
      await lease.release()
    }
    #expect(lease?.code == "config.token_store")
  }

  @Test("refuses a hard link to an entry")
  func hardLink() async throws {
    try await room.store().put(someSession)
    try #require(unsafe link(room.entry, room.path + "/second") == 0)
    try await expectRefusal("has a second name (hard link); move it away")
  }

  @Test("follows no symbolic link, to an entry or to the folder")
  func symbolicLink() async throws {
    try await room.store().put(someSession)
    let entry = room.entry
    try #require(unsafe rename(entry, room.path + "/elsewhere") == 0 && symlink(room.path + "/elsewhere", entry) == 0)
    try await expectRefusal("is a symbolic link")
    try #require(unsafe rename(room.tokens, room.path + "/folder") == 0 && symlink(room.path + "/folder", room.tokens) == 0)
    try await expectRefusal("is a symbolic link, not a folder")
  }

  @Test("waits for nobody at a pipe in the place of an entry or of its draft")
  func pipes() async throws {
    try await room.store().put(someSession)
    try #require(unsafe mkfifo(room.entry + ".new", 0o600) == 0)
    let store = try room.store()
    let failure = await #expect(throws: StepFailure.self) { try await store.acquire() }
    #expect(failure?.detail.hasSuffix("is a special file, not a file; move it away") == true, "\(failure?.detail ?? "")")
    try #require(unsafe rename(room.entry + ".new", room.entry) == 0)
    try await expectRefusal("is a special file, not a file; move it away")
  }

  @Test("refuses a folder and an entry that others can open", arguments: [0o755, 0o711, 0o770] as [mode_t])
  func openFolder(mode: mode_t) async throws {
    try await room.store().put(someSession)
    try #require(unsafe chmod(room.tokens, mode) == 0)
    try await expectRefusal("run `chmod 700 \(room.tokens)`")
    try #require(unsafe chmod(room.tokens, 0o700) == 0 && chmod(room.entry, 0o644) == 0)
    try await expectRefusal("run `chmod 600 \(room.entry)`")
  }

  @Test("refuses a place where anyone can put another folder")
  func openParent() async throws {
    try #require(unsafe chmod(room.path, 0o777) == 0)
    try await expectRefusal("run `chmod o-w \(room.path)`")
  }

  @Test("refuses what belongs to another user", .enabled(if: geteuid() == 0, "only root can give a file away"))
  func foreign() async throws {
    try await room.store().put(someSession)
    try #require(unsafe chown(room.entry, 65534, 65534) == 0)
    try await expectRefusal("belongs to another user (id 65534)")
  }

  @Test("says so of an entry that was changed, cut short, or sealed for another name")
  func damaged() async throws {
    try await room.store().put(someSession)
    let whole = room.bytes(room.entry)
    for broken in [Array(whole.dropLast(9)), [], Array("nonsense\n".utf8), whole.map { $0 == UInt8(ascii: "A") ? UInt8(ascii: "B") : $0 }]
    where broken != whole {
      room.write(broken, to: room.entry)
      try await expectRefusal("remove the file, and sign in again")
    }
    let other: Value = ["base_url": "https://other.example.test"]
    let store = try room.store(other.mapValue ?? ValueMap())
    try await store.put(someSession)
    let name = try #require(
      room.names.filter { $0.hasSuffix(".sealed") }.map { room.tokens + "/" + $0 }.first {
        room.bytes($0) != room.bytes(room.entry) || $0 != room.entry
      })
    room.write(whole, to: name)
    room.write(whole, to: room.entry)
    var refusals = 0
    for store in [store, try room.store()] where (try? await store.load()) == nil { refusals += 1 }
    #expect(refusals == 1)
  }

  @Test("says so of a key that is another one, or is gone")
  func keys() async throws {
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    try await room.store(key: key).put(someSession)
    #expect(try await room.store(key: key).load() == someSession)
    try await expectRefusal("the key is another one", room.store(key: "Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA="))
    try await expectRefusal("was sealed with the key in `BATON_STATE_KEY`, which is not there", room.store())
    try await expectRefusal("set it to the base64 of 32 random bytes", room.store(key: "short"))
  }

  @Test("says so of every byte that was changed, and of one more or less, the last line break included")
  func everyByte() async throws {
    let store = try room.store()
    try await store.put(someSession)
    let whole = room.bytes(room.entry)
    var broken: [[UInt8]] = [[], Array(whole.dropLast())]
    for place in whole.indices {
      for bit: UInt8 in [0x01, 0x20, 0x80] {
        broken.append(whole)
        broken[broken.count - 1][place] ^= bit
      }
    }
    for byte in "\n\r x\0".utf8 { broken += [whole + [byte], [byte] + whole] }
    broken.append(Array(String(decoding: whole, as: UTF8.self).replacing("\n", with: "\r\n").utf8))
    for bytes in broken {
      room.write(bytes, to: room.entry)
      let failure = await #expect(throws: StepFailure.self) { try await store.load() }
      #expect(failure?.code == "config.token_store")
      #expect(failure?.detail.contains("remove the file, and sign in again") == true)
    }
    room.write(whole, to: room.entry)
    #expect(try await store.load() == someSession)
  }

  @Test("has one key where the environment has one: what another has sealed does not open, and the mend is told")
  func oneKey() async throws {
    try await room.store().put(someSession)
    let sealed = room.bytes(room.entry)
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    try await expectRefusal(
      "was sealed with the key file `seal.key`, and `BATON_STATE_KEY` is set, whose key is then the only one; unset it, or remove the file, and sign in again",
      room.store(key: key))
    #expect(room.bytes(room.entry) == sealed)
    #expect(try await room.store().load() == someSession)

    try #require(unsafe unlink(room.entry) == 0)
    try await room.store(key: key).put(someSession)
    #expect(try await room.store(key: key).load() == someSession)
    try await expectRefusal("was sealed with the key in `BATON_STATE_KEY`, which is not there; bring it back", room.store())
  }

  @Test("writes over what somebody who was killed has left half done")
  func leftover() async throws {
    try await room.store().put(someSession)
    room.write(Array("half".utf8), to: room.entry + ".new")
    try await room.store().put(someSession)
    #expect(try await room.store().load() == someSession)
    #expect(!room.names.contains { $0.hasSuffix(".new") })
  }
}
