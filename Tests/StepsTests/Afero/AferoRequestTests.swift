import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("What Afero's steps send")
struct AferoRequestTests {
  @Test("is the documented request, and the documented answer is taken", arguments: AferoRequests.sent)
  func requests(sent: AferoRequests.Sent) async throws {
    let (asked, result) = try await AferoWorld.script(sent.step, sent.with, [.json(200, sent.answer)])
    _ = try result.get()
    #expect(asked.map { $0.line.replacing("https://api.afero.test", with: "") } == [sent.line])
    #expect(asked.first?.json == (try sent.body.map { try JSON.parse($0) }))
    #expect(asked.first?.headers[.accept] == "application/json")
    #expect(asked.first?.headers[.contentType]?.hasPrefix("application/json") == (sent.body == nil ? nil : true))
  }

  @Test("carries the person's token where the operation asks for it, and none where it does not", arguments: AferoRequests.sent)
  func tokens(sent: AferoRequests.Sent) async throws {
    let open = ["create-account", "reset-password", "send-password-recovery-email", "update-password-with-code"]
    let (asked, _) = try await AferoWorld.script(sent.step, sent.with, [.json(200, sent.answer)])
    #expect(asked.first?.headers[.authorization] == (open.contains(sent.step) ? nil : "Bearer t-1"))
  }

  @Test("names the app on what leads to a mail, and nowhere else", arguments: AferoRequests.sent)
  func app(sent: AferoRequests.Sent) async throws {
    let mailing = ["create-account", "send-password-recovery-email", "update-password-with-code", "resend-verification"]
    let (asked, _) = try await AferoWorld.script(sent.step, sent.with, [.json(200, sent.answer)])
    let name = try #require(HTTPField.Name("x-afero-app"))
    // base64("com.example.house:IOS")
    #expect(asked.first?.headers[name] == (mailing.contains(sent.step) ? "Y29tLmV4YW1wbGUuaG91c2U6SU9T" : nil))
  }

  @Test("is nothing where an id would lead elsewhere", arguments: ["", ".", ".."])
  func ids(id: String) async throws {
    let (asked, result) = try await AferoWorld.script("list-devices", #"{"account_id": "\#(id)"}"#, [])
    #expect(asked.isEmpty)
    #expect(throws: StepFailure.self) { try result.get() }
    guard case .failure(let failure) = result else { return }
    #expect(failure.code == "afero.bad_id")
    #expect(failure.sent == .no)
  }

  @Test("gives pages the end of the one behind them")
  func pages() async throws {
    let (_, result) = try await AferoWorld.script(
      "list-activity", #"{"account_id": "a", "limit": 2}"#,
      [
        .json(
          200,
          """
          [{"historyId":"h-2","createdTimestamp":30,"historyType":"X","message":"b"},
           {"historyId":"h-1","createdTimestamp":20,"historyType":"NEW","message":"a"}]
          """)
      ])
    let outputs = try result.get()
    #expect(outputs["next_end_timestamp"] == 19)
    #expect(outputs["has_more"] == true)
    let (_, empty) = try await AferoWorld.script("list-activity", #"{"account_id": "a", "limit": 2}"#, [.json(200, "[]")])
    #expect(try empty.get()["next_end_timestamp"] == nil)
    #expect(try empty.get()["has_more"] == false)
  }

  @Test("gives no page behind one that reaches back to 1970 or to nowhere", arguments: [Int64.min, -1, 0])
  func firstPage(oldest: Int64) async throws {
    let (_, result) = try await AferoWorld.script(
      "list-activity", #"{"account_id": "a", "limit": 1}"#,
      [.json(200, #"[{"historyId":"h","createdTimestamp":\#(oldest),"historyType":"NEW","message":"a"}]"#)])
    let outputs = try result.get()
    #expect(outputs["activities"]?.listValue?.count == 1)
    #expect(outputs["next_end_timestamp"] == nil)
    #expect(outputs["has_more"] == false)
  }

  @Test("covers every step that is one request")
  func all() throws {
    let system = try #require(StepCatalogue.standard.system("afero"))
    let sessions: Set = ["sign-in", "refresh-token", "sign-out"]
    let steps = Set(system.steps.map { String($0.about.name.dropFirst("afero/".count)) }).subtracting(sessions)
    #expect(Set(AferoRequests.sent.map(\.step)) == steps)
  }

  @Test("tells when access begins apart from when it ends")
  func access() async throws {
    let user = """
      {"userId":"u","credential":{"credentialId":"a@b.c"},"accountAccess":[{"account":{"accountId":"acc-1"},
       "privileges":{"owner":true},"startAccessTimestamp":1,"endAccessTimestamp":2}]}
      """
    let (_, result) = try await AferoWorld.script("get-account-info", "{}", [.json(200, user)])
    let access = try result.get()["account_access"]?.listValue?.first
    #expect(access?["start_access_timestamp"] == 1)
    #expect(access?["end_access_timestamp"] == 2)
  }

  @Test("tells whether every request of a batch went out")
  func batches() async throws {
    let with = #"{"account_id": "a", "device_id": "d", "requests": []}"#
    let (_, good) = try await AferoWorld.script("send-requests", with, [.json(200, #"[{"status":"SUCCESS"},{"status":"SUCCESS"}]"#)])
    #expect(try good.get()["all_succeeded"] == true)
    let (_, bad) = try await AferoWorld.script("send-requests", with, [.json(200, #"[{"status":"SUCCESS"},{"status":"FAILURE"}]"#)])
    #expect(try bad.get()["all_succeeded"] == false)
  }

  @Test("hides what is secret in an ordinary answer from the moment it is decoded")
  func secrets() async throws {
    let person = """
      {"userId":"u","credential":{"credentialId":"a@b.c"},"accountAccess":[],"partnerAccess":[{"privileges":{"owner":true},
       "partner":{"partnerId":"p","name":"Maker","clientId":"cid","clientSecret":"live-secret","createdTimestamp":1}}]}
      """
    let (_, info) = try await AferoWorld.script("get-account-info", "{}", [.json(200, person)])
    let outputs = Value.map(try info.get())
    #expect(!outputs.redacted.json().contains("live-secret"))
    let partner = outputs["partner_access"]?.listValue?.first?["partner"]
    #expect(partner?["client_secret"] == Value.string("live-secret").hidden())
    let (_, conclave) = try await AferoWorld.script(
      "get-conclave-access", #"{"account_id": "a"}"#, [.json(200, #"{"conclaveHosts":[],"tokens":[{"token":"cv-secret"}]}"#)])
    #expect(!Value.map(try conclave.get()).redacted.json().contains("cv-secret"))
  }

  @Test("is refused where an answer is not of the documented shape, in the names of flows")
  func shape() async throws {
    let (_, result) = try await AferoWorld.script("get-device", #"{"account_id": "a", "device_id": "d"}"#, [.json(200, #"{"deviceId":7}"#)])
    guard case .failure(let failure) = result else {
      Issue.record("a number was taken for a text")
      return
    }
    #expect(failure.code == "decode")
    #expect(failure.detail.contains("device_id"))
    #expect(failure.answer?.body == ["deviceId": 7])
  }
}
