import HTTPTypes
import SandboxKit
import Values

/// Which of three places answers a request without a good token.
enum GatewayBody: String, Sendable, CaseIterable {
  /// The gateway in front: JSON.
  case gateway
  /// The framework: a text.
  case text
  /// The resource: nothing.
  case empty

  enum Reason: Sendable { case missing, expired, unknown }

  func refusal(of reason: Reason) -> SandboxReply {
    switch self {
    case .gateway: return Self.json(reason)
    case .text:
      // Assumed: the framework's own text.
      var reply = SandboxReply.text("Credentials are required to access this resource.", status: 401)
      reply.headers[.wwwAuthenticate] = #"Bearer realm="realm""#
      return reply
    case .empty: return SandboxReply(status: 401)
    }
  }

  // Assumed: the text of the reason.
  private static func json(_ reason: Reason) -> SandboxReply {
    let text =
      switch reason {
      case .missing: "Missing or invalid credentials"
      case .expired: "TIME_CONSTRAINT_FAILURE"
      case .unknown: "BAD_SIGNATURE"
      }
    return .json(
      [
        "code": 16, "message": .string("JWT validation failed: \(text)"),
        "details": [
          ["@type": "type.googleapis.com/google.rpc.DebugInfo", "stackEntries": [], "detail": "auth"]
        ],
      ], status: 401)
  }
}

/// A JSON Web Token with these claims. Nobody verifies it: the sandbox knows the tokens that it gave out.
func mintedJWT(_ claims: Value, world: inout SandboxWorld) -> String {
  let header: Value = ["alg": "RS256", "typ": "JWT"]
  let parts = [header, claims].map { Base64URL.encoded($0.jsonBytes(secrets: .exposed)) }
  return "\(parts[0]).\(parts[1]).\(world.secret(length: 43))"
}
