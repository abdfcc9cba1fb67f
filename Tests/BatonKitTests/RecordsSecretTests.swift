import FlowEvents
import FoundationEssentials
import Glibc
import Journal
import Reporters
import Testing
import Values

@testable import BatonKit

/// What leaves the records: no secret, nothing that a terminal obeys, JSON that parses, and an archive that others may have.
@Suite struct RecordsSecretTests {
  private static let hostile = "\u{1B}]52;c;b3du\u{07}\n::add-mask::x\u{202E}"
  private static let escaped = #"\u001b]52;c;b3du\u0007\n::add-mask::x\u202e"#

  /// A run all of whose texts are hostile.
  private func hostileBook() async throws -> RecordBook {
    let escaped = Self.escaped
    let error = #","error":{"code":"\#(escaped)","title":"\#(escaped)","detail":"\#(escaped)","sent":"\#(escaped)"}"#
    let request = #","request":{"method":"\#(escaped)","url":"\#(escaped)","status":503}"#
    let book = try await RecordBook().begin("7f3k-92mq", flow: Self.hostile, environment: Self.hostile)
    try await book.add(
      "7f3k-92mq", .started(Self.hostile, escaped), .ended(Self.hostile, "indeterminate", code: Self.hostile, error + request),
      .entry(.settled, "else", at: 3, status: Self.hostile, shown: #"{"by":"\#(escaped)","reason":"\#(escaped)"}"#),
      .started("b", escaped, #","key":"\#(escaped)","system":"\#(escaped)""#), .ended("b", Self.hostile), .resumed(at: 4),
      .started("open" + Self.hostile, escaped))
    return try await book.trigger(Self.hostile, run: "7f3k-92mq", outcome: .unknown(reason: Self.hostile))
  }

  @Test func nothingThatATerminalObeysLeaves() async throws {
    let book = try await hostileBook()
    let list = RunsCommand(printsJSON: true)
    var texts = [try await book.show("7f3k"), try await book.show("7f3k", json: true), try await book.runs().output]
    texts.append(try await list.answer(book.records, style: ConsoleStyle()).output)
    texts.append(try await book.resolve("7f3k", .notDelivered, reason: Self.hostile, step: Self.hostile))
    if let refusal = await book.refusal({ () async throws(RecordsRefusal) in try await book.resolve("7f3k", .delivered(outputs: nil)) }) {
      texts.append(refusal)
    }
    for text in texts {
      #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{07}" || $0 == "\u{202E}" }, "\(text)")
      #expect(!text.split(separator: "\n").contains { $0.drop { $0 == " " }.hasPrefix("::") }, "\(text)")
    }
  }

  @Test func whatIsKeptForGoingOnIsNeverShown() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").trigger("incident-7", run: "7f3k-92mq").add(
      "7f3k-92mq", .started("alarm", effect: "once", #","key":"incident-7","system":"rapidsos""#), .started("create"),
      .ended("create", "failed", JournalEntry.doubtful), .finished("indeterminate"))
    let bundle = RunBundle(story: try #require(try await book.records.reading("7f3k-92mq")).story, version: "1", now: RecordBook.now)
    for text in [
      try await book.show("7f3k"), try await book.show("7f3k", json: true), try await book.runs().output, bundle.text,
      try await book.resolve("7f3k", .delivered(outputs: nil), json: true),
    ] { #expect(!text.contains("canary"), "\(text)") }
  }

  // MARK: JSON

  @Test func theListAsJSON() async throws {
    let book = try await RecordBook().trigger("incident-7", run: "gone").begin("aaaa-0001").add("aaaa-0001", .started("create"))
    let json = try JSON.parse(try await book.runs { $0.printsJSON = true }.output)
    let trigger = try #require(json["triggers"]?.listValue?.first)
    #expect(trigger["key"] == "incident-7")
    #expect(trigger["state"] == "unknown")
    #expect(trigger["journaled"] == false)
    #expect(trigger["transitions"]?.listValue?.count == 3)
    let run = try #require(json["runs"]?.listValue?.first)
    #expect(run["verdict"] == "interrupted")
    #expect(run["next"] == "baton resolve aaaa-0001")
    #expect(run["doubts"]?.listValue?.first?["step"] == "create")
    #expect(run["started"] == "2023-11-14T22:13:20Z")
    #expect(json["more"] == false)
  }

  @Test func aRunAsJSON() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").add(
      "7f3k-92mq", .started("create"),
      .entry(
        .ended, "create", at: 3, status: "succeeded", outputs: #"{"id":17,"token":"[secret]"}"#,
        shown: #"{"attempts":2,"requests":2,"duration":1.5}"#),
      .finished("passed"))
    let json = try JSON.parse(try await book.show("7f3k", json: true))
    let step = try #require(json["steps"]?.listValue?.first)
    #expect(step["outputs"] == ["id": 17, "token": "[secret]"])
    #expect(step["durationMs"] == 1500)
    #expect(step["attempts"] == 2)
    #expect(json["inputs"] == ["name": "ada", "pin": "[secret]"])
    #expect(json["durationMs"] == 5000)
    #expect(json["report"] == ["verdict": "passed"])
    #expect(json["next"] == .null)
  }

  @Test func aSettlementAsJSON() async throws {
    let book = try await RecordBook().begin("7f3k-92mq").add("7f3k-92mq", .started("create"))
    let json = try JSON.parse(try await book.resolve("7f3k", .notDelivered, json: true))
    #expect(json["run"] == "7f3k-92mq")
    #expect(json["open"] == 0)
    #expect(json["next"] == "baton resume 7f3k-92mq")
    let settled = try #require(json["settled"]?.listValue?.first)
    #expect(settled["step"] == "create")
    #expect(settled["how"] == "not_delivered")
    #expect(settled["new"] == true)
  }

  // MARK: bundle

  private struct Folder: ~Copyable {
    let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appending(path: "bundle-\(UUID().uuidString)").path()
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private func bundle(_ book: RecordBook, to path: String) async throws(RecordsRefusal) -> String {
    try await ShowCommand(run: "7f3k", bundle: path, version: "9.9").answer(book.records, style: ConsoleStyle()).output
  }

  @Test func theArchiveHoldsTheRunItsStoryAndTheFlowThatRan() async throws {
    let folder = try Folder()
    let flow = "steps:\n  - get: /health\n"
    try Data(flow.utf8).write(to: URL(filePath: folder.path + "/a.flow.yaml"))
    let book = try await RecordBook().begin(
      "7f3k-92mq", flow: folder.path + "/a.flow.yaml", digest: ContentDigest.of(Array(flow.utf8)) + ".called")
    try await book.add("7f3k-92mq", .started("create"), .ended("create"), .finished("passed"))
    let path = folder.path + "/run.tar"
    #expect(
      try await bundle(book, to: path)
        == "wrote \(path): run.json, story.txt, flow.yaml, version.txt\nsecrets are hidden in it; look through it before you hand it on\n")
    let files = try UnpackedTar(path).files
    #expect(files.map(\.name) == ["run.json", "story.txt", "flow.yaml", "version.txt"].map { "baton-run-7f3k-92mq/\($0)" })
    #expect(files[2].text == flow)
    #expect(files[3].text.hasPrefix("baton 9.9\nLinux "))
    #expect(try JSON.parse(files[0].text)["run"] == "7f3k-92mq")
    #expect(files[1].text.contains("✓ create  POST /orders"))
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func aFlowThatChangedIsLeftOutAndHomesAreShortened() async throws {
    let folder = try Folder()
    try Data("other".utf8).write(to: URL(filePath: folder.path + "/a.flow.yaml"))
    let book = try await RecordBook().begin("7f3k-92mq", flow: folder.path + "/a.flow.yaml")
    let story = try #require(try await book.records.reading("7f3k-92mq")).story
    let bundle = RunBundle(story: story, version: "1", now: RecordBook.now, homes: [folder.path])
    let flow = try #require(bundle.files.first { $0.name == "flow.txt" })
    #expect(
      String(decoding: flow.bytes, as: UTF8.self) == "the flow's file has changed since the run: ~/a.flow.yaml\ndigest when it ran: d1\n")
    #expect(!bundle.text.contains(folder.path))
    #expect(bundle.text.contains("~/a.flow.yaml"))
  }

  @Test func aLinkIsNotWrittenThrough() async throws {
    let folder = try Folder()
    let target = folder.path + "/target"
    try Data("mine".utf8).write(to: URL(filePath: target))
    #expect(unsafe symlink(target, folder.path + "/run.tar") == 0)
    let book = try await RecordBook().begin("7f3k-92mq")
    let refusal = await book.refusal { () async throws(RecordsRefusal) in try await bundle(book, to: folder.path + "/run.tar") }
    #expect(refusal?.contains("it is no regular file") == true)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
  }
}

/// An archive as `tar` reads it: sizes and checksums are those of its headers.
private struct UnpackedTar {
  var files: [(name: String, text: String)] = []

  init(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    #expect(bytes.count % 10_240 == 0)
    var offset = 0
    while offset + 512 <= bytes.count, bytes[offset] != 0 {
      let header = Array(bytes[offset..<offset + 512])
      let sum = try #require(Int(Self.text(header[148..<154]), radix: 8))
      #expect(header.indices.reduce(0) { $0 + ((148..<156).contains($1) ? 0x20 : Int(header[$1])) } == sum)
      #expect(Self.text(header[257..<262]) == "ustar")
      let size = try #require(Int(Self.text(header[124..<135]), radix: 8))
      files.append((Self.text(header[0..<100]), String(decoding: bytes[offset + 512..<offset + 512 + size], as: UTF8.self)))
      offset += 512 + (size + 511) / 512 * 512
    }
    #expect(bytes[offset...].allSatisfy { $0 == 0 })
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
}
