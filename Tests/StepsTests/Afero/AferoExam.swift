import StepKit
import Steps

/// What the exam of all steps needs to know of Afero.
enum AferoExam {
  /// The settings of a connection beside its URLs.
  static let settings = #"{"client_id": "myapp", "client_secret": "secret", "app_id": "com.example.house", "platform": "IOS"}"#
  /// Records inside of inputs, outputs and settings; inputs and outputs themselves are found in the catalogue.
  static let records: [any DescribedRecord.Type] = [
    Afero.Settings.self, Afero.Account.self, Afero.AccountAccess.self, Afero.Activity.self, Afero.ActionSource.self,
    Afero.AccountUser.self, Afero.AnsweredCriterion.self, Afero.AssociateDevice.Place.self, Afero.AttributeValue.self,
    Afero.Credential.self, Afero.DeviceAction.self, Afero.DeviceAttribute.self, Afero.DeviceState.self, Afero.DeviceTag.self,
    Afero.FilterCriterion.self, Afero.GetConclaveAccess.Client.self, Afero.GetConclaveAccess.ConclaveToken.self,
    Afero.GetConclaveAccess.Host.self, Afero.GroupMember.self, Afero.Invitation.self, Afero.Partner.self, Afero.PartnerAccess.self,
    Afero.PartnerPrivileges.self, Afero.Privileges.self, Afero.SendRequests.Request.self, Afero.SendRequests.Result.self,
    Afero.Terms.self, Afero.TimeOfDay.self, Afero.UserAccess.self, Afero.UserNotification.self,
  ]
}
