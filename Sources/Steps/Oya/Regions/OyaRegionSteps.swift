import HTTPTypes
package import StepKit

extension Oya {
  /// `oya/list-regions`
  package enum ListRegions: Operation {
    package static let about = About(
      "oya/list-regions", "Lists all regions, and how far the customer is in each.", effect: .read, token: .user)
    package static let example = Oya.example(with: "{}", outputs: #"{"regions": "*"}"#)

    package typealias Input = MobileShop.NoInput
    package struct Output: Sendable { let regions: [RegionDetails] }

    package static func call(_ input: Input) -> HTTPCall { HTTPCall(.get, "/regions") }
    package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output {
      try Output.read(reply, listAs: "regions")
    }
  }

  /// `oya/get-region`
  package enum GetRegion: Operation {
    package static let about = About("oya/get-region", "Reads how far the customer is in one region.", effect: .read, token: .user)
    package static let refusals = regionRefusals
    package static let example = Oya.example(
      with: #"{"region": "sg"}"#,
      outputs: """
        {"region": {"id": "sg", "name": "Singapore"}, "status": "AVAILABLE",
         "kyc_status_map": {"jumio": "PENDING", "my_info": "PENDING", "nric_fin": "PENDING", "address": "PENDING"},
         "kyc_expiry_date_map": {}, "sim_profiles": []}
        """)

    package typealias Input = RegionReference
    package typealias Output = RegionDetails

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.get, try input.path) }
  }

  /// Which region is meant.
  package struct RegionReference: DescribedRecord {
    let region: String

    package init(_ field: inout Fields) {
      region = field("region", regionProse)
    }

    /// `/regions/sg`
    var path: String { get throws(StepFailure) { try regionPath(region) } }
  }

  static let regionProse = "The region's code, such as `sg`."

  /// `/regions/sg`
  static func regionPath(_ region: String) throws(StepFailure) -> String { "/regions/\(try segment(region, "region"))" }
}

extension Oya.ListRegions.Output: DescribedRecord {
  package init(_ field: inout Fields) { regions = field("regions", "All of them, in the order of the answer.") }
}
