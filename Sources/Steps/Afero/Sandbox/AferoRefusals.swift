import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox {
  /// Afero's error envelope, in both its forms.
  enum Refusal {
    static func error(_ name: String, _ text: String, status: Int) -> SandboxReply {
      .json(["error": .string(name), "error_description": .string(text)], status: status)
    }

    static func validation(_ problems: [FieldProblem]) -> SandboxReply {
      .json(
        [
          "error": "validationFailure",
          "error_description": "One or more fields have failed validation rules. See attached fieldErrors for specifics.",
          "fieldErrors": .list(problems.map(\.json)),
        ], status: 400)
    }

    /// A query's or a path's own problem.
    static func validation(_ field: String, _ text: String, _ value: String) -> SandboxReply {
      validation([FieldProblem(error: "Type", text: text, field: field, value: .string(value))])
    }

    /// No token, or one that is unknown, revoked or expired: the outer form.
    static func unauthorized(at now: Timestamp) -> SandboxReply {
      .json(
        [
          "timestamp": .int(now.milliseconds), "status": 401, "error": "unauthorized",
          "error_description": "Full authentication is required to access this resource", "service_name": "ClientApi",
          "region": "us-west-2",
        ], status: 401)
    }

    // Assumed: The names and texts below; the statuses are the documented ones.
    static func badRequest(_ text: String) -> SandboxReply { error("badRequest", text, status: 400) }
    static let forbidden = error("accessDenied", "Access is denied", status: 403)
    static let notFound = error("notFound", "Resource not found", status: 404)
    static let offline = error("deviceOffline", "The device is not available", status: 424)
    static let linking = error("deviceLinking", "The device is being linked", status: 423)
    static let alreadyAssociated = error("alreadyAssociated", "The device is associated already", status: 409)

    static func alreadyExists(status: Int) -> SandboxReply { error("alreadyExists", "Credential already exists", status: status) }

    static let transferNeeded: SandboxReply = {
      var reply = error("accessDenied", "The transfer of the device must be verified", status: 403)
      if let name = HTTPField.Name("transfer-verification-enabled") { reply.headers[name] = "true" }
      return reply
    }()

    static let invalidGrant = error("invalid_grant", "Bad credentials", status: 400)
    static let invalidRefreshToken = error("invalid_grant", "Invalid refresh token", status: 400)
    static let invalidClient = error("unauthorized", "Bad client credentials", status: 401)
  }

  /// An answer without a body.
  static func empty(_ status: Int = 204) -> SandboxReply { SandboxReply(status: status) }
}
