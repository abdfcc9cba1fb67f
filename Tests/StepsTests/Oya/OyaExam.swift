import StepKit
import Steps

/// What the exam of all steps needs to know of OYA.
enum OyaExam {
  /// The settings of a connection beside its URLs.
  static let settings = #"{"admin_token": "admin-t0ken", "webhook_key": "webhook-k3y"}"#
  /// Records inside of inputs, outputs and settings; inputs and outputs themselves are found in the catalogue.
  static let records: [any DescribedRecord.Type] = [
    Oya.Settings.self, Oya.Customer.self, Oya.RegionDetails.self, Oya.Region.self, Oya.KYCMap.self, Oya.SimProfile.self,
    Oya.MyInfoText.self, Oya.MyInfoAddress.self, Oya.Subscription.self, Oya.AuditEntry.self,
  ]
}
