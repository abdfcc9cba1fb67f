import SandboxKit
import Values

/// What the vendor of identity checks says of a scan, as the service reads it.
struct ScanCallbackForm: Sendable {
  let scanID: String
  /// As `scanResult` of the answers has it.
  let result: Value
  let isApproved: Bool
  /// As it came; nil where it did not.
  let dateOfBirth: String?
  let expiry: String?

  private static let mandatory = [
    "jumioIdScanReference", "idScanStatus", "verificationStatus", "callbackDate", "merchantIdScanReference",
  ]

  /// - Throws: 415 for what is no form, 400 for a field that is missing or cannot be read.
  init(_ request: SandboxRequest) throws(SandboxReply) {
    guard let form = request.form else { throw OperatorRules.mediaTypeRefused }
    let fields = Dictionary(form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    func text(_ name: String) -> Value { fields[name].map { .string($0) } ?? .null }

    for name in Self.mandatory where fields[name]?.isEmpty ?? true { throw Self.incomplete("`\(name)` is missing") }
    let date = fields["callbackDate"] ?? ""
    guard let time = Timestamp(rfc3339: date) else { throw Self.incomplete("`callbackDate` is no date") }
    let identity = try fields["identityVerification"].map { text throws(SandboxReply) in
      guard let value = try? JSON.parse(Array(text.utf8)), case .map = value else {
        throw Self.incomplete("`identityVerification` is no JSON")
      }
      return value
    }
    scanID = fields["merchantIdScanReference"] ?? ""
    dateOfBirth = fields["idDob"]
    expiry = fields["idExpiry"]
    let hasFace = identity?["similarity"] == "MATCH" && identity?["validity"] == "TRUE"
    isApproved = fields["idScanStatus"] == "SUCCESS" && fields["verificationStatus"] == "APPROVED_VERIFIED" && hasFace
    // Assumed: why an approved paper without the right face is rejected.
    let reason: Value =
      switch fields["rejectReason"] {
      case let reason?: .string(reason)
      case nil:
        isApproved ? .null : identity?["reason"] ?? (fields["verificationStatus"] == "APPROVED_VERIFIED" ? "IDENTITY_NOT_VERIFIED" : .null)
      }
    result = [
      "vendorScanReference": text("jumioIdScanReference"), "verificationStatus": text("verificationStatus"),
      "time": .int(time.milliseconds), "type": text("idType"), "country": text("idCountry"), "firstName": text("idFirstName"),
      "lastName": text("idLastName"), "dob": text("idDob"), "rejectReason": reason,
    ]
  }

  static func incomplete(_ why: String) -> SandboxReply {
    OperatorRules.refusal(OperatorTask("FAILED_TO_UPDATE_SCAN_RESULTS", "Incomplete scan information: "), 400, adding: why)
  }
}

/// A scan of somebody's papers.
struct ScanRecord: Sendable {
  let id: String
  let customerID: String
  let countryCode: String
  var status = "PENDING"
  var result = Value.null

  var value: Value {
    ["scanId": .string(id), "countryCode": .string(countryCode), "status": .string(status), "scanResult": result]
  }
}
