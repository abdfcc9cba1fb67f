import HTTPTypes
package import StepKit

extension Oya {
  /// `oya/check-nric`
  ///
  /// The number stands in the path, so that no report shows the URL as it was.
  package enum CheckNRIC: Operation {
    package static let about = About(
      "oya/check-nric", "Has the number of an identity card of Singapore checked, which is the region's check `nric_fin`.",
      effect: .idempotent, token: .user)
    package static let refusals = customerMissing + [RefusalRule(403, saying: "INVALID_NRIC_FIN_ID", is: invalidNRIC)]
    package static let example = Oya.example(with: #"{"nric": "S9315107J"}"#, outputs: "{}")

    package struct Input: Sendable { let nric: Secret<String> }
    package typealias Output = Nothing

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall {
      let nric = input.nric.exposed
      guard let segment = PercentEncoding.pathSegment(nric) else {
        throw invalidNRIC.local(detail: "the number is empty, or it would name another path")
      }
      var call = HTTPCall(.get, "/regions/sg/kyc/dave/\(segment)", hidden: [nric])
      // A refusal says it back, as it was sent or as the service reads it.
      let number = nric.filter { !$0.isWhitespace }
      call.secrets = [nric, number, number.uppercased()]
      return call
    }
  }
}

extension Oya.CheckNRIC.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    nric = field("nric", "The NRIC or FIN, such as the `S` of a citizen, seven digits and a letter.")
  }
}
