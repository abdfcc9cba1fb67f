import StepKit
import Steps
import Testing
import Values

/// One call as SAMI's documentation prints it.
struct SAMIPayload: Sendable, CustomTestStringConvertible {
  let step: String
  let with: String
  let request: String
  let answer: String
  let outputs: String

  var testDescription: String { step }

  init(_ step: String, _ with: String, _ request: String, _ answer: String, _ outputs: String) {
    self.step = step
    self.with = with
    self.request = request
    self.answer = answer
    self.outputs = outputs
  }
}

@Suite("SAMI's example payloads")
struct SAMIPayloadTests {
  @Test("are sent and read as they are printed", arguments: all)
  func payload(_ payload: SAMIPayload) async throws {
    let script = try await SAMIScript([.json(200, payload.answer)])
    let outputs = try await script.run(payload.step, payload.with)
    #expect(
      script.asked == [
        payload.request.replacing("GET /", with: "GET https://api.test/v1.1/").replacing(
          "POST /", with: "POST https://api.test/v1.1/"
        ).replacing("PUT /", with: "PUT https://api.test/v1.1/").replacing(
          "DELETE /", with: "DELETE https://api.test/v1.1/")
      ])
    #expect(try Value.map(outputs).fullyExposed == JSON.parse(payload.outputs))
  }

  private static let message = """
    {"mid":"m-9001","sdid":"d-31","sdtid":"dt-7","uid":"u-12","mv":2,"ts":1732150800000,"cts":1732150800120,"data":{"numberOfSteps":5120,"floorsAscended":4,"floorsDescended":3,"distance":3710.5}}
    """
  private static let device = """
    "uid":"u-12","dtid":"dt-7","name":"a1b2c3d4e5f60718293a4b5c6d7e8f90"
    """
  private static let statistics = #""count":4,"min":120,"max":5120,"mean":2210.5,"sum":8842.0,"variance":3310021"#

  static let all: [SAMIPayload] = [
    SAMIPayload(
      "get-self", "{}", "GET /users/self",
      #"{"data":{"id":"u-12","name":"tstep","email":"tstep@example.test","fullName":"Tess Step","createdOn":1403042304000,"modifiedOn":1403042305000}}"#,
      #"{"id":"u-12","name":"tstep","email":"tstep@example.test","full_name":"Tess Step","created_on":1403042304000,"modified_on":1403042305000}"#
    ),
    SAMIPayload(
      "list-user-devices", #"{"uid":"u-12","count":100,"offset":0,"include_properties":true}"#,
      "GET /users/u-12/devices?count=100&offset=0&includeProperties=true",
      #"{"data":{"devices":[{"id":"d-31","dtid":"dt-7","name":"a1b2c3d4e5f60718293a4b5c6d7e8f90","manifestVersion":2,"manifestVersionPolicy":"LATEST","needProviderAuth":false}]},"total":1,"offset":0,"count":1}"#,
      #"{"devices":[{"id":"d-31","dtid":"dt-7","name":"a1b2c3d4e5f60718293a4b5c6d7e8f90","manifest_version":2,"manifest_version_policy":"LATEST","need_provider_auth":false}],"total":1,"offset":0,"count":1}"#
    ),
    SAMIPayload(
      "find-device-types", #"{"name":"iPhone Pedometer","count":1}"#, "GET /devicetypes?name=iPhone%20Pedometer&count=1",
      #"{"data":{"deviceTypes":[{"id":"dt-7","uid":"u-1","name":"iPhone Pedometer","published":true,"approved":true,"latestVersion":2,"uniqueName":"io.samsungsami.example.iPhonePedometer","vid":"0","rsp":false,"issuerDn":null,"description":null}]},"total":1,"offset":0,"count":1}"#,
      #"{"device_types":[{"id":"dt-7","uid":"u-1","name":"iPhone Pedometer","published":true,"approved":true,"latest_version":2,"unique_name":"io.samsungsami.example.iPhonePedometer","vid":"0","rsp":false}],"total":1,"offset":0,"count":1}"#
    ),
    SAMIPayload(
      "create-device", "{\(device)}", "POST /devices {\(device)}",
      "{\"data\":{\"id\":\"d-31\",\(device),\"manifestVersion\":2,\"manifestVersionPolicy\":\"LATEST\",\"needProviderAuth\":false}}",
      "{\"id\":\"d-31\",\(device),\"manifest_version\":2,\"manifest_version_policy\":\"LATEST\",\"need_provider_auth\":false}"),
    SAMIPayload(
      "create-device", "{\(device),\"manifest_version\":5,\"manifest_version_policy\":\"DEVICE\"}",
      "POST /devices {\(device),\"manifestVersion\":5,\"manifestVersionPolicy\":\"DEVICE\"}",
      "{\"data\":{\"id\":\"d-31\",\(device),\"manifestVersion\":5,\"manifestVersionPolicy\":\"DEVICE\",\"needProviderAuth\":false}}",
      "{\"id\":\"d-31\",\(device),\"manifest_version\":5,\"manifest_version_policy\":\"DEVICE\",\"need_provider_auth\":false}"),
    SAMIPayload(
      "post-message",
      #"{"sdid":"d-31","ts":1732150800000,"data":{"numberOfSteps":5120,"floorsAscended":4,"floorsDescended":3,"distance":3710.5}}"#,
      #"POST /messages {"sdid":"d-31","type":"message","ts":1732150800000,"data":{"numberOfSteps":5120,"floorsAscended":4,"floorsDescended":3,"distance":3710.5}}"#,
      #"{"data":{"mid":"m-9001"}}"#, #"{"mid":"m-9001"}"#),
    SAMIPayload(
      "post-message", #"{"sdid":"d-31","data":"on"}"#, #"POST /messages {"sdid":"d-31","type":"message","data":"on"}"#,
      #"{"data":{"mid":"m-9001"}}"#, #"{"mid":"m-9001"}"#),
    SAMIPayload(
      "send-action", #"{"ddid":"d-40","actions":[{"name":"setOn"}]}"#,
      #"POST /messages {"ddid":"d-40","type":"action","data":{"actions":[{"name":"setOn","parameters":{}}]}}"#,
      #"{"data":{"mid":"m-9002"}}"#, #"{"mid":"m-9002"}"#),
    SAMIPayload(
      "get-last-messages", #"{"sdids":["d-31","d-32"],"count":1}"#, "GET /messages/last?sdids=d-31%2Cd-32&count=1",
      #"{"sdids":"d-31","count":1,"size":1,"data":[\#(message)]}"#, #"{"sdids":"d-31","count":1,"size":1,"messages":[\#(message)]}"#),
    SAMIPayload(
      "get-messages",
      #"{"sdid":"d-31","start_date":1732100000000,"end_date":1732150900000,"count":100,"order":"asc","offset":"eyJvIjoxMDB9"}"#,
      "GET /messages?sdid=d-31&startDate=1732100000000&endDate=1732150900000&order=asc&count=100&offset=eyJvIjoxMDB9",
      #"{"uid":"u-12","sdid":"d-31","startDate":1732100000000,"endDate":1732150900000,"count":100,"order":"asc","size":100,"next":"eyJvIjoxMDB9","data":[]}"#,
      #"{"uid":"u-12","sdid":"d-31","start_date":1732100000000,"end_date":1732150900000,"count":100,"order":"asc","size":100,"next":"eyJvIjoxMDB9","messages":[]}"#
    ),
    SAMIPayload(
      "create-device-token", #"{"id":"d-31"}"#, "PUT /devices/d-31/tokens", #"{"data":{"accessToken":"dtk-77","uid":"u-12","did":"d-31"}}"#,
      #"{"access_token":"dtk-77","uid":"u-12","did":"d-31"}"#),
    SAMIPayload(
      "create-subscription",
      #"{"message_type":"message","uid":"u-12","description":"all devices","callback_url":"https://hooks.example.test/sami?u=12"}"#,
      #"POST /subscriptions {"messageType":"message","uid":"u-12","description":"all devices","callbackUrl":"https://hooks.example.test/sami?u=12"}"#,
      #"{"data":{"id":"s-1","aid":"app-1","messageType":"message","uid":"u-12","description":"all devices","callbackUrl":"https://h.test","status":"ACTIVE","createdOn":1435191843948,"modifiedOn":1439489593485}}"#,
      #"{"id":"s-1","aid":"app-1","message_type":"message","uid":"u-12","description":"all devices","callback_url":"https://h.test","status":"ACTIVE","created_on":1435191843948,"modified_on":1439489593485}"#
    ),
    SAMIPayload(
      "create-export", #"{"uids":["u-12"],"start_date":1731900000000,"end_date":1732150800000,"trial_id":"t-1"}"#,
      #"POST /messages/export {"uids":"u-12","startDate":1731900000000,"endDate":1732150800000,"trialID":"t-1"}"#,
      #"{"data":{"exportId":"e-5","uids":"u-12","startDate":1731900000000,"endDate":1732150800000,"order":"asc","format":"json"}}"#,
      #"{"export_id":"e-5","uids":"u-12","start_date":1731900000000,"end_date":1732150800000,"order":"asc","format":"json"}"#),
    SAMIPayload(
      "get-export-status", #"{"export_id":"e-5"}"#, "GET /messages/export/e-5/status",
      #"{"exportId":"e-5","status":"Success","md5":"f73f0a2a69d0f2ca3f986f8b31f60b00","expirationDate":1732240000000,"fileSize":189,"totalMessages":1}"#,
      #"{"export_id":"e-5","status":"Success","md5":"f73f0a2a69d0f2ca3f986f8b31f60b00","expiration_date":1732240000000,"file_size":189,"total_messages":1}"#
    ),
    SAMIPayload(
      "list-exports", "{}", "GET /messages/export/history",
      #"{"count":1,"offset":0,"total":1,"data":{"exports":[{"exportId":"e-5","request":{"requestDate":1426280834731},"status":"Success","totalMessages":0}]}}"#,
      #"{"exports":[{"export_id":"e-5","status":"Success","total_messages":0,"request":{"requestDate":1426280834731}}],"total":1,"offset":0,"count":1}"#
    ),
    SAMIPayload(
      "create-rule",
      #"{"name":"steps","rule":{"if":{"and":[{"sdid":"d-31","field":"numberOfSteps","operator":">=","operand":{"value":10000}}]},"then":[{"ddid":"d-40","action":"setOn","parameters":{}}]},"enabled":true}"#,
      #"POST /rules {"name":"steps","rule":{"if":{"and":[{"sdid":"d-31","field":"numberOfSteps","operator":">=","operand":{"value":10000}}]},"then":[{"ddid":"d-40","action":"setOn","parameters":{}}]},"enabled":true}"#,
      #"{"data":{"id":"r-1","name":"steps","rule":{"if":{}},"enabled":true,"languageVersion":1}}"#,
      #"{"id":"r-1","name":"steps","rule":{"if":{}},"enabled":true,"language_version":1}"#),
    SAMIPayload(
      "set-user-properties", #"{"uid":"u-12","aid":"app-1","properties":"{\"goal\":10000}"}"#,
      #"POST /users/u-12/properties {"uid":"u-12","aid":"app-1","properties":"{\"goal\":10000}"}"#,
      #"{"data":{"uid":"u-12","aid":"app-1","properties":"{\"goal\":10000}"}}"#,
      #"{"uid":"u-12","aid":"app-1","properties":"{\"goal\":10000}"}"#),
    SAMIPayload(
      "get-user-properties", #"{"uid":"u-12","aid":"app-1"}"#, "GET /users/u-12/properties?aid=app-1",
      #"{"data":{"uid":"u-12","aid":"app-1","properties":"custom"}}"#, #"{"uid":"u-12","aid":"app-1","properties":"custom"}"#),
    SAMIPayload(
      "get-manifest", #"{"id":"dt-7"}"#, "GET /devicetypes/dt-7/manifests/latest/properties",
      #"{"data":{"properties":{"fields":{"numberOfSteps":{"type":"Integer","unit":"SI.ONE","isCollection":false,"description":"steps"}}},"actions":{}}}"#,
      #"{"properties":{"fields":{"numberOfSteps":{"type":"Integer","unit":"SI.ONE","is_collection":false,"description":"steps"}}},"actions":{}}"#
    ),
    SAMIPayload(
      "get-manifest-versions", #"{"id":"dt-7"}"#, "GET /devicetypes/dt-7/availablemanifestversions", #"{"data":{"versions":[1,2]}}"#,
      #"{"versions":[1,2]}"#),
    SAMIPayload(
      "get-presence",
      #"{"sdid":"d-31","field_presence":"numberOfSteps","interval":"hour","start_date":1732104000000,"end_date":1732150800000}"#,
      "GET /messages/presence?sdid=d-31&fieldPresence=numberOfSteps&interval=hour&startDate=1732104000000&endDate=1732150800000",
      #"{"sdid":"d-31","fieldPresence":"numberOfSteps","interval":"HOUR","startDate":1732104000000,"endDate":1732150800000,"size":1,"data":[{"startDate":1732147200000}]}"#,
      #"{"sdid":"d-31","field_presence":"numberOfSteps","interval":"HOUR","start_date":1732104000000,"end_date":1732150800000,"size":1,"data":[{"start_date":1732147200000}]}"#
    ),
    SAMIPayload(
      "get-aggregates", #"{"sdid":"d-31","field":"numberofsteps","start_date":1732104000000,"end_date":1732150800000}"#,
      "GET /messages/analytics/aggregates?sdid=d-31&field=numberofsteps&startDate=1732104000000&endDate=1732150800000",
      #"{"sdid":"d-31","startDate":"1732104000000","endDate":"1732150800000","field":"numberofsteps","size":1,"data":[{\#(statistics)}]}"#,
      #"{"sdid":"d-31","start_date":"1732104000000","end_date":"1732150800000","field":"numberofsteps","size":1,"data":[{"count":4,"min":120.0,"max":5120.0,"mean":2210.5,"sum":8842.0,"variance":3310021.0}]}"#
    ),
    SAMIPayload(
      "get-histogram",
      #"{"sdid":"d-31","field":"numberofsteps","interval":"day","start_date":1732060800000,"end_date":1732147200000}"#,
      "GET /messages/analytics/histogram?sdid=d-31&field=numberofsteps&interval=day&startDate=1732060800000&endDate=1732147200000",
      #"{"sdid":"d-31","startDate":"1732060800000","endDate":"1732147200000","field":"numberofsteps","interval":"day","size":1,"data":[{\#(statistics),"ts":1732060800000}]}"#,
      #"{"sdid":"d-31","start_date":"1732060800000","end_date":"1732147200000","field":"numberofsteps","interval":"day","size":1,"data":[{"count":4,"min":120.0,"max":5120.0,"mean":2210.5,"sum":8842.0,"variance":3310021.0,"ts":1732060800000}]}"#
    ),
    SAMIPayload(
      "list-rules", #"{"count":100}"#, "GET /rules?count=100",
      #"{"total":119,"offset":0,"count":100,"data":[{"id":"r-1","name":"steps","rule":{"if":{}},"enabled":true}]}"#,
      #"{"rules":[{"id":"r-1","name":"steps","rule":{"if":{}},"enabled":true}],"total":119,"offset":0,"count":100}"#),
    SAMIPayload(
      "list-subscriptions", "{}", "GET /subscriptions",
      #"{"data":[{"id":"s-1","messageType":"message","status":"ACTIVE"}],"total":2,"offset":0,"count":1}"#,
      #"{"subscriptions":[{"id":"s-1","message_type":"message","status":"ACTIVE"}],"total":2,"offset":0,"count":1}"#),
    SAMIPayload(
      "validate-subscription", #"{"id":"s-1","aid":"app-1","nonce":"n-44"}"#,
      #"POST /subscriptions/s-1/validate {"aid":"app-1","nonce":"n-44"}"#,
      #"{"data":{"id":"s-1","messageType":"message","status":"ACTIVE"}}"#, #"{"id":"s-1","message_type":"message","status":"ACTIVE"}"#),
    SAMIPayload(
      "get-notification-messages", #"{"id":"n-1"}"#, "GET /notifications/n-1/messages",
      #"{"order":"asc","total":1,"offset":0,"count":1,"data":[\#(message)]}"#,
      #"{"order":"asc","total":1,"offset":0,"count":1,"messages":[\#(message)]}"#),
    SAMIPayload(
      "get-rule-executions", #"{"id":"r-1"}"#, "GET /rules/r-1/executions", #"{"data":{"countApply":3,"lastApply":1732150800000}}"#,
      #"{"count_apply":3,"last_apply":1732150800000}"#),
    SAMIPayload(
      "can-test-rule", #"{"id":"r-1"}"#, "GET /rules/r-1/actions", #"{"data":{"testable":true}}"#, #"{"testable":true}"#),
  ]
}
