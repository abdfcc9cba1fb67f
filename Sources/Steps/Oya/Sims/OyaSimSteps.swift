import HTTPTypes
package import StepKit

extension Oya {
  /// `oya/list-sim-profiles`
  package enum ListSimProfiles: Operation {
    package static let about = About(
      "oya/list-sim-profiles", "Lists the customer's eSIMs in a region, with the status that each really has.", effect: .read, token: .user)
    package static let refusals = regionRefusals
    package static let example = Oya.example(with: #"{"region": "no"}"#, outputs: #"{"sim_profiles": "*"}"#, members: exampleSim)

    package typealias Input = RegionReference
    package struct Output: Sendable { let simProfiles: [SimProfile] }

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.get, try input.path + "/simProfiles") }
    package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output {
      try Output.read(reply, listAs: "sim_profiles")
    }
  }

  /// `oya/create-sim-profile`
  package enum CreateSimProfile: Operation {
    package static let about = About(
      "oya/create-sim-profile", "Orders an eSIM in a region that is approved.", effect: .unsafe, token: .user)
    package static let refusals = provisionRefusals
    package static let example = Oya.example(
      with: #"{"region": "no", "profile_type": "iphone"}"#, outputs: exampleSimOutputs,
      members: #""regions": [{"code": "no", "jumio": "APPROVED"}]"#)

    package struct Input: Sendable {
      let region: String
      let profileType: String?
    }
    package typealias Output = SimProfile

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall {
      HTTPCall(.post, try regionPath(input.region) + "/simProfiles", query: input.profileType.map { [("profileType", $0)] } ?? [])
    }
  }

  /// `oya/rename-sim-profile`
  package enum RenameSimProfile: Operation {
    package static let about = About(
      "oya/rename-sim-profile", "Gives an eSIM the customer's own name for it.", effect: .idempotent, token: .user)
    package static let refusals = simRefusals
    package static let example = Oya.example(
      with: #"{"region": "no", "icc_id": "8947000000000000001", "alias": "Work"}"#,
      outputs: exampleSimOutputs.replacing(#""alias": """#, with: #""alias": "Work""#),
      members: exampleSim)

    package struct Input: Sendable {
      let region: String
      let iccID: String
      let alias: String
    }
    package typealias Output = SimProfile

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall {
      HTTPCall(.put, try simPath(input.region, input.iccID), query: [("alias", input.alias)])
    }
  }

  /// `oya/mark-sim-installed`
  package enum MarkSimInstalled: Operation {
    package static let about = About(
      "oya/mark-sim-installed", "Tells OYA that the phone has installed an eSIM.", effect: .idempotent, token: .user)
    package static let refusals = simRefusals
    package static let example = Oya.example(
      with: #"{"region": "no", "icc_id": "8947000000000000001"}"#,
      outputs: exampleSimOutputs.replacing("}", with: #", "installed_reported_by_app_on": "*"}"#), members: exampleSim)

    package typealias Input = SimReference
    package typealias Output = SimProfile

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.put, try input.path + "/installed") }
  }

  /// `oya/resend-sim-email`
  package enum ResendSimEmail: Operation {
    package static let about = About(
      "oya/resend-sim-email", "Has the mail with an eSIM's QR code sent once more.", effect: .unsafe, token: .user)
    package static let refusals = simRefusals
    package static let example = Oya.example(
      with: #"{"region": "no", "icc_id": "8947000000000000001"}"#, outputs: exampleSimOutputs, members: exampleSim)

    package typealias Input = SimReference
    package typealias Output = SimProfile

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.get, try input.path + "/resendEmail") }
  }

  /// Which eSIM is meant.
  package struct SimReference: DescribedRecord {
    let region: String
    let iccID: String

    package init(_ field: inout Fields) {
      region = field("region", regionProse)
      iccID = field("icc_id", "The number of the SIM.")
    }

    var path: String { get throws(StepFailure) { try simPath(region, iccID) } }
  }

  /// `/regions/sg/simProfiles/8947000000000001598`
  private static func simPath(_ region: String, _ iccID: String) throws(StepFailure) -> String {
    "\(try regionPath(region))/simProfiles/\(try segment(iccID, "icc_id"))"
  }

  static let provisionRefusals =
    customerMissing + [
      RefusalRule(404, saying: "Region - ", is: regionNotFound), RefusalRule(404, needsEnvelope: true, is: regionNotApproved),
    ]
  static let exampleSim = #""regions": [{"code": "no", "jumio": "APPROVED", "sim_profiles": [{}]}]"#
  static let exampleSimOutputs = """
    {"icc_id": "*", "e_sim_activation_code": "*", "status": "AVAILABLE_FOR_DOWNLOAD", "alias": "", "requested_on": "2024-11-21T01:00:00Z"}
    """
}

extension Oya.ListSimProfiles.Output: DescribedRecord {
  package init(_ field: inout Fields) { simProfiles = field("sim_profiles", "All of them, in the order of the answer.") }
}

extension Oya.CreateSimProfile.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    region = field("region", Oya.regionProse)
    profileType = field(
      "profile_type", "`iphone`, `android` and `test`, in this spelling, send no mail; anything else, or nothing, sends the QR code.")
  }
}

extension Oya.RenameSimProfile.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    region = field("region", Oya.regionProse)
    iccID = field("icc_id", "The number of the SIM.")
    alias = field("alias", "The new name.")
  }
}
