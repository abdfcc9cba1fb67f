import Diagnostics
import FlowSyntax
import FrontEnds
import SourceText
import Testing

@Suite struct ProjectTests {
  @Test func theProjectOfTheReference() throws {
    let project = try read(
      """
      baton: 1
      environments:
        staging:
          connections: { rapidsos: { base_url: https://api-staging.rapidsos.com, system: rapidsos } }
          inputs: { email: qa@example.test }
          secrets: { client_secret: { env: RAPIDSOS_SECRET }, password: { command: [pass, show, rapidsos/qa] }, key: { file: key.txt } }
          hosts: [api-staging.rapidsos.com, "*.example.com:8443", localhost, "127.0.0.1:8080", "[::1]:80"]
          answers: { pin: { command: [./read-sms, --to, qa] }, code: "123456" }
        production: { extends: staging, live: true, exec: false, hosts: [] }
      """)
    #expect(project.environments.map(\.name.value) == ["staging", "production"])
    let staging = try #require(project.environments.first)
    #expect(staging.connections.map(\.alias.value) == ["rapidsos"])
    #expect(staging.connections.first?.system?.value == "rapidsos")
    #expect(staging.connections.first?.settings.map(\.key.value) == ["base_url"])
    #expect(staging.inputs.map(\.key.value) == ["email"])
    #expect(
      staging.secrets.map { "\($0.name.value) \(label($0.source))" } == [
        "client_secret env RAPIDSOS_SECRET", "password command pass show rapidsos/qa", "key file key.txt",
      ])
    #expect(staging.hosts?.count == 5)
    #expect(staging.answers.map { "\($0.name.value) \(label($0.source))" } == ["pin command ./read-sms --to qa", "code literal 123456"])
    #expect(staging.isLive == nil && staging.mayExec == nil && staging.extends == nil)
    let production = try #require(project.environments.last)
    #expect(production.extends?.value == "staging")
    #expect(production.isLive?.value == true)
    #expect(production.mayExec?.value == false)
    #expect(production.hosts?.isEmpty == true)
  }

  private func read(_ text: String) throws -> ProjectDocument {
    let (project, diagnostics) = NativeFrontEnd.project(from: SourceFile(path: "baton.yaml", text: text))
    #expect(described(diagnostics) == [])
    return try #require(project)
  }

  private func label(_ source: ValueSourceSyntax) -> String {
    switch source {
    case .variable(let name): "env \(name.value)"
    case .file(let path): "file \(path.value)"
    case .command(let words, _): "command \(words.map(\.value).joined(separator: " "))"
    case .literal(let text): "literal \(text.value)"
    }
  }
}

@Suite struct DataTests {
  @Test(arguments: [
    "type: object\nrequired: [id]\n", #"{"type": "object", "required": ["id"]}"#,
    "{\n\t\"type\": \"object\",\n\t\"required\": [\"id\"]\n}\n",
  ])
  func aSchemaIsYAMLOrJSON(_ text: String) throws {
    let (data, diagnostics) = NativeFrontEnd.data(from: SourceFile(path: "s", text: text))
    #expect(described(diagnostics) == [])
    guard case .map(let entries, _) = data else { return #expect(Bool(false)) }
    #expect(entries.map(\.key.value) == ["type", "required"])
  }

  @Test func wrongYAMLIsNoData() {
    let (data, diagnostics) = NativeFrontEnd.data(from: SourceFile(path: "s", text: "a: 1\na: 2\n"))
    #expect(data == nil)
    #expect(diagnostics.map(\.kind) == [.duplicateKey])
  }
}
