package import StepKit

extension Oya {
  /// How far a customer is in one region.
  package struct RegionDetails: Sendable {
    let region: Region
    let status: String
    let kycStatusMap: KYCMap
    let kycExpiryDateMap: KYCMap
    let simProfiles: [SimProfile]
  }

  /// Where OYA is an operator.
  package struct Region: Sendable {
    let id: String
    let name: String
  }

  /// A text for each of the checks that a region knows: a status, or a day.
  package struct KYCMap: Sendable {
    let jumio: String?
    let myInfo: String?
    let nricFin: String?
    let address: String?
    let further: FurtherMembers
  }

  /// An eSIM, from its order to its end.
  package struct SimProfile: Sendable {
    let iccID: String
    let eSimActivationCode: String
    let status: String
    let alias: String
    let requestedOn: String?
    let downloadedOn: String?
    let installedOn: String?
    let installedReportedByAppOn: String?
    let deletedOn: String?
  }
}

extension Oya.RegionDetails: DescribedRecord {
  package init(_ field: inout Fields) {
    region = field("region", "Which region.")
    status = field("status", "`AVAILABLE` before the first check, then `PENDING`, then `APPROVED`.")
    kycStatusMap = field("kyc_status_map", "Of each check: `PENDING`, `REJECTED` or `APPROVED`.")
    kycExpiryDateMap = field("kyc_expiry_date_map", "The day on which a check has to be done again.")
    simProfiles = field("sim_profiles", "The customer's eSIMs there; each is said to be `INSTALLED`, whatever it is.")
  }
}

extension Oya.Region: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its code, such as `sg`.")
    name = field("name", "Its name, such as `Singapore`.")
  }
}

extension Oya.KYCMap: DescribedRecord {
  package init(_ field: inout Fields) {
    jumio = field("jumio", "Of the scan of papers and face.")
    myInfo = field("my_info", "Of MyInfo, Singapore's register of persons.")
    nricFin = field("nric_fin", "Of the number of the identity card, NRIC or FIN.")
    address = field("address", "Of the address.")
    further = field.further()
  }
}

extension Oya.SimProfile: DescribedRecord {
  package init(_ field: inout Fields) {
    iccID = field("icc_id", "The number of the SIM.")
    eSimActivationCode = field("e_sim_activation_code", "What a phone downloads it by: `LPA:1$SERVER$CODE`.")
    status = field("status", "`NOT_READY`, `AVAILABLE_FOR_DOWNLOAD`, `DOWNLOADED`, `INSTALLED`, `ENABLED` or `DELETED`.")
    alias = field("alias", "The customer's name for it; empty where they gave none.")
    requestedOn = field("requested_on", "When it was ordered, in UTC.")
    downloadedOn = field("downloaded_on", "When a phone downloaded it.")
    installedOn = field("installed_on", "When a phone installed it.")
    installedReportedByAppOn = field("installed_reported_by_app_on", "When the app said that it is installed.")
    deletedOn = field("deleted_on", "When a phone deleted it.")
  }
}
