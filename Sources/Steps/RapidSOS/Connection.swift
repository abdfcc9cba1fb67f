package import StepKit
import Values

extension RapidSOS {
  /// The settings of a connection.
  package struct Settings: Sendable {
    let clientID: Secret<String>
    let clientSecret: Secret<String>
    let clientAuth: ClientAuth
    let baseURL: String?
    let mediaURL: String?
    let callFlows: NamedMembers<Value>
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
  }
}
