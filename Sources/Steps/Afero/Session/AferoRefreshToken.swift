package import StepKit

extension Afero {
  /// `afero/refresh-token`
  package enum RefreshToken: StepHandler {
    package static let about = About(
      "afero/refresh-token", "Renews the connection's token, or signs in by a refresh token that was kept.", effect: .unsafe, signsIn: true)
    package static let errors = [OAuthRefusal.invalidClient, OAuthRefusal.invalidGrant]
    package static let example = Example.afero("{}", SessionToken.exampleOutputs)

    package struct Input: DescribedRecord {
      let refreshToken: Secret<String>?

      package init(_ field: inout Fields) {
        refreshToken = field("refresh_token", "A refresh token; without it the session's own.")
      }
    }

    package typealias Output = SessionToken

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      guard let given = input.refreshToken?.exposed else { return Output(try await ports.session.renew(.user)) }
      guard !given.isEmpty else { throw OAuthRefusal.invalidGrant.local(detail: "`refresh_token` is empty") }
      let earlier = Token(accessToken: "", expires: nil, refreshToken: given)
      return Output(try await ports.session.signIn(.refresh(earlier, .user), over: ports.http))
    }
  }
}
