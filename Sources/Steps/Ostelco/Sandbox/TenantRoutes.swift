import HTTPTypes
import SandboxKit
import Values

extension OstelcoSandbox {
  /// The tenant (Auth0): consent, tokens, revocation. Assumed: its wire form, from Auth0's documentation.
  enum TenantRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/authorize", authorize),
      SandboxRoute(.post, "/oauth/token", token),
      SandboxRoute(.post, "/oauth/revoke", revoke),
    ]

    /// Whoever `login_hint` names is let through, and agrees; without it the first customer.
    @Sendable private static func authorize(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let request = call.request
      func parameter(_ name: String) throws(SandboxReply) -> String {
        guard let value = request.query(name), !value.isEmpty else { throw invalid("Missing required parameter: \(name)") }
        return value
      }
      // What is wrong with the app is told to its caller; nothing is sent to an address that may be anybody's (RFC 6749 §4.1.2.1).
      let client = try parameter("client_id")
      guard state.clients?.contains(client) ?? true else { throw refusal("invalid_request", "Unknown client: \(client)", status: 400) }
      let redirect = try parameter("redirect_uri")
      guard isAbsoluteURI(redirect) else { throw invalid("redirect_uri is no URL") }
      let responseType = try parameter("response_type")
      let connection = try parameter("connection")
      let audience = try parameter("audience")
      let scope = try parameter("scope")
      let mark = try parameter("state")
      let challenge = try parameter("code_challenge")
      guard request.query("code_challenge_method") == "S256" else { throw invalid("code_challenge_method must be S256") }
      func back(_ pairs: [(String, String)]) -> SandboxReply {
        let query = (pairs + [("state", mark)]).map { "\($0)=\(escaped($1))" }.joined(separator: "&")
        return found("\(redirect)\(redirect.contains("?") ? "&" : "?")\(query)")
      }
      guard responseType == "code" else {
        return back([("error", "unsupported_response_type"), ("error_description", "Unsupported response type: \(responseType)")])
      }
      guard connection == "google-oauth2" else {
        return back([("error", "invalid_request"), ("error_description", "the connection was not found")])
      }
      guard audience == "http://google_api" else {
        return back([("error", "access_denied"), ("error_description", "Service not found: \(audience)")])
      }
      guard state.switches.knowsBrowser else { return found("/login?state=\(world.secret(length: 20))") }
      guard state.switches.consents else {
        return back([("error", "access_denied"), ("error_description", "User did not authorize the request")])
      }
      let identity = request.query("login_hint") ?? state.customers.first?.identity ?? "mei@example.test"
      let code = world.secret(length: 43)
      if state.codes.count == 1000 { state.codes.removeAll() }
      state.codes[code] = .init(
        identity: identity, client: client, redirectURI: redirect, scope: scope, challenge: challenge,
        expires: world.now.advanced(by: .seconds(600)))
      return back([("code", code)])
    }

    @Sendable private static func token(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let fields = try members(call.request)
      let client = try required("client_id", fields)
      switch try required("grant_type", fields) {
      case "authorization_code":
        let code = try required("code", fields)
        let verifier = try required("code_verifier", fields)
        let redirect = try required("redirect_uri", fields)
        // A code is good once, and so is every attempt at it (RFC 6749 §4.1.2).
        guard let known = state.codes.removeValue(forKey: code), world.now < known.expires, known.client == client,
          known.redirectURI == redirect, ProofKey(verifier: verifier).challenge == known.challenge
        else { throw refusal("invalid_grant", "Invalid authorization code", status: 403) }
        var refresh: String?
        if known.scope.split(separator: " ").contains("offline_access") {
          let text = "v1.\(world.secret(length: 40))"
          if state.refreshTokens.count == 10_000 { state.refreshTokens.removeAll() }
          state.refreshTokens[text] = .init(identity: known.identity, client: client, scope: known.scope)
          refresh = text
        }
        return answer(known.identity, client, known.scope, refresh: refresh, &state, &world)
      case "refresh_token":
        guard let known = state.refreshTokens[try required("refresh_token", fields)], known.client == client else {
          throw refusal("invalid_grant", "Unknown or invalid refresh token.", status: 403)
        }
        return answer(known.identity, client, known.scope, refresh: nil, &state, &world)
      default: throw refusal("unsupported_grant_type", "Unsupported grant type", status: 403)
      }
    }

    /// Of a token that is unknown too (RFC 7009 §2.2).
    @Sendable private static func revoke(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let fields = try members(call.request)
      _ = try required("client_id", fields)
      state.refreshTokens[try required("token", fields)] = nil
      return SandboxReply(status: 200)
    }

    private static func answer(
      _ identity: String, _ client: String, _ scope: String, refresh: String?, _ state: inout State, _ world: inout SandboxWorld
    ) -> SandboxReply {
      let life = state.switches.tokenLife
      let subject = state.subject(of: identity, world: &world)
      let expires = world.now.advanced(by: life).seconds
      let access = mintedJWT(
        [
          "iss": "https://auth-dev.oya.world/", "sub": .string(subject),
          "aud": ["http://google_api", "https://auth-dev.oya.world/userinfo"], "https://ostelco/email": .string(identity),
          "exp": .int(expires),
        ], world: &world)
      let id = mintedJWT(
        [
          "iss": "https://auth-dev.oya.world/", "sub": .string(subject), "aud": .string(client), "email": .string(identity),
          "exp": .int(expires),
        ], world: &world)
      state.tokens.issue(kind: "user", subject: identity, client: client, scope: scope, life: life, accessToken: access, world: &world)
      var body = ValueMap()
      body["access_token"] = .string(access)
      body["refresh_token"] = refresh.map { .string($0) }
      body["id_token"] = .string(id)
      body["expires_in"] = .int(life.components.seconds)
      body["token_type"] = "Bearer"
      body["scope"] = .string(scope)
      return .json(.map(body))
    }

    // MARK: reading

    /// The members of a JSON body, or the pairs of a form: the tenant takes both.
    private static func members(_ request: SandboxRequest) throws(SandboxReply) -> ValueMap {
      if let form = request.form {
        return form.reduce(into: ValueMap()) { map, pair in map[pair.name] = map[pair.name] ?? .string(pair.value) }
      }
      guard request.mediaType == "application/json", case .map(let members)? = request.json else { throw invalid("Invalid body") }
      return members
    }

    private static func required(_ name: String, _ members: ValueMap) throws(SandboxReply) -> String {
      guard case .string(let text)? = members[name], !text.isEmpty else { throw invalid("Missing required parameter: \(name)") }
      return text
    }

    /// Without a fragment (RFC 6749 §3.1.2).
    private static func isAbsoluteURI(_ text: String) -> Bool {
      guard let colon = text.firstIndex(of: ":"), let first = text.first, first.isASCII, first.isLetter else { return false }
      let (scheme, rest) = (text[..<colon], text[text.index(after: colon)...])
      func isMade(_ part: Substring, of marks: String) -> Bool {
        part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || marks.contains($0) }
      }
      return isMade(scheme, of: "+.-") && !rest.isEmpty && isMade(rest, of: "._~:/?@!$&'()*+,;=%-")
    }

    private static func invalid(_ text: String) -> SandboxReply { refusal("invalid_request", text, status: 400) }

    private static func refusal(_ error: String, _ text: String, status: Int) -> SandboxReply {
      .json(["error": .string(error), "error_description": .string(text)], status: status)
    }

    private static func found(_ location: String) -> SandboxReply {
      // A header takes no line breaks, whatever the caller's own address holds.
      SandboxReply(status: 302, headers: [.location: location.filter { !$0.isNewline && $0.isASCII }])
    }

    private static func escaped(_ text: String) -> String {
      let digits = Array("0123456789ABCDEF")
      return text.utf8.reduce(into: "") { out, byte in
        let character = Character(Unicode.Scalar(byte))
        if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
          out.append(character)
        } else {
          out += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
      }
    }
  }
}
