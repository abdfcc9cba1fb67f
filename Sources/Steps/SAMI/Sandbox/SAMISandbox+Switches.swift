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
    /// How far ahead the time of a message may be.
    var futureGrace = Duration.seconds(300)
    /// Of every subscription, instead of predictable ones.
    var nonce: String?
    var exportTime = Duration.zero
    var exportFails = false
    var rulesTestable = true

    mutating func read(_ given: inout GivenMap) throws(SandboxError) {
      if let text = try given.text("consent") {
        guard let known = Consent(rawValue: text) else {
          throw SandboxError("`\(text)` is none of `granted`, `denied` and `asked`", at: "\(given.path).consent")
        }
        consent = known
      }
      implicitLife = try given.span("implicit_life") ?? implicitLife
      tokenLife = try given.span("token_life") ?? tokenLife
      refreshGrace = try given.span("refresh_grace") ?? refreshGrace
      logoutRevokesTokens = try given.flag("logout_revokes_tokens") ?? logoutRevokesTokens
      minuteLimit = try given.int("minute_limit") ?? minuteLimit
      dayLimit = try given.int("day_limit") ?? dayLimit
      appMinuteLimit = try given.int("app_minute_limit") ?? appMinuteLimit
      appDayLimit = try given.int("app_day_limit") ?? appDayLimit
      messageDayLimit = try given.int("message_day_limit") ?? messageDayLimit
      futureGrace = try given.span("future_grace") ?? futureGrace
      nonce = try given.text("nonce") ?? nonce
      exportTime = try given.span("export_time") ?? exportTime
      exportFails = try given.flag("export_fails") ?? exportFails
      rulesTestable = try given.flag("rules_testable") ?? rulesTestable
    }

    func limits(_ kind: Principal.Kind, _ budget: CallLimits.Budget) -> (minute: Int, day: Int) {
      let (minute, day) = kind == .app ? (appMinuteLimit, appDayLimit) : (minuteLimit, dayLimit)
      return (minute, budget == .messages ? messageDayLimit : day)
    }

    static let properties: ValueMap = {
      let duration: Value = ["type": ["string", "number"]]
      let count: Value = ["type": "integer", "minimum": 0]
      let flag: Value = ["type": "boolean"]
      let switches: [(String, Value, String)] = [
        ("consent", ["enum": ["granted", "denied", "asked"]], "What the person says to the application; `granted` unless given."),
        ("implicit_life", duration, "How long a token of the implicit grant lives; `2h` unless given."),
        ("token_life", duration, "How long every other token lives; `1h` unless given."),
        ("refresh_grace", duration, "How long after its end a token may be renewed; `336h` unless given."),
        ("logout_revokes_tokens", flag, "Whether a log-out ends tokens, as the guide says; false unless given, as the documentation says."),
        ("minute_limit", count, "Calls of a user or a device in any minute; 100 unless given."),
        ("day_limit", count, "Calls of a user or a device in a day (UTC); 1000 unless given."),
        ("app_minute_limit", count, "Calls of an application in any minute; 500 unless given."),
        ("app_day_limit", count, "Calls of an application in a day (UTC); 5000 unless given."),
        ("message_day_limit", count, "Messages in a day (UTC); 100000 unless given."),
        ("future_grace", duration, "How far ahead the time of a message may be; `5m` unless given, which is assumed."),
        ("nonce", ["type": "string", "minLength": 1], "What confirms every subscription; predictable texts unless given."),
        ("export_time", duration, "How long an export takes; none unless given."),
        ("export_fails", flag, "Whether exports fail; false unless given."),
        ("rules_testable", flag, "Whether rules may be tried out; true unless given."),
      ]
      return switches.reduce(into: ValueMap()) { map, entry in map[entry.0] = described(entry.1, entry.2) }
    }()
  }

  static func described(_ schema: Value, _ text: String) -> Value {
    guard case .map(var map) = schema else { return schema }
    map["description"] = .string(text)
    return .map(map)
  }
}
