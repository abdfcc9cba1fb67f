import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("What Afero refuses")
struct AferoErrorTests {
  /// An answer, and the failure that it must become.
  struct Answer: Sendable, CustomTestStringConvertible {
    var step = "get-device"
    var with = #"{"account_id": "a", "device_id": "d"}"#
    let status: Int
    var body = "{}"
    var headers: HTTPFields = [:]
    let code: String
    var detail = ""

    var testDescription: String { "\(step) \(status) \(body.prefix(60))" }
  }

  private static let create = #"{"credential_id": "ann@example.test", "password": "abc", "first_name": "Ann", "last_name": "Lee"}"#
  private static let action = #"{"account_id": "a", "device_id": "d", "attr_id": 1, "data": "01"}"#
  private static let associate = #"{"account_id": "a", "association_id": "b"}"#

  static let validation = """
    {"error":"validationFailure","error_description":"One or more fields have failed validation rules. See attached fieldErrors for specifics.",
     "fieldErrors":[{"error":"Length","error_description":"length must be between 6 and 255","field":"credential.password","rejectedValue":"abc"},
       {"error":"NotEmpty","field":"user.firstname"}]}
    """

  private static func verification() -> HTTPFields {
    guard let name = HTTPField.Name("transfer-verification-enabled") else { return [:] }
    return [name: "true"]
  }

