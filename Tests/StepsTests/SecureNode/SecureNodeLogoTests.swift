import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("The pictures of SecureNode")
struct SecureNodeLogoTests {
  static let url = "https://assets.securenode.io/a.png"
  static let file = "aHR0cHM6Ly9hc3NldHMuc2VjdXJlbm9kZS5pby9hLnBuZw.png"

  private func cache(_ script: SecureNodeScript, _ urls: [String]) async throws -> ValueMap {
    let items = urls.enumerated().map { #"{"phone_number_e164": "+\#($0)", "brand_name": "B", "logo_url": "\#($1)"}"# }
    return try await script.run("securenode/cache-logos", #"{"directory": [\#(items.joined(separator: ","))], "folder": "out"}"#)
  }

  @Test(
    "a picture's file is named after its URL, in Base64 for URLs without padding",
    arguments: [
      (url, file), ("https://a.test/??>>", "aHR0cHM6Ly9hLnRlc3QvPz8-Pg.png"), ("https://a.test/~~~?", "aHR0cHM6Ly9hLnRlc3Qvfn5-Pw.png"),
    ])
  func names(url: String, file: String) async throws {
    let script = SecureNodeScript([.text(200, "png"), .text(200, "png")])
    #expect(try await script.run("securenode/get-logo", #"{"url": "\#(Self.url)"}"#)["file"] == .string(Self.file))
    #expect(Base64URL.encoded(Array(url.utf8)) + ".png" == file)
  }

  @Test("a URL whose file's name is too long is got, and not kept", arguments: [(188, true), (189, false)])
  func tooLong(bytes: Int, isKept: Bool) async throws {
    let url = "https://a.test/" + String(repeating: "u", count: bytes - 15)
    let files = FolderFiles()
    let outputs = try await SecureNodeScript([.text(200, "png")], files: files).run(
      "securenode/get-logo", #"{"url": "\#(url)", "folder": "out"}"#)
    #expect(outputs["found"] == true)
    #expect((outputs["file"] != nil) == isKept)
    #expect(files.paths.count == (isKept ? 2 : 0))
    let cached = try await cache(SecureNodeScript([.text(200, "png")], files: FolderFiles()), [url])
    #expect(cached["too_long"]?.listValue?.count == (isKept ? 0 : 1))
  }

  @Test("the cache is looked at first, and the bytes are kept as they came")
  func first() async throws {
    let files = FolderFiles()
    let script = SecureNodeScript([.text(200, "raw bytes")], files: files)
    let with = #"{"url": "\#(Self.url)", "folder": "out"}"#
    #expect(try await script.run("securenode/get-logo", with)["from_cache"] == false)
    let again = try await script.run("securenode/get-logo", with)
    #expect(again["from_cache"] == true)
    #expect(again["image"] == .bytes(Array("raw bytes".utf8)))
    #expect(again["size"] == 9)
    #expect(script.asked.count == 1)
    #expect(files.text("out/\(Self.file)") == "raw bytes")
    #expect(
      try JSON.parse(try #require(files.text("out/index.json")))
        == .map(ValueMap(members: [Self.file: ["url": .string(Self.url), "saved_at": "2024-11-21T01:00:00Z"]])))
  }

  @Test("anything but a picture is none", arguments: [204, 301, 403, 404, 500])
  func none(status: Int) async throws {
    let files = FolderFiles()
    let outputs = try await SecureNodeScript([.text(status)], files: files).run(
      "securenode/get-logo", #"{"url": "\#(Self.url)", "folder": "out"}"#)
    #expect(outputs["found"] == false)
    #expect(outputs["problem"] == .string("the server answered \(status)"))
    #expect(files.paths.isEmpty)
  }

  @Test(
    "what is no address is asked for nowhere, and least of all at the API",
    arguments: ["/mobile/branding/sync", "hc.png", "ftp://a.test/x", "https://", "https://a b", "http:/x"])
  func noAddress(url: String) async throws {
    let script = SecureNodeScript([.text(200)])
    #expect(try await script.run("securenode/get-logo", #"{"url": "\#(url)"}"#)["found"] == false)
    #expect(script.asked.isEmpty)
  }

  @Test(
    "a body that says to be something else is no picture, and neither is none at all",
    arguments: [("text/html; charset=utf-8", "<h1>Welcome</h1>"), ("Text/Plain", "no"), ("application/json", "{}"), ("image/png", "")])
  func otherBody(type: String, body: String) async throws {
    let files = FolderFiles()
    let script = SecureNodeScript([.text(200, body, [.contentType: type])], files: files)
    let outputs = try await script.run("securenode/get-logo", #"{"url": "\#(Self.url)", "folder": "out"}"#)
    #expect(outputs["found"] == false)
    #expect(outputs["problem"] == "the server answered 200 without a picture")
    #expect(files.paths.isEmpty)
  }

  @Test("a host that is not allowed has no picture, and stops no other")
  func refusedHost() async throws {
    var script = SecureNodeScript([.text(200, "png", [.contentType: "image/png"])], files: FolderFiles())
    script.hooks = HTTPHooks(allows: { _, address in
      address.host == "a.test" ? nil : StepFailure("config.host", title: "this host is not allowed", detail: "add it")
    })
    let outputs = try await cache(script, [Self.url, "https://a.test/1"])
    #expect(outputs["missing"] == [.string(Self.url)])
    #expect(outputs["fetched"] == ["https://a.test/1"])
    let alone = try await script.run("securenode/get-logo", #"{"url": "\#(Self.url)"}"#)
    #expect(alone["problem"] == "this host is not allowed: add it")
    #expect(script.asked == ["GET https://a.test/1"])
  }

  @Test("a spent budget is no matter of one picture")
  func spentBudget() async throws {
    var script = SecureNodeScript([], files: FolderFiles())
    script.hooks = HTTPHooks(allows: { _, _ in StepFailure("budget.requests", title: "the budget is spent") })
    let failure = await script.failure("securenode/get-logo", #"{"url": "\#(Self.url)"}"#)
    #expect(failure?.code == "budget.requests")
  }

  @Test("each picture is fetched once, and one that cannot be had stops no other")
  func all() async throws {
    let files = FolderFiles()
    let script = SecureNodeScript([.text(404), .broken(.dns, sent: .no), .text(200, "png"), .text(200, "png")], files: files)
    let urls = ["https://a.test/1", "https://a.test/2", "https://a.test/3", "https://a.test/3", "", "nonsense"]
    let outputs = try await cache(script, urls)
    #expect(outputs["missing"] == ["https://a.test/1", "https://a.test/2", "nonsense"])
    #expect(outputs["fetched"] == ["https://a.test/3"])
    #expect(outputs["files"]?.mapValue?.count == 1)
    let again = try await cache(script, ["https://a.test/3"])
    #expect(again["fetched"] == [])
    #expect(again["files"]?["https://a.test/3"] != nil)
    #expect(script.asked.count == 3)
  }

  @Test("a picture of more than thirty days is thrown away, and fetched again where it is still wanted")
  func age() async throws {
    let files = FolderFiles()
    let script = SecureNodeScript(Array(repeating: .text(200, "png"), count: 4), files: files)
    _ = try await cache(script, [Self.url, "https://a.test/old"])
    script.clock.advance(seconds: 30 * 86_400)
    #expect(try await cache(script, [Self.url])["removed"] == [])
    script.clock.advance(seconds: 1)
    let outputs = try await cache(script, [Self.url])
    #expect(outputs["removed"]?.listValue?.count == 2)
    #expect(outputs["fetched"] == [.string(Self.url)])
    #expect(files.paths == ["out/\(Self.file)", "out/index.json"])
  }

  @Test("without its index a picture counts as new, and an index leads nowhere out of its folder")
  func index() async throws {
    let files = FolderFiles(["out/\(Self.file)": "png", "out/index.json": "no JSON", "x.png": "mine"])
    #expect(try await cache(SecureNodeScript([], files: files), [Self.url])["fetched"] == [])
    #expect(files.text("out/index.json")?.contains("2024-11-21T01:00:00Z") == true)
    files.put(#"{"../x.png": {"saved_at": "2000-01-01T00:00:00Z"}, "mine.txt": {}, "mine.png": {}}"#, at: "out/index.json")
    files.put("text", at: "out/mine.txt")
    files.put("mine", at: "out/mine.png")
    #expect(try await cache(SecureNodeScript([], files: files), [])["removed"] == [])
    #expect(files.text("x.png") == "mine")
    #expect(files.text("out/mine.txt") == "text")
    #expect(files.text("out/mine.png") == "mine")
    #expect(!files.log.contains { $0.hasPrefix("remove") })
  }

  @Test("a cache is emptied of its own files alone")
  func clear() async throws {
    let files = FolderFiles([
      "out/\(Self.file)": "", "out/index.json": "{}", "out/brands.vcf": "", "out/holiday.png": "", "out/aHR0cDov.txt": "",
      "other/\(Self.file)": "",
    ])
    let outputs = try await SecureNodeScript([], files: files).run("securenode/clear-logos", #"{"folder": "out"}"#)
    #expect(outputs["removed"] == [.string(Self.file)])
    #expect(files.paths == ["other/\(Self.file)", "out/aHR0cDov.txt", "out/brands.vcf", "out/holiday.png"])
  }
}
