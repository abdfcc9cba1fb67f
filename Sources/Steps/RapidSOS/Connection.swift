package import StepKit
package import Values

extension RapidSOS {
  /// The settings of a connection.
  package struct Settings: Sendable {
    let clientID: Secret<String>
    let clientSecret: Secret<String>
    let clientAuth: ClientAuth
    let baseURL: String?
    let mediaURL: String?
    let callFlows: NamedMembers<Value>
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
      let (username, password) = (text("username", settings), text("password", settings))
      guard (username == nil) != (password == nil) else { return }
      throw StepFailure(
        "config.credentials", title: "a name and a password belong together",
        detail:
          "the connection has a `\(username == nil ? "password" : "username")` and no `\(username == nil ? "username" : "password")`; give both or neither"
      )
    }

    private static func text(_ name: String, _ settings: ValueMap) -> String? {
      settings[name]?.exposed.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// How the client proves itself at the token endpoint: the guide sends the pair in the form, the Android client in
  /// HTTP Basic.
  enum ClientAuth: String, Choice { case form, basic }
}

extension RapidSOS.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    clientID = field("client_id", "The app's id at RapidSOS.")
    clientSecret = field("client_secret", "The app's secret.")
    clientAuth = field("client_auth", "Where the pair goes: into the form, or into HTTP Basic.", default: .form)
    baseURL = field("base_url", "The API, such as `https://api-sandbox.rapidsos.com`; the sandbox has its own.", format: .uri)
    mediaURL = field("media_url", "The host of photo upload and push registration; the sandbox has its own.", format: .uri)
    callFlows = field(
      "call_flows", "Further call flows of the organisation: the JSON Schema of each one's variables, by name.", default: NamedMembers(),
      constraint: .membersAreSchemas)
    username = field("username", "A person who is signed in without a step, with `password` beside it.")
    password = field("password", "Their password.")
  }
}
