package import StepKit
import Values

extension SecureNode {
  /// One brand as a contact, with all of its numbers.
  package struct ContactProfile: Hashable, Sendable {
    /// What a phone's address book takes.
    static let mostProfiles = 1500
    static let mostNumbers = 50

    let brandID: String?
    let name: String
    var numbers: [String]
    let logoURL: String?
    let reasons: [String]

    /// The brands of a directory in the order in which they came; items without a brand's id are one by their name. Name and
    /// picture are those of a brand's first item that has them.
    static func profiles(of directory: [Item]) -> (kept: [ContactProfile], leftOut: Int) {
      var order: [String] = []
      var groups: [String: [Item]] = [:]
      for item in directory where !item.brandName.isEmpty {
        let key = stated(item.brandID).map { "id \($0)" } ?? "name \(item.brandName)"
        if groups[key] == nil { order.append(key) }
        groups[key, default: []].append(item)
      }
      var leftOut = 0
      var profiles: [ContactProfile] = []
      for key in order {
        guard let items = groups[key], let first = items.first else { continue }
        guard profiles.count < mostProfiles else {
          leftOut += items.count
          continue
        }
        leftOut += max(0, items.count - mostNumbers)
        profiles.append(
          ContactProfile(
            brandID: stated(first.brandID), name: first.brandName, numbers: items.prefix(mostNumbers).map(\.phoneNumberE164),
            logoURL: items.lazy.compactMap { stated($0.logoURL) }.first, reasons: distinct(items.compactMap { stated($0.callReason) })))
      }
      return (profiles, leftOut)
    }

    private static func distinct(_ texts: [String]) -> [String] {
      var seen: Set<String> = []
      return texts.filter { seen.insert($0).inserted }
    }
  }

  /// A form in which contacts are written.
  package enum ContactFormat: String, Choice {
    case vcard4, vcard3, json

    func text(_ profiles: [ContactProfile]) -> String {
      switch self {
      case .vcard4: profiles.map { VCard(.version4, $0).text }.joined()
      case .vcard3: profiles.map { VCard(.version3, $0).text }.joined()
      case .json: profiles.value.json(indent: 2) + "\n"
      }
    }
  }

  /// `securenode/export-contacts`
  package enum ExportContacts: StepHandler {
    package static let about = About(
      "securenode/export-contacts", "Makes one contact of each brand, as vCards or as JSON, and writes them to a file.", effect: .idempotent
    )
    package static let example = Example(
      with: """
        {"directory": [{"phone_number_e164": "+61412345678", "brand_name": "Harbour Clinic", "brand_id": "b-1"}], "format": "json"}
        """,
      outputs: #"{"profiles": 1, "numbers": 1, "left_out": 0, "content": "*"}"#)

    package struct Input: Sendable {
      let directory: [Item]
      let format: ContactFormat
      let path: String?
    }

    package struct Output: Sendable {
      let profiles: Int
      let numbers: Int
      let leftOut: Int
      let content: String
      let path: String?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let (profiles, leftOut) = ContactProfile.profiles(of: input.directory)
      let content = input.format.text(profiles)
      if let path = input.path { try await ports.files.write(Array(content.utf8), to: path) }
      return Output(
        profiles: profiles.count, numbers: profiles.map(\.numbers.count).reduce(0, +), leftOut: leftOut, content: content, path: input.path)
    }
  }
}

extension SecureNode.ContactProfile: DescribedRecord {
  package init(_ field: inout Fields) {
    brandID = field("brand_id", "The brand's id.")
    name = field("name", "Its name.")
    numbers = field("numbers", "Its numbers.")
    logoURL = field("logo_url", "Where its picture is.")
    reasons = field("reasons", "Why it calls.")
  }
}

extension SecureNode.ExportContacts.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    directory = field("directory", "All numbers that are stored.")
    format = field("format", "vCards of version 4.0 or 3.0, or a list in JSON.", default: .vcard4)
    path = field("path", "The file, from the flow's folder on, whose folder must be there; nothing is written unless given.", minLength: 1)
  }
}

extension SecureNode.ExportContacts.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    profiles = field("profiles", "How many brands there are; 1500 at most.")
    numbers = field("numbers", "How many numbers they have together; 50 at most each.")
    leftOut = field("left_out", "How many numbers were too many.")
    content = field("content", "The text of the file.")
    path = field("path", "The file, as it was named.")
  }
}
