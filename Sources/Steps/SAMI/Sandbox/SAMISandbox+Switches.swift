import SandboxKit
import Values

extension SAMISandbox {
  /// What scenarios want otherwise, and what nobody states of SAMI; `change` sets them in the middle of a run.
  struct Switches: Sendable {
    /// What a person says who is asked whether an application may see their data.
    enum Consent: String, CaseIterable, Sendable {
      case granted, denied
      /// They have not answered yet: a page asks.
      case asked
    }

    var consent = Consent.granted
    /// Of the implicit grant.
    var implicitLife = Duration.seconds(7200)
    /// Of a code's token, a renewed one, and an application's.
    var tokenLife = Duration.seconds(3600)
    /// How long after its end a token may be renewed.
    var refreshGrace = Duration.seconds(14 * 86_400)
    /// The guide says that it does, the documentation that it does not.
    var logoutRevokesTokens = false
    var minuteLimit = 100
    var dayLimit = 1000
    var appMinuteLimit = 500
    var appDayLimit = 5000
    var messageDayLimit = 100_000
    var socketMinuteLimit = 1000
    // Assumed: It keeps them; nobody says so.
    /// How long SAMI keeps a socket; nil is for ever.
    var socketLife: Duration?
    /// After how many messages of a socket SAMI takes them without a word; nil is never.
    var socketAcks: Int?
    /// How far ahead the time of a message may be.
    var futureGrace = Duration.seconds(300)
    /// Of every subscription, instead of predictable ones.
    var nonce: String?
    var exportTime = Duration.zero
    var exportFails = false
    var rulesTestable = true

    mutating func read(_ given: inout GivenMap) throws(SandboxError) {
      consent = try given.choice("consent", of: Consent.self) ?? consent
      implicitLife = try given.span("implicit_life") ?? implicitLife
      tokenLife = try given.span("token_life") ?? tokenLife
      refreshGrace = try given.span("refresh_grace") ?? refreshGrace
      logoutRevokesTokens = try given.flag("logout_revokes_tokens") ?? logoutRevokesTokens
      minuteLimit = try given.int("minute_limit") ?? minuteLimit
      dayLimit = try given.int("day_limit") ?? dayLimit
      appMinuteLimit = try given.int("app_minute_limit") ?? appMinuteLimit
      appDayLimit = try given.int("app_day_limit") ?? appDayLimit
      messageDayLimit = try given.int("message_day_limit") ?? messageDayLimit
      socketMinuteLimit = try given.int("socket_minute_limit") ?? socketMinuteLimit
      socketLife = try given.span("socket_life") ?? socketLife
      socketAcks = try given.int("socket_acks") ?? socketAcks
      futureGrace = try given.span("future_grace") ?? futureGrace
      nonce = try given.text("nonce") ?? nonce
      exportTime = try given.span("export_time") ?? exportTime
      exportFails = try given.flag("export_fails") ?? exportFails
      rulesTestable = try given.flag("rules_testable") ?? rulesTestable
    }

    func limits(_ kind: Principal.Kind, _ budget: CallLimits.Budget) -> (minute: Int, day: Int) {
      let (minute, day) = kind == .app ? (appMinuteLimit, appDayLimit) : (minuteLimit, dayLimit)
      return switch budget {
      case .messages: (minute, messageDayLimit)
      case .sockets: (socketMinuteLimit, messageDayLimit)
      case .others: (minute, day)
      }
    }
  }
}
