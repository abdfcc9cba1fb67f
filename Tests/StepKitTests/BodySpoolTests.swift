import HTTPTypes
import StepKit
import Synchronization
import Testing
import Values

@Suite struct BodySpoolTests {
  @Test func filesInMemoryKeepASpoolAsAFile() async throws {
    let files = Shelf()
    let spool = try files.spool()
    try spool.write(Array("hello ".utf8).span)
    try spool.write(Array("world".utf8).span)
    #expect(spool.count == 11)
    #expect(files.written.isEmpty, "nothing is there before it is kept")
    try await spool.keep(as: "a.txt")
    #expect(files.written == ["a.txt": "hello world"])
  }

  @Test func aReplyKeepsItsBodyWhereverItIs() async throws {
    let files = Shelf()
    var reply = HTTPReply(status: 200, headers: [:], bytes: Array("held".utf8), body: "held", url: "", duration: .zero)
    try await reply.keepBody(as: "held.txt", in: files)
    let spool = try files.spool()
    try spool.write(Array("spooled".utf8).span)
    reply = HTTPReply(status: 200, headers: [:], bytes: [], body: .null, url: "", duration: .zero)
    reply.spool = spool
    try await reply.keepBody(as: "spooled.txt", in: files)
    #expect(files.written == ["held.txt": "held", "spooled.txt": "spooled"])
  }

  /// An expression that reads a body which was not held must not take it for an empty one.
  @Test func expressionsSeeNoBodyThatWasSpooled() throws {
    var reply = HTTPReply(status: 200, headers: [:], bytes: [], body: .null, url: "", duration: .zero)
    #expect(reply.value.mapValue?["text"] == "")
    reply.spool = try Shelf().spool()
    #expect(reply.value.mapValue?["text"] == .null)
    #expect(reply.value.mapValue?["body"] == .null)
  }
}

/// Files in memory.
private final class Shelf: FilePort {
  private let files = Mutex<[String: String]>([:])

  var written: [String: String] { files.withLock { $0 } }

  func read(_ path: String) async throws(StepFailure) -> [UInt8] { [] }

  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) {
    files.withLock { $0[path] = String(decoding: bytes, as: UTF8.self) }
  }
}
