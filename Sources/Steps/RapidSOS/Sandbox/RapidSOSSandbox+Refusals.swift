import SandboxKit
import Values

extension RapidSOSSandbox {
  /// The three envelopes of RapidSOS's errors.
  enum Refusal {
    /// A text: most of what the application refuses.
    static func detail(_ text: String, status: Int) -> SandboxReply { .json(["detail": .string(text)], status: status) }

    /// Messages for each wrong field.
    static func fields(_ errors: FieldErrors) -> SandboxReply { .json(["detail": .map(errors.map)], status: 400) }

    /// The gateway's own refusal, before the application.
    static func fault(_ text: String, _ code: String) -> SandboxReply {
      .json(["fault": ["faultstring": .string(text), "detail": ["errorcode": .string(code)]]], status: 401)
    }

    static let notFound = detail("Not found.", status: 404)
    static let invalidAccessToken = fault("Invalid Access Token", "keymanagement.service.invalid_access_token")
    static let expiredAccessToken = fault("Access Token expired", "keymanagement.service.access_token_expired")
    // Assumed: The envelope is; the code is Apigee's, which the other faults come from.
    static let invalidClient = fault("Invalid client identifier", "oauth.v2.InvalidClientIdentifier")
    // Assumed: A token of the other class is told apart from a bad one.
    static let wrongTokenClass = detail("You do not have permission to perform this action.", status: 403)
  }

  /// Messages by field, in the order of the fields.
  struct FieldErrors: Sendable {
    private(set) var map = ValueMap()

    mutating func add(_ field: String, _ message: String) {
      map[field] = .list((map[field]?.listValue ?? []) + [.string(message)])
    }

    func throwIfAny() throws(SandboxReply) {
      if !map.isEmpty { throw Refusal.fields(self) }
    }
  }
}
