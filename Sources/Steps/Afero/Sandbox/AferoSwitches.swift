import SandboxKit
import Values

extension AferoSandbox {
  /// What nobody states of Afero, or what scenarios want otherwise; `change` sets them in the middle of a run.
  struct Switches: Sendable {
    var tokenLife = Duration.seconds(16_086)
    /// Assumed: A refresh token stays good.
    var rotatesRefreshTokens = false
    /// Every code by mail, instead of predictable ones.
    var resetCode: String?
    var createStatus = 201
    /// Assumed: 400, where 409 is told of too.
    var duplicateStatus = 400
    /// Assumed: 201.
    var mobileDeviceStatus = 201
    /// Assumed: An address that nobody has is told from one that somebody has.
    var revealsUnknownCredential = true
    /// Assumed: A device that cannot be reached is told of in each item of a batch.
    var refusesWholeBatch = false

    mutating func read(_ given: inout GivenMap) throws(SandboxError) {
      tokenLife = try given.span("token_life") ?? tokenLife
      rotatesRefreshTokens = try given.flag("rotates_refresh_tokens") ?? rotatesRefreshTokens
      resetCode = try given.text("reset_code") ?? resetCode
      createStatus = try given.int("create_status", of: [200, 201]) ?? createStatus
      duplicateStatus = try given.int("duplicate_status", of: [400, 409]) ?? duplicateStatus
      mobileDeviceStatus = try given.int("mobile_device_status", of: [200, 201, 204]) ?? mobileDeviceStatus
      revealsUnknownCredential = try given.flag("reveals_unknown_credential") ?? revealsUnknownCredential
      refusesWholeBatch = try given.flag("refuses_whole_batch") ?? refusesWholeBatch
    }
  }
}