  static let answers: [Answer] = [
    Answer(
      step: "create-account", with: create, status: 400, body: validation, code: "afero.validation_failed",
      detail: "credential.password: length must be between 6 and 255; user.firstname: NotEmpty"),
    Answer(
      step: "create-account", with: create, status: 400, body: validation.replacing("validationFailure", with: "VALIDATIONFAILURE"),
      code: "afero.validation_failed", detail: "credential.password: length must be between 6 and 255; user.firstname: NotEmpty"),
    Answer(
      step: "create-account", with: create, status: 400,
      body: #"{"error":"alreadyExists","error_description":"Credential already exists"}"#, code: "afero.already_exists",
      detail: "Credential already exists"),
    Answer(step: "create-account", with: create, status: 400, body: #"{"error":"ALREADYEXISTS"}"#, code: "afero.already_exists"),
    Answer(step: "create-account", with: create, status: 409, code: "afero.already_exists"),
    Answer(
      step: "create-account", with: create, status: 400, body: #"{"error_description":"no"}"#, code: "afero.bad_request", detail: "no"),
    Answer(
      status: 403, body: #"{"error":"accessDenied","error_description":"Access is denied"}"#, code: "afero.forbidden",
      detail: "Access is denied"),
    Answer(status: 403, headers: verification(), code: "afero.forbidden"),
    Answer(status: 404, code: "afero.not_found"),
    Answer(status: 409, code: "http.409"),
    Answer(status: 500, body: "<html>", code: "http.500"),
    Answer(status: 503, code: "http.503"),
    Answer(status: 429, code: "http.429"),
    Answer(step: "associate-device", with: associate, status: 403, headers: verification(), code: "afero.transfer_verification_needed"),
    Answer(step: "associate-device", with: associate, status: 403, code: "afero.forbidden"),
    Answer(step: "associate-device", with: associate, status: 409, code: "afero.already_associated"),
    Answer(step: "send-action", with: action, status: 423, code: "afero.device_linking"),
    Answer(step: "send-action", with: action, status: 424, code: "afero.device_offline"),
    Answer(
      step: "send-requests", with: #"{"account_id": "a", "device_id": "d", "requests": []}"#, status: 424, code: "afero.device_offline"),
    Answer(
      step: "disassociate-mobile-device", with: #"{"user_id": "u", "mobile_device_id": "m"}"#, status: 401,
      body: #"{"error":"unauthorized","error_description":"Full authentication is required to access this resource"}"#,
      code: "afero.unauthorized", detail: "Full authentication is required to access this resource"),
    Answer(step: "disassociate-mobile-device", with: #"{"user_id": "u", "mobile_device_id": "m"}"#, status: 404, code: "afero.not_found"),
    Answer(step: "reset-password", with: #"{"credential_id": "x@y.z"}"#, status: 404, code: "afero.not_found"),
    Answer(step: "reset-password", with: #"{"credential_id": "x@y.z"}"#, status: 401, code: "http.401"),
  ]

  @Test("has a code of its own, and keeps the status as a tag", arguments: answers)
  func codes(answer: Answer) async throws {
    let failure = try await failure(answer)
    #expect(failure?.code == answer.code)
    #expect(failure?.detail == answer.detail)
    #expect(failure?.sent == .yes)
    let names = [answer.code] + (failure?.tags ?? [])
    #expect(names.contains("http.\(answer.status)"))
  }

  @Test("is declared by the step that raises it", arguments: answers.filter { $0.code.hasPrefix("afero.") })
  func declared(answer: Answer) throws {
    let step = try #require(StepCatalogue.standard.step("afero/\(answer.step)"))
    #expect(step.errors.map(\.code).contains(answer.code))
  }

  @Test("names each field that was refused")
  func fields() async throws {
    let failure = try await failure(Self.answers[0])
    #expect(
      failure?.problems == [
        .init(field: "credential.password", message: "length must be between 6 and 255"),
        .init(field: "user.firstname", message: "NotEmpty"),
      ])
  }

  @Test("does not say a refused password again")
  func rejected() async throws {
    let failure = try await failure(Self.answers[0])
    let errors = failure?.answer?.body["fieldErrors"]?.listValue ?? []
    #expect(errors.first?["rejectedValue"] == Value.string("abc").hidden())
  }

  @Test("is found here where nothing could be sent")
  func local() async throws {
    let (asked, both) = try await AferoWorld.script(
      "list-rules", #"{"account_id": "a", "device_id": "d", "device_group_id": "g"}"#, [])
    #expect(both.failure?.code == "afero.bad_request")
    let (sent, app) = try await AferoWorld.script(
      "send-password-recovery-email", #"{"credential_id": "a@b.c"}"#, [], settings: #"{"app_id": ""}"#)
    #expect(app.failure?.code == "afero.app_needed")
    let (none, empty) = try await AferoWorld.script("reset-password", #"{"credential_id": ""}"#, [])
    #expect(empty.failure?.code == "afero.bad_id")
    #expect(asked.isEmpty && sent.isEmpty && none.isEmpty)
  }

  @Test(
    "is found here where a device would be told half of it",
    arguments: [
      ("send-action", #""attr_id": 1"#, "there is nothing to write: give `data` or `value`"),
      (
        "send-requests", #""requests": [{"type": "notify_viewing"}, {"type": "attribute_read"}]"#,
        "`requests[1].attr_id` is missing, which `attribute_read` needs"
      ),
      (
        "send-requests", #""requests": [{"type": "attribute_write", "value": "1"}]"#,
        "`requests[0].attr_id` is missing, which `attribute_write` needs"
      ),
      (
        "send-requests", #""requests": [{"type": "attribute_write", "attr_id": 1}]"#,
        "`requests[0].value` is missing, which `attribute_write` needs"
      ),
    ])
  func half(step: String, member: String, detail: String) async throws {
    let (asked, result) = try await AferoWorld.script(step, #"{"account_id": "a", "device_id": "d", \#(member)}"#, [])
    #expect(result.failure?.code == "afero.bad_request")
    #expect(result.failure?.detail == detail)
    #expect(asked.isEmpty)
  }

  @Test("is declared by the step whose connection lacks what it needs")
  func needs() throws {
    #expect(StepCatalogue.standard.step("afero/send-password-recovery-email")?.about.needs == ["app_id"])
  }

  private func failure(_ answer: Answer) async throws -> StepFailure? {
    let (asked, result) = try await AferoWorld.script(answer.step, answer.with, [.json(answer.status, answer.body, answer.headers)])
    #expect(asked.count == 1)
    return result.failure
  }
}

extension Result where Failure == StepFailure {
  /// Why it is none.
  var failure: StepFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
