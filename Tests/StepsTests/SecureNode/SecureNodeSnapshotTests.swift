import StepKit
import Steps
import Testing
import Values

@Suite("The snapshot of SecureNode")
struct SecureNodeSnapshotTests {
  static let directory = """
    [{"phone_number_e164": "+61412345678", "brand_name": "Harbour Clinic", "call_reason": "Reminder"},
     {"phone_number_e164": "+61298765432", "brand_name": "Metro Freight"}, {"phone_number_e164": "+4712345", "brand_name": "Short"},
     {"phone_number_e164": "+", "brand_name": "No Digits"}, {"phone_number_e164": "+4712345", "brand_name": ""},
     {"phone_number_e164": "47 12 345", "brand_name": "The Same"}]
    """

  private func write(_ files: FolderFiles, _ directory: String = directory, _ further: String = "") async throws -> ValueMap {
    try await SecureNodeScript([], files: files).run(
      "securenode/write-snapshot", #"{"directory": \#(directory), "folder": "out"\#(further)}"#)
  }

  private func read(_ files: FolderFiles) async throws -> ValueMap {
    try await SecureNodeScript([], files: files).run("securenode/read-snapshot", #"{"folder": "out"}"#)
  }

  @Test("numbers are sorted by their length and then by their digits, with the name and why they call")
  func order() async throws {
    let files = FolderFiles()
    let written = try await write(files)
    #expect(written["entries"] == 3)
    #expect(written["skipped"] == 3)
    #expect(written["version"] == 1)
    let outputs = try await read(files)
    #expect(
      outputs["entries"] == [
        ["number": "4712345", "label": "Short"], ["number": "61298765432", "label": "Metro Freight"],
        ["number": "61412345678", "label": "Harbour Clinic (Reminder)"],
      ])
  }

  @Test("the pointer is written last and says what is in use")
  func pointer() async throws {
    let files = FolderFiles()
    let written = try await write(files, Self.directory, #", "since_cursor": "2024-11-21T09:00:00Z""#)
    #expect(files.log == ["write out/snapshot-a.json", "write out/validator-a.json", "write out/current.json"])
    let pointer = try JSON.parse(try #require(files.text("out/current.json")))
    #expect(
      pointer == [
        "version": 1, "snapshot_path": "snapshot-a.json", "validator_path": "validator-a.json", "sha256": written["sha256"] ?? .null,
        "count": 3, "created_at": "2024-11-21T01:00:00Z", "since_cursor": "2024-11-21T09:00:00Z",
      ])
    #expect(pointer["sha256"]?.stringValue == HashDigest.sha256(Array(try #require(files.text("out/snapshot-a.json")).utf8)))
    let outputs = try await read(files)
    #expect(outputs["since_cursor"] == "2024-11-21T09:00:00Z")
    #expect(outputs["sha256"] == written["sha256"])
  }

  @Test("the next snapshot is written beside the one that is in use, and the third over the first")
  func slots() async throws {
    let files = FolderFiles()
    for (version, slot) in [(1, "a"), (2, "b"), (3, "a")] {
      let outputs = try await write(files)
      #expect(outputs["version"] == .int(Int64(version)))
      #expect(outputs["path"] == .string("out/snapshot-\(slot).json"))
    }
    #expect(
      files.paths == ["out/current.json", "out/snapshot-a.json", "out/snapshot-b.json", "out/validator-a.json", "out/validator-b.json"])
  }

  @Test(
    "a write that fails anywhere leaves the snapshot before it in use", arguments: ["snapshot-b.json", "validator-b.json", "current.json"])
  func rollBack(file: String) async throws {
    let files = FolderFiles()
    _ = try await write(files, #"[{"phone_number_e164": "+4712345", "brand_name": "Before"}]"#)
    files.refuse(["out/\(file)"])
    await #expect(throws: StepFailure.self) { try await write(files) }
    let outputs = try await read(files)
    #expect(outputs["version"] == 1)
    #expect(outputs["entries"] == [["number": "4712345", "label": "Before"]])
    files.refuse([])
    #expect(try await write(files)["version"] == 2)
  }

  @Test("what was changed behind its back is told, and never given", arguments: ["snapshot-a.json", "validator-a.json", "current.json"])
  func corrupt(file: String) async throws {
    let files = FolderFiles()
    _ = try await write(files)
    files.put("{}", at: "out/\(file)")
    let failure = await #expect(throws: StepFailure.self) { try await read(files) }
    #expect(failure?.code == "securenode.snapshot_corrupt")
    // Another one mends it.
    _ = try await write(files)
    #expect(try await read(files)["found"] == true)
  }

  @Test(
    "a version that nothing could follow is not in use, and the next write begins anew",
    arguments: ["9223372036854775807", "1000000000000001", "0", "-1", "1e300"])
  func version(number: String) async throws {
    let files = FolderFiles([
      "out/current.json":
        #"{"version": \#(number), "snapshot_path": "snapshot-a.json", "validator_path": "v", "sha256": "0", "count": 0, "created_at": "x"}"#
    ])
    #expect(await #expect(throws: StepFailure.self) { try await read(files) }?.code == "securenode.snapshot_corrupt")
    #expect(try await write(files)["version"] == 1)
  }

  @Test("a pointer leads nowhere out of its folder")
  func escape() async throws {
    let files = FolderFiles([
      "out/current.json":
        #"{"version": 1, "snapshot_path": "../x.json", "validator_path": "v", "sha256": "0", "count": 0, "created_at": "x"}"#
    ])
    #expect(await #expect(throws: StepFailure.self) { try await read(files) }?.code == "securenode.snapshot_corrupt")
  }

  @Test("a folder without one has none")
  func none() async throws {
    let outputs = try await read(FolderFiles())
    #expect(outputs["found"] == false)
    #expect(outputs["problem"] == "`out/current.json` cannot be read: there is no such file")
  }

  @Test("5000 entries are the most; the highest numbers are left out")
  func most() async throws {
    let items = (1...5003).map { #"{"phone_number_e164": "+\#($0)", "brand_name": "B"}"# }.joined(separator: ",")
    let outputs = try await SecureNodeScript([]).run("securenode/write-snapshot", #"{"directory": [\#(items)]}"#)
    #expect(outputs["entries"] == 5000)
    #expect(outputs["left_out"] == 3)
    #expect(outputs["labels"]?.listValue?.last?["number"] == "5000")
    #expect(outputs["version"] == nil)
  }

  // MARK: when to load it again

  /// Now is 01:00:00.
  @Test(
    "a call directory rests for five minutes after a load, and longer after failures",
    arguments: [
      ("{}", true, "01:05:00"),
      (#"{"last_attempt": "", "last_success": ""}"#, true, "01:05:00"),
      (#"{"last_success": "2024-11-21T00:55:01Z"}"#, false, "01:00:01"),
      (#"{"last_success": "2024-11-21T00:55:00Z"}"#, true, "01:05:00"),
      (#"{"last_attempt": "2024-11-21T00:59:31Z", "failures": 1}"#, false, "01:00:01"),
      (#"{"last_attempt": "2024-11-21T00:59:30Z", "failures": 1}"#, true, "01:05:00"),
      (#"{"last_attempt": "2024-11-21T00:59:30Z", "failures": 2}"#, false, "01:00:30"),
      (#"{"last_attempt": "2024-11-21T00:59:30Z", "failures": 6}"#, false, "01:15:30"),
      (#"{"last_attempt": "2024-11-21T00:59:30Z", "failures": 7}"#, false, "01:29:30"),
      (#"{"last_attempt": "2024-11-21T00:59:30Z", "failures": 99}"#, false, "01:29:30"),
      (#"{"last_attempt": "2024-11-21T00:59:00Z", "last_success": "2024-11-21T00:58:00Z", "failures": 1}"#, false, "01:03:00"),
    ])
  func reload(with: String, attempted: Bool, next: String) async throws {
    let outputs = try await SecureNodeScript([]).run("securenode/plan-reload", with)
    #expect(outputs["attempted"] == .bool(attempted))
    #expect(outputs["throttled"] == .bool(!attempted))
    #expect(outputs["next_allowed_at"] == .string("2024-11-21T\(next)Z"))
    if attempted { #expect(outputs["last_attempt"] == "2024-11-21T01:00:00Z") }
  }

  @Test(
    "who waits as long as it says is not too early, even within a second",
    arguments: [("00:55:00.5", 1), ("00:55:01", 1), ("00:55:01.001", 2), ("00:55:00", 0)])
  func wait(last: String, seconds: Int) async throws {
    let outputs = try await SecureNodeScript([]).run("securenode/plan-reload", #"{"last_success": "2024-11-21T\#(last)Z"}"#)
    #expect(outputs["wait_seconds"] == .int(Int64(seconds)))
    #expect(outputs["throttled"] == .bool(seconds > 0))
  }

  @Test("what went wrong the last time is handed on")
  func lastError() async throws {
    #expect(try await SecureNodeScript([]).run("securenode/plan-reload", #"{"last_error": "http.503"}"#)["error"] == "http.503")
  }
}
