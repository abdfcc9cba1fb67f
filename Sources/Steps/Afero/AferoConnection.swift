import HTTPTypes
package import StepKit
package import Values

extension Afero {
  /// The settings of a connection.
  package struct Settings: Sendable {
    let clientID: Secret<String>
    let clientSecret: Secret<String>
    let baseURL: String?
    let openidURL: String?
    let appID: String?
    let platform: Platform
    let username: Secret<String>?
    let password: Secret<String>?

    /// The person whom a connection with such settings signs in by itself; nil where it names none. Empty counts as none.
    package static func credentials(_ settings: ValueMap) -> Credentials? {
      guard let username = text("username", settings), let password = text("password", settings) else { return nil }
      return Credentials(username: username, password: password)
    }

    /// Whether a connection with such settings gives a user's token without a step that signs in. The values may be
    /// unknown yet: that they are given is enough.
    package static func signsIn(_ settings: ValueMap) -> Bool { settings["username"] != nil && settings["password"] != nil }

    /// - Throws: `config.credentials` where only one of the pair is given.
    static func checkCredentials(_ settings: ValueMap) throws(StepFailure) {
      let given = ["username", "password"].filter { text($0, settings) != nil }
      guard given.count == 1 else { return }
      throw StepFailure(
        "config.credentials", title: "a name and a password belong together",
        detail: "of `username` and `password` the connection has only `\(given[0])`; give both or neither")
    }

    private static func text(_ name: String, _ settings: ValueMap) -> String? {
      settings[name]?.exposed.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The header that brands a mail as an app's own; none where the connection names no app.
    var appHeader: HTTPFields {
      guard let appID, !appID.isEmpty, let name = HTTPField.Name("x-afero-app") else { return [:] }
      return [name: Value.bytes(Array("\(appID):\(platform.rawValue)".utf8)).scalarText ?? ""]
    }
  }

  /// What an app runs on, in the words of `x-afero-app`.
  package enum Platform: String, Choice {
    case iOS = "IOS"
    case macOS, watchOS, tvOS
    case linux = "Linux"
    case android = "Android"
  }
}

extension Afero.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    clientID = field("client_id", "The app's id at Afero.")
    clientSecret = field("client_secret", "The app's secret.")
    baseURL = field("base_url", "The API, such as `https://api.afero.io`; the sandbox has its own.", format: .uri)
    openidURL = field("openid_url", "An OpenID service, whose `/token` renews tokens in the API's place.", format: .uri)
    appID = field("app_id", "The app's own id, such as `com.example.house`: mails to people then look like the app's.")
    platform = field("platform", "What the app runs on, where `app_id` is given.", default: .linux)
    username = field("username", "The address of a person who is signed in without a step, with `password` beside it.")
    password = field("password", "Their password.")
  }
}
