package import StepKit
package import Values

extension RapidSOS {
  /// `rapidsos/authenticate`
  package enum Authenticate: StepHandler {
    package static let about = About(
      "rapidsos/authenticate", "Gets a token for the app, or signs a person in on the connection.", effect: .idempotent, signsIn: true)
    package static let errors = [RapidSOSTokenIssuer.invalidClient, RapidSOSTokenIssuer.invalidGrant]
    package static let example = Example(
      with: #"{"grant": "password", "username": "dana.reyes", "password": "correct-horse"}"#,
      outputs: #"{"access_token": "*", "token_type": "BearerToken", "expires_in": 3599, "expires_at": "*"}"#,
      given: #"{"users": [{"username": "dana.reyes", "password": "correct-horse"}]}"#)

    /// What the token is for, in the words of RFC 6749.
    package enum Grant: String, Choice {
      case clientCredentials = "client_credentials"
      case password
    }

    package struct Input: Sendable {
      let grant: Grant
      let username: Secret<String>?
      let password: Secret<String>?
    }

    package struct Output: Sendable {
      let accessToken: Secret<String>
      let tokenType: String?
      let expiresIn: Int?
      let expiresAt: String?
    }

    package static func signsIn(_ literals: ValueMap) -> Bool? {
      literals["grant"]?.stringValue.map { $0 == Grant.password.rawValue }
    }

    /// A person's log-in needs both credentials, the app's own token takes none.
    package static func refine(_ shape: RecordShape, literals: ValueMap, settings: ValueMap) -> RecordShape {
      guard let grant = literals["grant"]?.stringValue.flatMap(Grant.init(rawValue:)) else { return shape }
      var refined = shape
      switch grant {
      case .clientCredentials: refined.fields.removeAll { $0.name != "grant" }
      case .password:
        for index in refined.fields.indices where refined.fields[index].name != "grant" {
          refined.fields[index].isRequired = true
          refined.fields[index].shape = Secret<String>.shape
        }
      }
      return refined
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let grant: TokenGrant =
        switch input.grant {
        case .clientCredentials: .client
        case .password: .user(Credentials(username: input.username?.exposed ?? "", password: input.password?.exposed ?? ""))
        }
      return Output(try await ports.session.signIn(grant, over: ports.http))
    }
  }
}

extension RapidSOS.Authenticate.Output {
  fileprivate init(_ token: Token) {
    accessToken = Secret(token.accessToken)
    tokenType = token.type
    expiresAt = token.expires.flatMap { Value.timestamp($0).scalarText }
    if let issued = token.issued, let expires = token.expires {
      expiresIn = Int(expires.seconds - issued.seconds)
    } else {
      expiresIn = nil
    }
  }
}

extension RapidSOS.Authenticate.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    grant = field("grant", "`client_credentials` for the app's token, `password` to sign a person in.")
    username = field("username", "The person's name at RapidSOS, where `grant` is `password`.")
    password = field("password", "Their password, where `grant` is `password`.")
  }
}

extension RapidSOS.Authenticate.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    accessToken = field("access_token", "The token; the connection already uses it.")
    tokenType = field("token_type", "What RapidSOS calls its type.")
    expiresIn = field("expires_in", "Its life in seconds.")
    expiresAt = field("expires_at", "When it ends, in UTC.", format: .dateTime)
  }
}
