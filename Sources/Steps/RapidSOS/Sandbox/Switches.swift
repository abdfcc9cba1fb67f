import SandboxKit

extension RapidSOSSandbox {
  /// What nobody states of RapidSOS, or what scenarios want otherwise; `change` sets them in the middle of a run.
  struct Switches: Sendable {
    var tokenLife = Duration.seconds(3599)
    /// Every PIN, instead of predictable ones.
    var pin: String?
    var isPINReusable = false
    var requiresVerifiedNumber = false
    /// Of `register`, `create-location` and `create-device`.
    var createStatus = 201
    var pinRequestStatus = 200
    var triggerStatus = 202
    /// Of a token of the other class.
    var wrongTokenStatus = 403
    /// Whether an address that nobody has is told from one that somebody has.
    var revealsUnknownEmail = true
    /// Wrong passwords before the one that is answered 429.
    var loginAttempts = 2
    var loginWait = Duration.seconds(60)

    mutating func read(_ given: inout GivenMap) throws(SandboxError) {
      tokenLife = try given.span("token_life") ?? tokenLife
      pin = try given.text("pin") ?? pin
      isPINReusable = try given.flag("pin_reusable") ?? isPINReusable
      requiresVerifiedNumber = try given.flag("requires_verified_number") ?? requiresVerifiedNumber
      createStatus = try given.int("create_status", of: [200, 201]) ?? createStatus
      pinRequestStatus = try given.int("pin_request_status", of: [200, 201]) ?? pinRequestStatus
      triggerStatus = try given.int("trigger_status", of: [200, 201, 202]) ?? triggerStatus
      wrongTokenStatus = try given.int("wrong_token_status", of: [401, 403]) ?? wrongTokenStatus
      revealsUnknownEmail = try given.flag("reveals_unknown_email") ?? revealsUnknownEmail
      loginAttempts = try given.int("login_attempts") ?? loginAttempts
      loginWait = try given.span("login_wait") ?? loginWait
    }
  }
}
