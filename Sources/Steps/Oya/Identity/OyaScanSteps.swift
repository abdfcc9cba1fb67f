import HTTPTypes
package import StepKit

extension Oya {
  /// `oya/create-scan`
  package enum CreateScan: Operation {
    package static let about = About("oya/create-scan", "Begins a check of the customer's papers and face.", effect: .unsafe, token: .user)
    package static let refusals = regionRefusals
    package static let example = Oya.example(
      with: #"{"region": "sg"}"#, outputs: #"{"scan_id": "*", "country_code": "sg", "status": "PENDING"}"#)

    package typealias Input = RegionReference
    package typealias Output = MobileShop.Scan

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.post, try input.path + "/kyc/jumio/scans") }
  }

  /// `oya/get-scan`
  package enum GetScan: Operation {
    package static let about = About("oya/get-scan", "Reads what came of a check of papers.", effect: .read, token: .user)
    package static let refusals =
      customerMissing + [
        RefusalRule(403, needsEnvelope: true, is: scanNotYours), RefusalRule(404, saying: "Region - ", is: regionNotFound),
        RefusalRule(404, needsEnvelope: true, is: scanNotFound),
      ]
    package static let example = Oya.example(
      with: #"{"region": "sg", "scan_id": "326aceb6"}"#, outputs: #"{"scan_id": "326aceb6", "country_code": "sg", "status": "PENDING"}"#,
      members: #""scans": [{"id": "326aceb6"}]"#)

    package struct Input: Sendable {
      let region: String
      let scanID: String
    }
    package typealias Output = MobileShop.Scan

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, try regionPath(input.region) + "/kyc/jumio/scans/\(try segment(input.scanID, "scan_id"))")
    }
  }
}

extension Oya.GetScan.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    region = field("region", Oya.regionProse)
    scanID = field("scan_id", "The scan, as `oya/create-scan` called it.")
  }
}
