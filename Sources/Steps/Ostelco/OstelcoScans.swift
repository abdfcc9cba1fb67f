import HTTPTypes
package import StepKit
import Values

extension Ostelco {
  /// `ostelco/create-scan`: begins an identity check. A GET, although each one makes a scan.
  package enum CreateScan: StepHandler {
    package static let about = About(
      "ostelco/create-scan", "Begins a check of somebody's papers, and gives its id for the vendor.", effect: .unsafe, token: .user)
    static let unknownCountry = error(
      "unknown_country", "the operator checks no papers of such a country",
      help: "give its code in three letters, such as `SGP`, or `global`")
    private static let rules = [RefusalRule(404, saying: "Country - ", is: unknownCountry)] + customerRefusals
    package static let errors = rules.errors
    package static let example = Ostelco.example(
      with: #"{"country_code": "global"}"#, outputs: #"{"scan_id": "*", "country_code": "global", "status": "PENDING"}"#)

    package struct Input: DescribedRecord {
      let countryCode: String

      package init(_ field: inout Fields) {
        countryCode = field("country_code", "Whose papers, in three letters, or `global`.", default: "global", minLength: 1)
      }
    }

    package typealias Output = MobileShop.Scan

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      guard let country = PercentEncoding.pathSegment(input.countryCode) else {
        throw unknownCountry.local(detail: "`\(input.countryCode)` is no country's code")
      }
      let reply = try await ports.http.get("/customer/new-ekyc-scanId/\(country)")
      guard reply.isSuccess else { throw failure(reply, rules) }
      return try MobileShop.Scan.read(reply)
    }
  }

  /// `ostelco/get-scan`
  package enum GetScan: StepHandler {
    package static let about = About("ostelco/get-scan", "Reads how far a scan has come.", effect: .read, token: .user)
    private static let rules = [
      RefusalRule(403, needsEnvelope: true, is: scanNotAllowed), RefusalRule(404, saying: "Identity", is: profileNotFound),
      RefusalRule(404, needsEnvelope: true, is: scanNotFound),
    ]
    package static let errors = rules.errors
    package static let example = Ostelco.example(
      with: #"{"scan_id": "326aceb6"}"#, outputs: #"{"scan_id": "326aceb6", "country_code": "global", "status": "PENDING"}"#,
      members: #""scans": [{"id": "326aceb6"}]"#)

    package struct Input: DescribedRecord {
      let scanID: String

      package init(_ field: inout Fields) {
        scanID = field("scan_id", "The scan, as `ostelco/create-scan` calls it.", minLength: 1)
      }
    }

    package typealias Output = MobileShop.Scan

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      guard let scan = PercentEncoding.pathSegment(input.scanID) else {
        throw scanNotFound.local(detail: "`\(input.scanID)` is no scan's id")
      }
      let reply = try await ports.http.get("/customer/scanStatus/\(scan)")
      guard reply.isSuccess else { throw failure(reply, rules) }
      return try MobileShop.Scan.read(reply)
    }
  }

  /// `ostelco/get-customer-state`
  package enum GetCustomerState: StepHandler {
    package static let about = About(
      "ostelco/get-customer-state", "Reads how far the customer has come: registered, checked, active.", effect: .read, token: .user)
    package static let errors = customerRefusals.errors
    package static let example = Ostelco.example(
      with: "{}", outputs: #"{"id": "*", "status": "REGISTERED", "modified_timestamp": "*"}"#)

    package typealias Input = MobileShop.NoInput

    package struct Output: DescribedRecord {
      let id: String
      let status: String
      let modifiedTimestamp: Int
      let scanID: String?

      package init(_ field: inout Fields) {
        id = field("id", "The customer's id.")
        status = field("status", "`REGISTERED`, `EKYC_REJECTED`, `EKYC_APPROVED`, `ACTIVE` or `INACTIVE`.")
        modifiedTimestamp = field("modified_timestamp", "Since when, in milliseconds since 1970.")
        scanID = field("scan_id", "The scan that was approved.")
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/customer/customerState")
      guard reply.isSuccess else { throw failure(reply, customerRefusals) }
      return try Output.read(reply)
    }
  }
}
