import Glibc
import Journal
import StepKit
import Synchronization
import Testing
import TokenStore
import Values

@Suite("The key in the Secret Service")
struct SecretServiceTests {
  private let room: StateRoom

  init() throws {
    room = try StateRoom()
    room.write(Array("#!/bin/sh\n".utf8), to: room.path + "/secret-tool")
    try #require(unsafe chmod(room.path + "/secret-tool", 0o700) == 0)
  }

  private func service(_ ring: Keyring, bus: String = "unix:path=/run/bus") -> SecretService? {
    SecretService(ring, environment: ["DBUS_SESSION_BUS_ADDRESS": bus, "PATH": room.path, "OTHER": "x"])
  }

  @Test("is made on first use, goes over standard input, and is found again")
  func firstUse() async throws {
    let ring = Keyring()
    try await room.store(service: service(ring)).put(someSession)
    #expect(try await room.store(service: service(ring)).load() == someSession)
    #expect(ring.asked.map { $0.arguments[1] } == ["lookup", "lookup", "store", "lookup", "lookup"])
    let key = try #require(ring.key)
    #expect(!ring.asked.contains { $0.arguments.contains { $0.contains(key) } || $0.environment["OTHER"] != nil })
    // What the keyring holds, the disk does not.
    #expect(room.bytes(room.state + "/" + JournalSeal.fileName).isEmpty)
  }

  @Test("takes over what the key file has sealed when it is stored again, and gives way to a key of the environment")
  func takesOver() async throws {
    try await room.store().put(someSession)
    let ring = Keyring()
    #expect(try await room.store(service: service(ring)).load() == someSession)
    try await room.store(service: service(ring)).put(someSession)
    let failure = await #expect(throws: StepFailure.self) { try await room.store().load() }
    #expect(failure?.detail.contains("was sealed with the key in the Secret Service, which is not there") == true)
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    let asked = ring.asked.count
    let other = await #expect(throws: StepFailure.self) { try await room.store(key: key, service: service(ring)).load() }
    #expect(other?.detail.contains("and `BATON_STATE_KEY` is set, whose key is then the only one") == true)
    #expect(ring.asked.count == asked)
  }

  @Test("is told where it is gone, and left alone where nobody answers or there is no bus")
  func gone() async throws {
    let ring = Keyring()
    try await room.store(service: service(ring)).put(someSession)
    let failure = await #expect(throws: StepFailure.self) { try await room.store(service: service(Keyring(isThere: false))).load() }
    #expect(failure?.detail.contains("was sealed with the key in the Secret Service, which is not there") == true)
    #expect(service(ring, bus: "") == nil)
    let other = try StateRoom()
    try await other.store(service: service(Keyring(isThere: false))).put(someSession)
    #expect(try await other.store().load() == someSession)
  }
}

/// Stands in for `secret-tool`.
private final class Keyring: ProcessPort {
  private let isThere: Bool
  private let state = Mutex((key: String?.none, asked: [ProcessRequest]()))

  init(isThere: Bool = true) { self.isThere = isThere }

  var key: String? { state.withLock { $0.key } }
  var asked: [ProcessRequest] { state.withLock { $0.asked } }

  func run(_ request: ProcessRequest) async throws(StepFailure) -> ProcessResult {
    state.withLock { state in
      state.asked.append(request)
      guard isThere else {
        let words = "secret-tool: The name org.freedesktop.secrets was not provided by any .service files\n"
        return ProcessResult(exitCode: 1, output: [], errorOutput: Array(words.utf8))
      }
      if request.arguments[1] == "store" {
        state.key = String(decoding: request.input, as: UTF8.self)
        return ProcessResult(exitCode: 0, output: [], errorOutput: [])
      }
      return ProcessResult(exitCode: state.key == nil ? 1 : 0, output: Array((state.key ?? "").utf8), errorOutput: [])
    }
  }
}
