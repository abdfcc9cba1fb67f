import Values

extension OyaSandbox {
  /// A check of who somebody is.
  enum Check: String, CaseIterable, Sendable {
    case jumio = "JUMIO"
    case myInfo = "MY_INFO"
    case nricFin = "NRIC_FIN"
    case address = "ADDRESS"

    enum Status: String, CaseIterable, Sendable {
      case pending = "PENDING"
      case rejected = "REJECTED"
      case approved = "APPROVED"
    }

    /// The checks that a region knows.
    static func all(in region: String) -> [Check] {
      switch region {
      case "sg": [.jumio, .myInfo, .nricFin, .address]
      case "my": [.jumio, .address]
      default: [.jumio]
      }
    }

    /// A region is approved when one of these is complete; the number of an identity card alone never suffices.
    static func approvals(in region: String) -> [Set<Check>] {
      switch region {
      case "sg": [[.myInfo, .address], [.jumio, .address]]
      case "my": [[.jumio, .address]]
      default: [[.jumio]]
      }
    }
  }

  /// How far a customer is in a region.
  struct Progress: Sendable {
    let region: String
    private(set) var statuses: [Check: Check.Status] = [:]
    var expiries: [Check: String] = [:]
    var address: String?

    init(region: String) { self.region = region }

    /// Takes note of a check. What is approved stays so.
    mutating func set(_ check: Check, _ status: Check.Status) {
      if statuses[check] != .approved { statuses[check] = status }
    }

    var isApproved: Bool {
      let approved = Set(statuses.filter { $0.value == .approved }.keys)
      return Check.approvals(in: region).contains { $0.isSubset(of: approved) }
    }

    var statusMap: Value {
      .map(
        Check.all(in: region).reduce(into: ValueMap()) { map, check in
          map[check.rawValue] = .string((statuses[check] ?? .pending).rawValue)
        })
    }

    var expiryMap: Value {
      .map(Check.all(in: region).reduce(into: ValueMap()) { map, check in map[check.rawValue] = expiries[check].map { .string($0) } })
    }
  }
}

/// Whether somebody who was born on a day, `2006-11-21`, is 18 years old at a time; nil where the text is no day.
func isOfAge(born day: String, at now: Timestamp) -> Bool? {
  let parts = day.split(separator: "-").map { Int($0) }
  guard day.utf8.count == 10, parts.count == 3, let year = parts[0], let month = parts[1], let date = parts[2],
    CivilDate(year: year, month: month, day: date).isValid
  else { return nil }
  // Days in this form are in the order of their texts. Whoever is born on 29 February comes of age on 1 March.
  let birthday = String(String(10_000 + year + 18).dropFirst()) + day.dropFirst(4)
  return birthday <= now.text.prefix(10)
}
