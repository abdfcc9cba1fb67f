import StepKit
import Steps

/// What the exam of all steps needs to know of Ostelco.
enum OstelcoExam {
  /// The settings of a connection beside its URLs.
  static let settings = #"{"client_id": "app-1", "admin_token": "support-desk"}"#
  /// Records inside of inputs, outputs and settings; inputs and outputs themselves are found in the catalogue.
  static let records: [any DescribedRecord.Type] = [
    Ostelco.Settings.self, Ostelco.Subscription.self, Ostelco.Pseudonym.self, Ostelco.Consent.self, MobileShop.Bundle.self,
    MobileShop.Product.self, MobileShop.Price.self, MobileShop.Properties.self, MobileShop.Presentation.self, MobileShop.Purchase.self,
    MobileShop.Refund.self, MobileShop.PaymentSource.self, MobileShop.Referral.self, MobileShop.ScanResult.self,
    MobileShop.IdentityVerification.self,
  ]
}
