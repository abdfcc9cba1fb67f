import HTTPTypes
import StepKit
import Steps
import Testing
import Values

/// Every documented answer that is an error, and the code that flows see.
@Suite("Errors of RapidSOS")
struct RapidSOSErrorTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    let step: String
    let status: Int
    let body: String
    let code: String
    var detail = ""
    var isRejected = true

    var testDescription: String { "\(step) \(status) → \(code)" }
  }

  static let detail = #"{"detail": "Not found."}"#
  static let fieldMap = #"{"detail": {"email": ["Not a valid email address."]}}"#
  static let fault =
    #"{"fault": {"faultstring": "Invalid Access Token", "detail": {"errorcode": "keymanagement.service.invalid_access_token"}}}"#

  static let answers: [Answer] = [
    Answer(
      step: "register", status: 400, body: #"{"detail": "User with username `dana.reyes` already exists."}"#,
      code: "rapidsos.username_taken",
      detail: "User with username `dana.reyes` already exists."),
    Answer(
      step: "register", status: 400,
      body: #"{"detail": {"username": ["Length must be between 7 and 150."], "email": ["Not a valid email address."]}}"#,
      code: "rapidsos.validation_failed", detail: "username: Length must be between 7 and 150.; email: Not a valid email address."),
    Answer(step: "request-pin", status: 400, body: #"{"detail": "bad number"}"#, code: "rapidsos.bad_number", detail: "bad number"),
    Answer(step: "request-pin", status: 429, body: #"{"detail": "Too many requests."}"#, code: "http.429", detail: "Too many requests."),
    Answer(
      step: "validate-pin", status: 400, body: #"{"detail": "Validation code is invalid"}"#, code: "rapidsos.wrong_pin",
      detail: "Validation code is invalid"),
    Answer(
      step: "validate-pin", status: 400, body: #"{"detail": {"caller_id": ["Not a valid phone number."]}}"#, code: "rapidsos.bad_number",
      detail: "caller_id: Not a valid phone number."),
    Answer(step: "validate-pin", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(step: "fetch-profile", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(step: "fetch-profile", status: 403, body: "{}", code: "http.403", isRejected: false),
    Answer(step: "fetch-profile", status: 503, body: "<html>", code: "http.503", isRejected: false),
    Answer(
      step: "trigger-call-flow", status: 400, body: #"{"detail": {"user.full_name": ["Missing data for required field."]}}"#,
      code: "rapidsos.missing_variable", detail: "user.full_name: Missing data for required field."),
    Answer(step: "trigger-call-flow", status: 404, body: #"{"detail": "no"}"#, code: "rapidsos.unknown_call_flow", detail: "no"),
    Answer(step: "trigger-call-flow", status: 403, body: "{}", code: "rapidsos.wrong_token"),
    Answer(step: "trigger-call-flow", status: 401, body: fault, code: "http.401", detail: "Invalid Access Token"),
    Answer(step: "list-locations", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "list-locations", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "list-locations", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "create-location", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "create-location", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "create-location", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "get-location", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "get-location", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "get-location", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "update-location", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "update-location", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "update-location", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "replace-location", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "replace-location", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."
    ),
    Answer(step: "replace-location", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "delete-location", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "delete-location", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "delete-location", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "list-devices", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "list-devices", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "list-devices", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "create-device", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "create-device", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "create-device", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "get-device", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "get-device", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "get-device", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "update-device", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "update-device", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "update-device", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "delete-device", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "delete-device", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "delete-device", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "update-profile", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "update-profile", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "update-profile", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "reset-password", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "reset-password", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(step: "reset-password", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(
      step: "upload-photo", status: 403, body: "<Error><Code>AccessDenied</Code></Error>", code: "rapidsos.upload_refused",
      detail: "AccessDenied"),
    Answer(step: "upload-photo", status: 412, body: "", code: "rapidsos.upload_refused"),
    Answer(step: "upload-photo", status: 500, body: "", code: "http.500", isRejected: false),
    Answer(step: "get-upload-url", status: 400, body: detail, code: "rapidsos.bad_key", detail: "Not found."),
    Answer(step: "get-upload-url", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    Answer(
      step: "register-push", status: 400, body: fieldMap, code: "rapidsos.validation_failed", detail: "email: Not a valid email address."),
    Answer(
      step: "register-push", status: 400, body: #"{"detail": {"caller_id": ["bad"]}}"#, code: "rapidsos.bad_number",
      detail: "caller_id: bad"),
    Answer(step: "register-push", status: 404, body: detail, code: "rapidsos.not_found", detail: "Not found."),
    // What is neither accepted nor declared leaves it open whether the call flow started.
    Answer(step: "trigger-call-flow", status: 503, body: "", code: "http.503", isRejected: false),
    Answer(step: "trigger-call-flow", status: 409, body: "{}", code: "http.409", isRejected: false),
  ]

  @Test("have a code of their own, and keep the status as a tag", arguments: answers)
  func codes(answer: Answer) async throws {
    let failure = try await failure(answer)
    #expect(failure?.code == answer.code)
    #expect(failure?.detail == answer.detail)
    #expect(failure?.sent == .yes)
    #expect(failure?.isRejected == answer.isRejected)
    #expect(failure?.answer?.status == answer.status)
    let names = [answer.code] + (failure?.tags ?? [])
    #expect(names.contains("http.\(answer.status)"))
  }

  @Test("name each field that was refused")
  func fields() async throws {
    let failure = try await failure(Self.answers[1])
    #expect(
      failure?.problems == [
        .init(field: "username", message: "Length must be between 7 and 150."),
        .init(field: "email", message: "Not a valid email address."),
      ])
  }

  @Test("are declared by the step that raises them")
  func declared() throws {
    for answer in Self.answers where answer.code.hasPrefix("rapidsos.") {
      let step = try #require(StepCatalogue.standard.step("rapidsos/\(answer.step)"))
      #expect(step.errors.map(\.code).contains(answer.code), "\(answer.testDescription)")
    }
  }

  @Test(
    "of the token endpoint tell the client from the person",
    arguments: [
      (true, 401, #"{"detail": "Invalid user credentials."}"#, "auth.invalid_grant"),
      (true, 401, #"{"fault": {"faultstring": "Invalid client identifier"}}"#, "auth.invalid_client"),
      (false, 401, #"{"fault": {"faultstring": "Invalid client identifier"}}"#, "auth.invalid_client"),
      (false, 401, "", "auth.invalid_client"),
      (true, 429, #"{"detail": "Too many requests. Please try again later"}"#, "http.429"),
      (false, 500, "", "http.500"),
      (false, 200, #"{"token_type": "BearerToken"}"#, "decode"),
    ])
  func tokens(isUser: Bool, status: Int, body: String, code: String) async throws {
    let script = ScriptedTransport([.json(status, body)])
    let failure = await #expect(throws: StepFailure.self) { try await token(script, isUser: isUser) }
    #expect(failure?.code == code)
    #expect(failure?.isRejected == (status == 401 || status == 429))
  }

  @Test("of a log-in without a name or a password are found here, and nothing is sent")
  func emptyCredentials() async throws {
    let script = ScriptedTransport([])
    let failure = await #expect(throws: StepFailure.self) {
      try await token(script, .user(Credentials(username: "", password: "x")))
    }
    #expect(failure?.code == "auth.invalid_grant")
    #expect(failure?.sent == .no)
    #expect(script.asked.isEmpty)
  }

  @Test("do not repeat what is secret: neither password nor client secret stands in one", arguments: answers)
  func secrets(answer: Answer) async throws {
    let failure = try await failure(answer)
    #expect("\(failure as Any)".contains("hunter2-very-secret") == false)
  }

  // MARK: tokens, when all is well

  @Test(
    "a token's life is counted from its date; without one it is good for one call",
    arguments: [
      (#"{"access_token": "t", "issued_at": "1732150800000", "expires_in": "3599"}"#, 3599),
      (#"{"access_token": "t", "issued_at": 1732150790000, "expires_in": 60}"#, 50),
      (#"{"access_token": "t", "expires_in": "3599"}"#, 0),
      (#"{"access_token": "t", "issued_at": "1732150800000"}"#, 0),
      (#"{"access_token": "t", "issued_at": "1732150800000", "expires_in": "-5"}"#, 0),
    ])
  func life(body: String, seconds: Int64) async throws {
    let token = try await token(ScriptedTransport([.json(200, body)]), isUser: false)
    #expect(token.expires == Timestamp(seconds: 1_732_150_800 + seconds))
  }

  @Test(
    "the client proves itself in the form, or in HTTP Basic",
    arguments: [
      ("form", "grant_type=client_credentials&client_id=cid&client_secret=s3%26", nil),
      ("basic", "grant_type=client_credentials", "Basic Y2lkOnMzJg=="),
    ])
  func clientAuth(auth: String, form: String, header: String?) async throws {
    let script = ScriptedTransport([.json(200, #"{"access_token": "t"}"#)])
    _ = try await token(script, .client, auth: auth)
    #expect(script.asked.map { String(decoding: $0.body ?? [], as: UTF8.self) } == [form])
    #expect(script.asked.first?.headers[.authorization] == header)
    #expect(script.asked.first?.url == "https://api.test/oauth/token")
  }

  // MARK: helpers

  private func failure(_ answer: Answer) async throws -> StepFailure? {
    let step = try #require(StepCatalogue.standard.step("rapidsos/\(answer.step)"))
    let endpoint = ConnectionEndpoint(base: try WebAddress("http://127.0.0.1"))
    let http = ConnectedHTTP(
      endpoint: endpoint, session: NoSession(), transport: ScriptedTransport([.json(answer.status, answer.body)]), clock: StepClock(),
      effect: step.about.effect)
    let ports = Ports(
      http: http, clock: StepClock(), random: ZeroRandom(), prompt: AnswerList([]), session: OneToken(),
      settings: try #require(try JSON.parse(MediaWorld.settings).mapValue), files: AnyFile(), log: { _ in })
    let with = [
      "register": #"{"username": "dana.reyes", "password": "hunter2-very-secret", "email": "d@example.test"}"#,
      "request-pin": #"{"phone": "2345678888"}"#, "validate-pin": #"{"phone": "2345678888", "pin": "000000"}"#, "fetch-profile": "{}",
    ]
    let input = try #require(try JSON.parse(with[answer.step] ?? step.example.with).mapValue)
    do {
      _ = try await step.run(input, ports)
      return nil
    } catch { return error }
  }

  private func token(_ script: ScriptedTransport, isUser: Bool) async throws -> Token {
    try await token(script, isUser ? .user(Credentials(username: "dana", password: "pw")) : .client)
  }

  private func token(_ script: ScriptedTransport, _ grant: TokenGrant, auth: String = "form") async throws -> Token {
    let settings = try #require(
      try JSON.parse(#"{"client_id": "cid", "client_secret": "s3&", "client_auth": "\#(auth)", "base_url": "https://api.test"}"#).mapValue)
    let http = ConnectedHTTP(
      endpoint: try ConnectionEndpoint(settings: settings), session: NoSession(), transport: script, clock: StepClock())
    return try await RapidSOSTokenIssuer().token(for: grant, settings: settings, http: http, clock: StepClock())
  }
}

private struct OneToken: SessionPort {
  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token { Token(accessToken: "t", expires: nil) }
  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token { throw .none }
  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw .none }
  func forget(_ tokenClass: TokenClass) async {}
}

private struct AnyFile: FilePort {
  func read(_ path: String) async throws(StepFailure) -> [UInt8] { [0xFF] }
  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) {}
}
