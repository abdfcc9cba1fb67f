import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("The description of Ostelco's API")
struct OstelcoDescriptionTests {
  @Test("answers each described operation's example with a described status")
  func described() async throws {
    let api = try #require(OstelcoSandbox().api)
    let world = try await StepWorld.mei(#""purchases": [{"sku": "1GB_15SGD", "id": "ch_1Dq"}], "scans": [{"id": "326aceb6"}]"#)
    for operation in api.operations {
      var path = operation.path
      for parameter in operation.parameters where parameter.place == .path {
        path = path.replacing("{\(parameter.name)}", with: PercentEncoding.component(parameter.example?.scalarText ?? ""))
      }
      let query = operation.parameters.filter { $0.place == .query }.map {
        "\($0.name)=\(PercentEncoding.component($0.example?.scalarText ?? ""))"
      }
      if !query.isEmpty { path += "?\(query.joined(separator: "&"))" }
      let isForm = operation.body?.mediaType == "application/x-www-form-urlencoded"
      let form = operation.body?.example?.mapValue?.map { (name: $0.key.text, value: $0.value.scalarText ?? "") } ?? []
      let reply = try await world.ask(
        operation.method, path, json: isForm ? nil : operation.body?.example?.json(), form: isForm ? PercentEncoding.form(form) : nil,
        token: operation.security == "adminToken" ? "desk" : nil)
      #expect(operation.answers.map(\.status).contains(reply.status), "\(operation.id): \(reply.text)")
      let bad = try await world.ask(operation.method, path, token: "nonsense")
      if operation.security == "userToken" { #expect(bad.status == 401, "\(operation.id)") }
    }
    #expect(Set(api.operations.map { "\($0.method) \($0.path)" }).count == api.operations.count)
    #expect(OstelcoSandbox().routes.count == api.operations.count)
  }

  @Test(
    "redirects to the addresses that it describes, and to no others",
    arguments: [
      ("sg.redotter.dev.selfcare://ostelco.eu.auth0.com/ios/sg.redotter.dev.selfcare/callback", true), ("app:/cb?from=here", true),
      ("https://app.test/cb#part", false), ("callback", false), ("1app://cb", false), ("app:", false), ("app://a b", false),
      ("app://\u{e9}", false),
    ])
  func redirects(address: String, isTaken: Bool) async throws {
    let login = try #require(OstelcoSandbox().api?.operations.first { $0.id == "login" })
    let described = try #require(login.parameters.first { $0.name == "redirect_uri" })
    let schema = FieldConstraint.conforms(try SchemaShape(described.schema))
    #expect(schema.violations(in: .string(address), at: []).isEmpty == isTaken)
    let query = login.parameters.map { parameter in
      "\(parameter.name)=\(PercentEncoding.component(parameter.name == "redirect_uri" ? address : parameter.example?.scalarText ?? ""))"
    }
    #expect(try await StepWorld.mei().ask(.get, "/authorize?\(query.joined(separator: "&"))").status == (isTaken ? 302 : 400))
  }

  @Test("takes a token request as JSON and as a form, as it describes")
  func tokenRequests() async throws {
    let api = try #require(OstelcoSandbox().api).openAPI(server: "/")
    let content = api["paths"]?["/oauth/token"]?["post"]?["requestBody"]?["content"]?.mapValue
    #expect(content?.map(\.key.text) == ["application/json", "application/x-www-form-urlencoded"])
    let world = try await StepWorld.mei()
    let refresh = try #require(await world.userToken()?.refreshToken)
    let json = #"{"grant_type": "refresh_token", "client_id": "app-1", "refresh_token": "\#(refresh)"}"#
    #expect(try await world.ask(.post, "/oauth/token", json: json).status == 200)
    let form = PercentEncoding.form([("grant_type", "refresh_token"), ("client_id", "app-1"), ("refresh_token", refresh)])
    #expect(try await world.ask(.post, "/oauth/token", form: form).status == 200)
  }
}
