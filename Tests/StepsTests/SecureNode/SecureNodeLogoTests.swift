import StepKit
import Steps
import Testing
import Values

@Suite("The pictures and contacts of SecureNode")
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
    files.put(#"{"../x.png": {"saved_at": "2000-01-01T00:00:00Z"}, "mine.txt": {}}"#, at: "out/index.json")
    files.put("text", at: "out/mine.txt")
    _ = try await cache(SecureNodeScript([], files: files), [])
    #expect(files.text("x.png") == "mine")
    #expect(files.text("out/mine.txt") == "text")
    #expect(!files.log.contains { $0.hasPrefix("remove") })
  }

  @Test("a cache is emptied of its own files alone")
  func clear() async throws {
    let files = FolderFiles(["out/a.png": "", "out/b.png": "", "out/index.json": "{}", "out/brands.vcf": "", "other/c.png": ""])
    let outputs = try await SecureNodeScript([], files: files).run("securenode/clear-logos", #"{"folder": "out"}"#)
    #expect(outputs["removed"] == ["a.png", "b.png"])
    #expect(files.paths == ["other/c.png", "out/brands.vcf"])
  }

  // MARK: contacts

  private func contacts(_ items: String, _ format: String, path: String? = nil, files: FolderFiles = FolderFiles()) async throws -> ValueMap
  {
    try await SecureNodeScript([], files: files).run(
      "securenode/export-contacts", #"{"directory": [\#(items)], "format": "\#(format)"\#(path.map { #", "path": "\#($0)""# } ?? "")}"#)
  }

  static let clinic = """
    {"phone_number_e164": "+61412345678", "brand_name": "Harbour Clinic", "brand_id": "b-1", "logo_url": "https://a.test/hc.png", "call_reason": "Reminder; 1, 2"},
    {"phone_number_e164": "+61298765432", "brand_name": "Metro Freight"}, {"phone_number_e164": "+6141", "brand_name": "Harbour Clinic", "brand_id": "b-1"},
    {"phone_number_e164": "+4712345", "brand_name": ""}
    """

  @Test("each brand is one contact, of version 4.0")
  func version4() async throws {
    let files = FolderFiles()
    let outputs = try await contacts(Self.clinic, "vcard4", path: "brands.vcf", files: files)
    let text = """
      BEGIN:VCARD
      VERSION:4.0
      KIND:org
      FN:Harbour Clinic
      ORG:Harbour Clinic
      TEL;VALUE=uri;TYPE=work:tel:+61412345678
      TEL;VALUE=uri;TYPE=work:tel:+6141
      PHOTO:https://a.test/hc.png
      NOTE:Reminder\\; 1\\, 2
      UID;VALUE=text:b-1
      END:VCARD
      BEGIN:VCARD
      VERSION:4.0
      KIND:org
      FN:Metro Freight
      ORG:Metro Freight
      TEL;VALUE=uri;TYPE=work:tel:+61298765432
      END:VCARD

      """.replacing("\n", with: "\r\n")
    #expect(outputs["content"] == .string(text))
    #expect(outputs["profiles"] == 2)
    #expect(outputs["numbers"] == 3)
    #expect(files.text("brands.vcf") == text)
  }

  @Test("version 3.0 has a name in parts and its own types")
  func version3() async throws {
    let text = try #require(try await contacts(Self.clinic, "vcard3")["content"]?.stringValue)
    for line in ["VERSION:3.0", "N:Harbour Clinic;;;;", "TEL;TYPE=WORK,VOICE:+6141", "PHOTO;VALUE=URI:https://a.test/hc.png", "UID:b-1"] {
      #expect(text.contains("\r\n\(line)\r\n"), "\(line)")
    }
    #expect(!text.contains("KIND"))
  }

  @Test("the list in JSON is grouped by the brand's id")
  func json() async throws {
    let text = try #require(try await contacts(Self.clinic, "json")["content"]?.stringValue)
    #expect(
      try JSON.parse(text) == [
        [
          "brand_id": "b-1", "name": "Harbour Clinic", "numbers": ["+61412345678", "+6141"], "logo_url": "https://a.test/hc.png",
          "reasons": ["Reminder; 1, 2"],
        ],
        ["name": "Metro Freight", "numbers": ["+61298765432"], "reasons": []],
      ])
  }

  @Test("no text breaks out of its line, and long lines are folded between characters")
  func folding() async throws {
    let name = String(repeating: "é", count: 60)
    let text = try #require(
      try await contacts(#"{"phone_number_e164": "+4712345", "brand_name": "\#(name)", "brand_id": "a\r\nTEL:+9"}"#, "vcard4")["content"]?
        .stringValue)
    let lines = text.replacing("\r\n", with: "\n").split(separator: "\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 })
    #expect(text.replacing("\r\n ", with: "").contains("FN:\(name)\r\n"))
    #expect(text.contains("UID;VALUE=text:a\\nTEL:+9\r\n"))
  }

  @Test("1500 brands of 50 numbers are the most")
  func most() async throws {
    let numbers = (0..<51).map { #"{"phone_number_e164": "+1\#($0)", "brand_name": "Big", "brand_id": "big"}"# }
    let brands = (0..<1500).map { #"{"phone_number_e164": "+2\#($0)", "brand_name": "B\#($0)", "brand_id": "b-\#($0)"}"# }
    let outputs = try await contacts((numbers + brands).joined(separator: ","), "json")
    #expect(outputs["profiles"] == 1500)
    #expect(outputs["numbers"] == .int(50 + 1499))
    #expect(outputs["left_out"] == 2)
  }
}
