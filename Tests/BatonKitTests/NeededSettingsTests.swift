import Diagnostics
import FoundationEssentials
import TestKit
import Testing

@testable import BatonKit

@Suite("Settings: what a step needs and its connection lacks is told before anything is sent, with every other mistake")
struct NeededSettingsTests {
  /// The findings of a flow in a folder of its own, as `baton check` tells them.
  private func check(_ flow: String, project: String? = nil, environment: String? = nil, others: [String: String] = [:]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder.appending(path: ".git"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in others { try Data(text.utf8).write(to: folder.appending(path: name)) }
    if let project {
      let file = folder.appending(path: "baton.yaml")
      try Data(project.utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    }
    let path = folder.appending(path: "case.flow.yaml").path
    try Data(flow.utf8).write(to: URL(filePath: path))
    let place = Project(of: path)
    let named = try environment.map { name throws(Findings) in try RunEnvironment.load(name, of: place) }
    let file = FlowFile.load(path)
    let found = file.diagnostics + SettingsCheck(project: place, environment: named).findings(in: file)
    let text = HumanRenderer(style: .init(limit: 100)).render(found.sortedByPlace())
    return found.isEmpty ? "no findings\n" : text.replacing(folder.path + "/", with: "")
  }

  private func transcript(_ cases: KeyValuePairs<String, String>) throws -> String {
    try cases.map { title, flow in "## \(title)\n\n\(try check(flow))" }.joined(separator: "\n\n")
  }

  private func flow(_ connection: String, _ steps: String) -> String {
    "secrets: [id, key]\nconnections:\n  \(connection)\nsteps:\n\(steps)\n"
  }

  private let signIn = "  - uses: sami/authorize\n"
  private let sami = "sami: { client_id: \"${{ secrets.id }}\", base_url: https://api.sami.test"
  private let refund =
    "  - uses: ostelco/refund-purchase\n    with: { email: mei@example.test, purchase_id: ch_1, reason: duplicate }\n"
  private let plain = "api: { system: http, base_url: https://api.example.test"

  @Test func whatLacks() throws {
    try expectGolden(
      transcript([
        "the host of the accounts, and the address of the redirect": flow("\(sami) }", signIn),
        "the tenant": flow(
          "ostelco: { client_id: \"${{ secrets.id }}\", base_url: https://api.ostelco.test }", "  - uses: ostelco/login"),
        "the token of support": flow("ostelco: { client_id: \"${{ secrets.id }}\" }", refund),
        "an empty one": flow("ostelco: { client_id: \"${{ secrets.id }}\", admin_token: \"\" }", refund),
        "the support API in the middle of a flow": flow(
          "oya: { base_url: https://api.oya.test }",
          "  - id: g\n    group:\n      - id: find\n        uses: oya/support-find-profile\n        with: { query: mei }"),
        "the key of the webhooks": flow(
          "oya: {}", "  - uses: oya/scan-callback\n    with: { merchant_id_scan_reference: \"1\" }"),
        "the media host": flow(
          "rapidsos: { client_id: \"${{ secrets.id }}\", client_secret: \"${{ secrets.key }}\", base_url: https://api.rapidsos.test }",
          "  - uses: rapidsos/get-upload-url"),
        "what the application's token needs": flow(
          "\(sami), accounts_url: https://accounts.sami.test }",
          "  - uses: sami/get-device-type\n    with: { id: dt-7, as: app }\n  - uses: sami/get-app-token"),
        "oauth": flow(
          "\(plain) }",
          "  - uses: oauth/sign-out\n    connection: api\n  - uses: oauth/token\n    connection: api\n    with: { grant: refresh_token, refresh_token: \"${{ secrets.key }}\", token_url: /token, keep: true }"
        ),
        "a connection": flow(
          "\(plain), oauth: { token_url: /token, client_id: app } }",
          "  - uses: oauth/sign-out\n  - uses: oauth/revoke\n    with: { token: \"${{ secrets.key }}\", client_id: app }"),
      ]), "needed-settings.txt")
  }

  @Test func nothingLacks() throws {
    let fine = [
      // The sandbox has all of the hosts.
      flow("sami: { client_id: \"${{ secrets.id }}\", redirect_uri: https://app.test/back }", signIn),
      flow("\(sami), accounts_url: https://accounts.sami.test }", "\(signIn)    with: { redirect_uri: https://app.test/back }"),
      flow("ostelco: { client_id: \"${{ secrets.id }}\", admin_token: \"${{ secrets.key }}\" }", refund),
      flow("ostelco: borrowed", refund),
      flow("\(sami) }", "  - uses: sami/get-device-type\n    with: { id: dt-7, as: user }\n    if: \"false\"").replacing(
        "    if: \"false\"", with: ""
      ).replacing("sami: {", with: "sami: { redirect_uri: https://app.test/back, ").replacing(
        "  - uses: sami/get",
        with: "  - uses: sami/parse-redirect\n    with: { url: \"https://app.test/back#access_token=a\" }\n  - uses: sami/get"),
      flow(
        "\(plain), oauth: { token_url: /token, client_id: \"${{ secrets.id }}\", revocation_url: /revoke } }",
        "  - uses: oauth/revoke\n    connection: api\n    with: { token: \"${{ secrets.key }}\" }\n  - uses: oauth/sign-out\n    connection: api"
      ),
      flow(
        "\(plain) }",
        "  - uses: oauth/token\n    connection: api\n    with: { grant: refresh_token, refresh_token: \"${{ secrets.key }}\", token_url: /token, client_id: app }"
      ),
    ]
    for flow in fine { #expect(try check(flow) == "no findings\n", "\(flow)") }
  }

  @Test func anEnvironmentMayGiveIt() throws {
    let lacking = flow("ostelco: { client_id: \"${{ secrets.id }}\" }", refund)
    let project = """
      baton: 1
      environments:
        staging: { connections: { ostelco: { admin_token: adm-1 } } }
        bare: {}

      """
    #expect(try check(lacking, project: project) == "no findings\n", "which one is not known yet")
    #expect(try check(lacking, project: project, environment: "staging") == "no findings\n")
    let bare = try check(lacking, project: project, environment: "bare")
    #expect(bare.contains("error[missing-key]: `ostelco/refund-purchase` needs `admin_token`"))
    #expect(bare.contains("in the flow or in the environment `bare`"))
  }

  @Test func everyMistakeOfAConnectionComesWithTheOthers() throws {
    try expectGolden(
      transcript([
        "two kinds of credentials": flow(
          "\(plain), bearer: \"${{ secrets.key }}\", oauth: { token_url: /token, client_id: app } }", "  - get: /a"),
        "beside an unknown name": flow(
          """
          client: { system: http, base_url: https://api.example.test, oauth: { token_url: /token, client_id: app, grant: client_credentials } }
            person: { system: http, base_url: https://api.example.test, oauth: { token_url: /token, client_id: app, grant: password, username: ada, password: "${{ secrets.key }}" } }
            kept: { system: http, base_url: https://api.example.test, token_store: true }
            renewed: { system: http, base_url: https://api.example.test, oauth: { token_url: token, client_id: app, grant: refresh_token } }
          """, "  - get: /a\n    connection: kept\n    with: { query: { q: \"${{ inputs.name }}\" } }"),
        "what is wrong in a setting is said once": flow("\(plain), rate: often }", "  - get: /a/${{ inputs.id }}"),
        "an unknown name in a setting is no further mistake": flow(
          "\(plain), oauth: { token_url: /token, client_id: app, grant: client_credentials, client_secret: \"${{ secrets.kye }}\" } }",
          "  - get: /a"),
      ]), "connection-mistakes.txt")
  }

  @Test func aCalledFlowIsCheckedAlthoughItIsWrong() throws {
    let inner = flow("\(plain), token_store: true }", "  - get: /a/${{ inputs.id }}")
    let text = try check("steps:\n  - call: inner.flow.yaml\n", others: ["inner.flow.yaml": inner])
    #expect(text.contains("error[unknown-name]"))
    #expect(text.contains("`token_store` is for connections with tokens"))
  }

  @Test func whatOnlyTheRunTellsIsNoMistake() throws {
    let flow = """
      inputs: { host: string, ca: string }
      secrets: [key]
      connections:
        api:
          system: http
          base_url: https://${{ inputs.host }}.example.test
          tls: { ca: "${{ inputs.ca }}" }
          oauth: { token_url: "https://${{ inputs.host }}.example.test/token", client_id: "${{ secrets.key }}", grant: client_credentials, client_secret: "${{ secrets.key }}" }
      steps:
        - get: /a

      """
    #expect(try check(flow) == "no findings\n")
  }
}
