package import StepKit
import Values

extension MobileShop {
  /// A check of somebody's papers.
  package struct Scan: Sendable {
    let scanID: String
    let countryCode: String?
    let status: String
    let scanResult: ScanResult?
  }

  /// What the vendor of the checks found.
  package struct ScanResult: Sendable {
    let vendorScanReference: String?
    let verificationStatus: String?
    let time: Value?
    let type: String?
    let country: String?
    let firstName: String?
    let lastName: String?
    let dob: String?
    let expiry: String?
    let rejectReason: Value?
  }
}

extension MobileShop.Scan: DescribedRecord {
  package init(_ field: inout Fields) {
    scanID = field("scan_id", "Its id, which the vendor gives back.")
    countryCode = field("country_code", "The country, or `global`.")
    status = field("status", "`PENDING`, `REJECTED` or `APPROVED`.")
    scanResult = field("scan_result", "What was found; absent until the vendor has called back.")
  }
}

extension MobileShop.ScanResult: DescribedRecord {
  package init(_ field: inout Fields) {
    vendorScanReference = field("vendor_scan_reference", "Its id at the vendor.")
    verificationStatus = field("verification_status", "What the vendor calls the outcome.")
    time = field("time", "When it was found.")
    type = field("type", "The kind of paper.")
    country = field("country", "Who issued it.")
    firstName = field("first_name", "The first name on it.")
    lastName = field("last_name", "The last name on it.")
    dob = field("dob", "The date of birth on it.")
    expiry = field("expiry", "The day on which it ends.")
    rejectReason = field("reject_reason", "Why it was rejected.")
  }
}
