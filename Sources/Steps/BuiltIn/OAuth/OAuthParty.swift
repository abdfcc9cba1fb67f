import StepKit
import Values

/// Who asks, and where: what a step says, else the `oauth` of its connection.
struct OAuthParty: Sendable {
  let own: PlainOAuth?

  init(_ ports: Ports) { own = PlainOAuth(in: ports.settings) }

  /// - Throws: `schema.input` where nobody names the client.
  func client(
    _ id: Secret<String>?, _ secret: Secret<String>?, _ authentication: OAuthClient.Authentication?
  ) throws(StepFailure) -> OAuthClient {
    guard let id else {
      guard var client = own?.client else { throw Self.missing("client_id") }
      if let authentication { client.authentication = authentication }
      if let secret { client.secret = secret.exposed }
      return client
    }
    // The secret of another client is not this one's.
    let known = own?.clientID.exposed == id.exposed ? own : nil
    return OAuthClient(
      id: id.exposed, secret: (secret ?? known?.clientSecret)?.exposed, authentication: authentication ?? known?.clientAuth ?? .basic)
  }

  /// - Throws: `schema.input` where nobody names it.
  static func needed(_ text: String?, _ name: String) throws(StepFailure) -> String {
    guard let text, !text.isEmpty else { throw missing(name) }
    return text
  }

  private static func missing(_ name: String) -> StepFailure {
    .input("`\(name)` is missing: give it, or name a `connection` whose `oauth` has it")
  }
}

extension RecordShape {
  /// The same record, whose field must be given.
  func requiring(_ name: String) -> RecordShape {
    var copy = self
    guard let index = copy.fields.firstIndex(where: { $0.name == name }) else { return copy }
    copy.fields[index].isRequired = true
    if case .nullable(let inner) = copy.fields[index].shape { copy.fields[index].shape = inner }
    return copy
  }
}
