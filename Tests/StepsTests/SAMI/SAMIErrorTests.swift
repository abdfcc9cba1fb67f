import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("SAMI's errors")
struct SAMIErrorTests {
  @Test(
    "have names",
    arguments: [
      (400, 4001, "sami.validation_failed"), (400, 400, "http.400"), (403, 403, "sami.forbidden"), (404, 404, "sami.not_found"),
      (404, 1101, "sami.device_type_unknown"), (404, 1201, "sami.user_unknown"), (413, 413, "sami.message_too_large"),
      (429, 429, "sami.rate_limited"), (409, 1202, "http.409"), (500, 500, "http.500"),
    ])
  func names(status: Int, sami: Int, code: String) async throws {
    let script = try await SAMIScript([.json(status, #"{"error":{"code":\#(sami),"message":"Why"}}"#)])
    let failure = await script.failure("post-message", #"{"sdid": "d-31", "data": {}}"#)
    #expect(failure?.code == code)
    #expect(failure?.detail == "Why")
    #expect(failure?.tags == (code.hasPrefix("sami.") ? ["http.\(status)"] : []))
  }

  @Test(
    "name each field",
    arguments: [
      #"[{"field":"name","messages":["Minimum length 5","Text field only"]}]"#,
      #"[[{"field":"name","messages":["Minimum length 5","Text field only"]}]]"#,
    ])
  func fields(errors: String) async throws {
    let script = try await SAMIScript([.json(400, #"{"error":{"code":4001,"message":"Validation Error","errors":\#(errors)}}"#)])
    let failure = await script.failure("create-device", #"{"uid": "u-12", "dtid": "dt-7", "name": "abcd"}"#)
    #expect(failure?.problems == [.init(field: "name", message: "Minimum length 5"), .init(field: "name", message: "Text field only")])
    #expect(failure?.detail == "name: Minimum length 5; name: Text field only")
    #expect(failure?.isRejected == true)
  }

  @Test(
    "say when calls are taken again, so that a retry waits as long",
    arguments: [
      ("0/900", "1732150815/1732233600", 1_732_150_815, "2024-11-21T01:00:15Z"),
      ("5/0", "1732150815/1732233600", 1_732_233_600, "2024-11-22T00:00:00Z"),
    ])
  func reset(remaining: String, reset: String, moment: Int64, text: String) async throws {
    var headers = HTTPFields()
    for (name, value) in [("Limit", "100/1000"), ("Remaining", remaining), ("Reset", reset)] {
      headers[try #require(HTTPField.Name("X-Rate-Limit-\(name)"))] = value
    }
    let script = try await SAMIScript([.json(429, #"{"error":{"code":429,"message":"USER MINUTE rate limit exceeded"}}"#, headers)])
    let failure = await script.failure("get-self", "{}")
    #expect(failure?.retryAt == Timestamp(seconds: moment))
    #expect(failure?.detail == "USER MINUTE rate limit exceeded; calls are taken again from \(text) on")
    #expect(failure?.isRejected == true)
  }

  @Test(
    "have no time where the answer has none, or one that no calendar has",
    arguments: [nil, "9223372036854775807/1", "-9223372036854775808/1", "253402300800/1", "99999999999999999999/1", "/", "soon"])
  func noReset(reset: String?) async throws {
    var headers = HTTPFields()
    headers[try #require(HTTPField.Name("X-Rate-Limit-Limit"))] = "100/1000"
    headers[try #require(HTTPField.Name("X-Rate-Limit-Reset"))] = reset
    let script = try await SAMIScript([.json(429, #"{"error":{"code":429,"message":"no"}}"#, headers)])
    let failure = await script.failure("get-self", "{}")
    #expect(failure?.retryAt == nil)
    #expect(failure?.detail == "no")
  }

  @Test("a message of more than 10 KB is not sent", arguments: [(10 * 1024, true), (10 * 1024 + 1, false)])
  func size(bytes: Int, isSent: Bool) async throws {
    let frame = #"{"sdid":"d-31","type":"message","data":""}"#.utf8.count
    let script = try await SAMIScript([.json(200, #"{"data":{"mid":"m-1"}}"#)])
    let with = #"{"sdid": "d-31", "data": "\#(String(repeating: "x", count: bytes - frame))"}"#
    if isSent {
      try await script.run("post-message", with)
    } else {
      #expect(await script.failure("post-message", with)?.code == "sami.message_too_large")
    }
    #expect(script.asked.count == (isSent ? 1 : 0))
  }

  @Test(
    "what cannot be meant is refused here",
    arguments: [
      ("get-messages", #"{"start_date": 1, "end_date": 2}"#), ("get-messages", #"{"sdid": "d", "start_date": 1}"#),
      ("get-messages", #"{"sdid": "d", "field_presence": "f", "filter": "f:1"}"#), ("create-export", #"{"start_date": 1, "end_date": 2}"#),
      ("create-subscription", #"{"message_type": "action", "uid": "u", "callback_url": "https://h.test"}"#),
      ("create-subscription", #"{"message_type": "message", "uid": "u", "sdid": "a", "sdtid": "b", "callback_url": "https://h.test"}"#),
      ("live", #"{"uid": "u", "sdids": []}"#), ("live", #"{"uid": "u", "sdtids": []}"#), ("get-last-messages", #"{"sdids": []}"#),
      ("create-export", #"{"uids": ["u"], "sdids": [], "start_date": 1, "end_date": 2}"#),
      ("create-export", #"{"uids": ["u"], "sdtids": [], "start_date": 1, "end_date": 2}"#), ("get-device", #"{"id": ".."}"#),
      ("get-device", #"{"id": "d", "token": "a\nb"}"#),
    ])
  func unfitInput(step: String, with: String) async throws {
    let script = try await SAMIScript([])
    #expect(await script.failure(step, with)?.code == "schema.input")
    #expect(script.asked == [])
  }

  @Test("an id stays one segment of the path")
  func segments() async throws {
    let script = try await SAMIScript([.json(404, #"{"error":{"code":404,"message":"Not Found"}}"#)])
    _ = await script.failure("get-device", #"{"id": "a/b?c"}"#)
    #expect(script.asked == ["GET https://api.test/v1.1/devices/a%2Fb%3Fc"])
  }

  @Test("a device that is made has an id, or nobody can go on with it")
  func noID() async throws {
    let script = try await SAMIScript([.json(200, #"{"data":{"uid":"u-12","dtid":"dt-7","name":"abcde"}}"#)])
    let failure = await script.failure("create-device", #"{"uid": "u-12", "dtid": "dt-7", "name": "abcde"}"#)
    #expect(failure?.code == "decode")
    #expect(failure?.detail.contains("`id`") == true, "\(failure?.detail ?? "")")
    #expect(failure?.answer?.status == 200)
  }

  @Test("an answer of another shape is not taken for one")
  func shape() async throws {
    let script = try await SAMIScript([.json(200, #"{"data":{"devices":[{"name":7}]},"total":1,"offset":0,"count":1}"#)])
    let failure = await script.failure("list-user-devices", #"{"uid": "u-12"}"#)
    #expect(failure?.code == "decode")
    #expect(failure?.answer?.body["data"]?["devices"] != nil)
  }
}
