package import StepKit

/// Afero's cloud: people's accounts, the devices in them, and what the devices do by themselves.
package enum Afero {
  /// The system as the catalogue lists it: connection, tokens, steps.
  package static let system = SystemDescription(
    name: "afero", title: "Afero cloud Client API", settings: { Settings.recordShape }, tokens: AferoTokenIssuer(),
    // Of the two that sign in, a check suggests the first.
    steps: [AnyStep(SignIn.self)] + (sessions + accounts + devices + groups + rules + sharing).sorted { $0.about.name < $1.about.name },
    hosts: ["afero.io", "*.afero.io"],
    signsIn: { Settings.signsIn($0) }, credentials: { Settings.credentials($0) },
    endpoint: { settings throws(StepFailure) in
      try Settings.checkCredentials(settings)
      return try ConnectionEndpoint(settings: settings)
    })

  private static let sessions = [AnyStep(RefreshToken.self), AnyStep(SignOut.self)]

  private static let accounts = [
    AnyStep(CreateAccount.self),
    AnyStep(DisassociateMobileDevice.self),
    AnyStep(GetAccountInfo.self),
    AnyStep(GetConclaveAccess.self),
    AnyStep(ListActivity.self),
    AnyStep(ResendVerification.self),
    AnyStep(ResetPassword.self),
    AnyStep(SendPasswordRecoveryEmail.self),
    AnyStep(SetAccountDescription.self),
    AnyStep(UpdateDeviceInfo.self),
    AnyStep(UpdatePassword.self),
    AnyStep(UpdatePasswordWithCode.self),
  ]

  private static let devices = [
    AnyStep(AssociateDevice.self),
    AnyStep(DeleteTag.self),
    AnyStep(GetDevice.self),
    AnyStep(GetDeviceAspect<DeviceLocation>.self),
    AnyStep(GetDeviceAspect<DeviceTimezone>.self),
    AnyStep(GetDeviceVersions.self),
    AnyStep(GetDeviceProfile.self),
    AnyStep(GetProfile.self),
    AnyStep(GetProfileVersion.self),
    AnyStep(ListDevices.self),
    AnyStep(ListProfiles.self),
    AnyStep(RemoveDevice.self),
    AnyStep(RenameDevice.self),
    AnyStep(SaveTag<AddedTag>.self),
    AnyStep(SaveTag<UpdatedTag>.self),
    AnyStep(SendAction.self),
    AnyStep(SendRequests.self),
    AnyStep(SetDeviceAspect<DeviceLocation>.self),
    AnyStep(SetDeviceAspect<DeviceTimezone>.self),
  ]

  private static let groups = [
    AnyStep(CreateKept<NewGroup>.self),
    AnyStep(DeleteKept<GroupReference>.self),
    AnyStep(GetGroup.self),
    AnyStep(ListGroups.self),
    AnyStep(UpdateKept<ChangedGroup>.self),
  ]

  private static let rules = [
    AnyStep(CreateKept<NewSchedule>.self),
    AnyStep(DeleteKept<RuleReference>.self),
    AnyStep(DeleteKept<ScheduleReference>.self),
    AnyStep(GetRule.self),
    AnyStep(ListRules.self),
    AnyStep(RunRule.self),
    AnyStep(SaveRule.self),
    AnyStep(UpdateKept<ChangedSchedule>.self),
  ]

  private static let sharing = [
    AnyStep(GetUserSummary.self),
    AnyStep(InviteUser.self),
    AnyStep(ListAccess.self),
    AnyStep(RevokeAccess.self),
    AnyStep(RevokeInvitation.self),
  ]
}
