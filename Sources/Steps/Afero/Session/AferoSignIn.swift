package import StepKit
import Values

extension Afero {
  /// `afero/sign-in`
  package enum SignIn: StepHandler {
    package static let about = About("afero/sign-in", "Signs a person in on the connection.", effect: .idempotent, signsIn: true)
    package static let errors = [OAuthRefusal.invalidClient, OAuthRefusal.invalidGrant]
    package static let example = Example(
      with: #"{"username": "ann@example.test", "password": "hunter22"}"#, outputs: SessionToken.exampleOutputs,
      given: #"{"users": [{"username": "ann@example.test", "password": "hunter22"}]}"#)

    package struct Input: DescribedRecord {
      let username: Secret<String>
      let password: Secret<String>

      package init(_ field: inout Fields) {
        username = field("username", "The person's address.")
        password = field("password", "Their password.")
      }
    }

    package typealias Output = SessionToken

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let person = Credentials(username: input.username.exposed, password: input.password.exposed)
      return Output(try await ports.session.signIn(.user(person), over: ports.http))
    }
  }

  /// What signing in and renewing give; the connection uses it already.
  package struct SessionToken: DescribedRecord {
    let accessToken: Secret<String>
    let tokenType: String?
    let expiresIn: Int?
    let expiresAt: String?
    let refreshToken: Secret<String>?
    let scope: String?

    package init(_ field: inout Fields) {
      accessToken = field("access_token", "The token; the connection already uses it.")
      tokenType = field("token_type", "What Afero calls its type.")
      expiresIn = field("expires_in", "Its life in seconds.")
      expiresAt = field("expires_at", "When it ends, in UTC.", format: .dateTime)
      refreshToken = field("refresh_token", "What renews it.")
      scope = field("scope", "The scopes that were granted.")
    }

    init(_ token: Token) {
      accessToken = Secret(token.accessToken)
      tokenType = token.type
      expiresAt = token.expires.flatMap { Value.timestamp($0).scalarText }
      if let issued = token.issued, let expires = token.expires {
        expiresIn = Int(expires.seconds - issued.seconds)
      } else {
        expiresIn = nil
      }
      refreshToken = token.refreshToken.map { Secret($0) }
      scope = token.scope
    }

    static let exampleOutputs = """
      {"access_token": "*", "token_type": "bearer", "expires_in": 16086, "expires_at": "*", "refresh_token": "*", "scope": "account"}
      """
  }
}

extension Example.Preparation {
  /// Signs in the person of the examples.
  static let aferoSignIn = Self("afero/sign-in", with: #"{"username": "ann@example.test", "password": "hunter22"}"#)
}

extension Example {
  /// Of a step that somebody uses who is signed in, with their account and whatever else there is of theirs.
  static func afero(_ with: String, _ outputs: String = "{}", user: String = "", further: String = "") -> Example {
    let person = #"{"username": "ann@example.test", "password": "hunter22", "first_name": "Ann", "last_name": "Lee"\#(user)}"#
    return Example(with: with, outputs: outputs, given: #"{"users": [\#(person)]\#(further)}"#, before: [.aferoSignIn])
  }
}
