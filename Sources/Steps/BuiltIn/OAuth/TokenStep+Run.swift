package import StepKit
import Values

extension OAuthTokenStep {
  /// - Throws: `auth.*` for what the server refuses in the words of OAuth, `http.*` for any other refusal, `decode` for an
  ///   answer without a token, `schema.input` for a grant without what it needs, `config.token` for `keep` without a
  ///   connection that has such tokens.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    // Before a code is spent.
    let tokenClass = input.keep ? try await kept(input.grant, ports.session.classes) : nil
    let call = try input.call(OAuthParty(ports))
    let answer =
      input.grant == .deviceCode && input.wait
      ? try await patiently(call, input, ports) : try TokenAnswer(try await ports.http.send(call))
    if let tokenClass {
      let earlier = input.refreshToken.map { Token(accessToken: "", expires: nil, refreshToken: $0.exposed) }
      try await ports.session.adopt(answer.token(at: ports.clock.now(), after: earlier), tokenClass)
    }
    return Output(
      accessToken: answer.accessToken, tokenType: answer.tokenType, expiresIn: answer.life, refreshToken: answer.refreshToken,
      idToken: answer.idToken, scope: answer.scope)
  }

  /// The class that a connection keeps the token in.
  private static func kept(_ grant: Grant, _ classes: [TokenClass]) throws(StepFailure) -> TokenClass {
    let own: TokenClass = grant == .clientCredentials ? .client : .user
    guard let kept = classes.count == 1 ? classes.first : classes.first(where: { $0 == own }) else {
      throw .grantRefused("`keep` needs a connection with tokens: name one with `connection:`, and give a plain one `oauth`")
    }
    return kept
  }

  /// Asks again and again until the person has agreed, refused, or the code has expired (RFC 8628 §3.5).
  private static func patiently(_ call: HTTPCall, _ input: Input, _ ports: Ports) async throws(StepFailure) -> TokenAnswer {
    var interval = Duration.seconds(max(1, input.interval ?? 5))
    let end = input.expiresIn.map { ports.clock.elapsed() + .seconds($0) }
    while true {
      if let end, ports.clock.elapsed() + interval >= end {
        throw OAuthRefusal.invalidGrant.local(detail: "the device code has expired: nobody has agreed in time")
      }
      do throws(CancellationError) {
        try await ports.clock.sleep(for: interval)
      } catch {
        throw StepFailure("cancelled", title: "cancelled")
      }
      do throws(StepFailure) {
        return try TokenAnswer(try await ports.http.send(call))
      } catch {
        // Without an answer in time the server is asked less often.
        if error.code.hasPrefix("timeout.") {
          interval = min(interval * 2, .seconds(60))
        } else if error.code != OAuthRefusal.pending.code {
          throw error
        }
        if error.answer?.body["error"]?.exposed.stringValue == "slow_down" { interval += .seconds(5) }
      }
    }
  }
}
