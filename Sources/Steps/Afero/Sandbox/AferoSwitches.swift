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
      createStatus = try status("create_status", of: [200, 201], &given) ?? createStatus
      duplicateStatus = try status("duplicate_status", of: [400, 409], &given) ?? duplicateStatus
      mobileDeviceStatus = try status("mobile_device_status", of: [200, 201, 204], &given) ?? mobileDeviceStatus
      revealsUnknownCredential = try given.flag("reveals_unknown_credential") ?? revealsUnknownCredential
      refusesWholeBatch = try given.flag("refuses_whole_batch") ?? refusesWholeBatch
    }

    private func status(_ key: String, of known: [Int], _ given: inout GivenMap) throws(SandboxError) -> Int? {
      guard let status = try given.int(key) else { return nil }
      guard known.contains(status) else {
        let list = known.map(String.init).joined(separator: ", ")
        throw SandboxError("`\(status)` is none of \(list)", at: "\(given.path).\(key)")
      }
      return status
    }

    static let properties: [(String, Value)] = {
      let switches: [(String, Value, String)] = [
        ("token_life", ["type": ["string", "number"]], "How long a token lives, such as `1s`; `16086s` unless given."),
        (
          "rotates_refresh_tokens", ["type": "boolean"],
          "Whether a refresh token is good once and replaced; false unless given, which is assumed."
        ),
        ("reset_code", ["type": "string", "minLength": 1], "The code of every mail; predictable ones unless given."),
        ("create_status", ["enum": [200, 201]], "Of a new account; 201 unless given."),
        ("duplicate_status", ["enum": [400, 409]], "Of an address that somebody has; 400 unless given, which is assumed."),
        ("mobile_device_status", ["enum": [200, 201, 204]], "Of a registered installation; 201 unless given, which is assumed."),
        (
          "reveals_unknown_credential", ["type": "boolean"],
          "Whether a password reset for an unknown address is 404; true unless given, which is assumed."
        ),
        (
          "refuses_whole_batch", ["type": "boolean"],
          "Whether requests to a device that cannot be reached are refused as a whole; false unless given, which is assumed."
        ),
      ]
      return switches.map { name, schema, text in (name, described(schema, text)) }
    }()
  }

  static func described(_ schema: Value, _ text: String) -> Value {
    guard case .map(var map) = schema else { return schema }
    map["description"] = .string(text)
    return .map(map)
  }
}
