import HTTPTypes
package import StepKit
import Values

extension MobileShop {
  /// `ostelco/scan-callback`, `oya/scan-callback`: what the vendor of identity checks sends, for tests.
  package enum ScanCallback<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About(
        "\(Operator.name)/scan-callback", "Plays the vendor of identity checks: calls back with the outcome of a scan.",
        effect: .idempotent,
        needs: Operator.callbackNeeds)
    }
    package static var errors: [StepError] { Operator.callbackRefusals.errors }
    package static var example: Example {
      Operator.example(
        with: """
          {"merchant_id_scan_reference": "326aceb6", "jumio_id_scan_reference": "j-1", "id_scan_status": "SUCCESS",
           "verification_status": "APPROVED_VERIFIED", "callback_date": "2024-11-21T09:19:07.036Z", "id_country": "SGP",
           "identity_verification": {"similarity": "MATCH", "validity": "TRUE"}}
          """,
        outputs: #"{"scan_id": "326aceb6", "country_code": "*", "status": "APPROVED", "scan_result": "*"}"#,
        members: #""scans": [{"id": "326aceb6"}]"#)
    }

    package typealias Input = ScanOutcome
    package typealias Output = Scan

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var call = HTTPCall(.post, try Operator.callbackTarget(ports.settings), body: .form(input.form), token: TokenClass.none)
      if let key = try Operator.callbackKey(ports.settings) {
        call.query.append(("key", key))
        call.hidden.append(key)
      }
      let reply = try await ports.http.send(call)
      guard reply.isSuccess else { throw Operator.failure(reply, Operator.callbackRefusals) }
      return try Scan.read(reply)
    }
  }

  /// The fields of the vendor's form. None is demanded here: what the service does without one is what a test asks.
  package struct ScanOutcome: Sendable {
    let merchantIdScanReference: String?
    let jumioIdScanReference: String?
    let idScanStatus: String?
    let verificationStatus: String?
    let callbackDate: String?
    let idType: String?
    let idCountry: String?
    let idFirstName: String?
    let idLastName: String?
    let idDob: String?
    let idExpiry: String?
    let identityVerification: IdentityVerification?
    let rejectReason: String?
    let livenessImages: [String]?
    let idScanImage: String?
    let idScanImageFace: String?
    let idScanImageBackside: String?
  }

  /// Whether the face is the one on the paper.
  package struct IdentityVerification: Sendable {
    let similarity: String?
    let validity: String?
    let reason: String?
  }
}

extension MobileShop.ScanOutcome {
  /// Under the wire's names, in the order of the document; what is not given is left out.
  var form: [(name: String, value: String)] {
    let texts: [(String, String?)] = [
      ("jumioIdScanReference", jumioIdScanReference), ("idScanStatus", idScanStatus), ("verificationStatus", verificationStatus),
      ("callbackDate", callbackDate), ("idType", idType), ("idCountry", idCountry), ("idFirstName", idFirstName),
      ("idLastName", idLastName), ("idDob", idDob), ("idExpiry", idExpiry), ("merchantIdScanReference", merchantIdScanReference),
      ("identityVerification", identityVerification.map { $0.value.json() }), ("rejectReason", rejectReason),
      ("idScanImage", idScanImage), ("idScanImageFace", idScanImageFace), ("idScanImageBackside", idScanImageBackside),
    ]
    return texts.compactMap { name, text in text.map { (name, $0) } } + (livenessImages ?? []).map { ("livenessImages", $0) }
  }
}

extension MobileShop.ScanOutcome: DescribedRecord {
  package init(_ field: inout Fields) {
    merchantIdScanReference = field("merchant_id_scan_reference", "The scan, as the operator calls it: its `scan_id`.")
    jumioIdScanReference = field("jumio_id_scan_reference", "The scan, as the vendor calls it.")
    idScanStatus = field("id_scan_status", "`SUCCESS`, or another text for an error.")
    verificationStatus = field("verification_status", "`APPROVED_VERIFIED`, or why not.")
    callbackDate = field("callback_date", "When the vendor calls, in ISO 8601.", constraint: .written(.timeOrEmpty))
    idType = field("id_type", "The kind of paper, such as `PASSPORT`.")
    idCountry = field("id_country", "Who issued it, in three letters.")
    idFirstName = field("id_first_name", "The first name on it.")
    idLastName = field("id_last_name", "The last name on it.")
    idDob = field("id_dob", "The date of birth on it.")
    idExpiry = field("id_expiry", "The day on which it ends.")
    identityVerification = field("identity_verification", "Whether the face is the one on the paper; travels as a JSON text.")
    rejectReason = field("reject_reason", "Why it was rejected, as a JSON text.")
    livenessImages = field("liveness_images", "Where the pictures of the face are.")
    idScanImage = field("id_scan_image", "Where the picture of the paper is.")
    idScanImageFace = field("id_scan_image_face", "Where the picture of its face is.")
    idScanImageBackside = field("id_scan_image_backside", "Where the picture of its back is.")
  }
}

extension MobileShop.IdentityVerification: DescribedRecord {
  package init(_ field: inout Fields) {
    similarity = field("similarity", "`MATCH`, `NO_MATCH` or `NOT_POSSIBLE`.")
    validity = field("validity", "`TRUE` or `FALSE`, as a text.")
    reason = field("reason", "Why it is not valid.")
  }
}
