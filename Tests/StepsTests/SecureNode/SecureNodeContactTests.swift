import StepKit
import Steps
import Testing
import Values

@Suite("The contacts of SecureNode")
struct SecureNodeContactTests {
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
