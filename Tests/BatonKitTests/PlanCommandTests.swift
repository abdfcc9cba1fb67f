import Diagnostics
import FoundationEssentials
import Glibc
import JSONSchema
import Reporters
import SourceText
import Testing
import TestKit
import Values

@testable import BatonKit

/// `baton plan`: what a run would do, and nothing of it done.
@Suite("baton plan")
struct PlanCommandTests {
  private let folder: PlanFolder

  init() throws { folder = try PlanFolder() }

  private static let everything = """
    flow: everything
    inputs:
      order: { type: string, default: a/b }
      region: { type: string, default: eu }
      tags: { type: array, items: { type: string }, maxItems: 5, default: [x, y] }
      late: string
    secrets: [token]
    connections:
      api: { system: http, base_url: "https://api.example.test/v1", bearer: "${{ secrets.token }}" }
    budget: { requests: 500, time: 2h }
    steps:
      - id: found
        get: /orders/${{ inputs.order }}
        with: { query: { page: 1, q: "${{ inputs.late }}" } }
        retry: { attempts: 3 }
        outputs: { total: "${{ int(response.body.total) }}" }
        undo:
          - delete: /orders/{id}
            with: { path: { id: "${{ inputs.order }}" } }
        on_error:
          - when: http.404
            then: continue
            outputs: { total: 0 }
      - id: by_region
        switch:
          - if: inputs.region == 'eu'
            steps:
              - put: /eu
          - else:
              - id: other_region
                wait: 1s
      - id: both
        parallel:
          branches:
            left:
              - wait: 2s
            right:
              - id: ask
                uses: prompt
                with: { text: "how many of ${{ inputs.order }}" }
      - id: each
        for_each: { in: "${{ inputs.tags }}", as: tag, concurrency: 2 }
        steps:
          - post: /tags
            with: { json: { tag: "${{ tag }}" } }
            idempotency_key: "${{ inputs.order }}-${{ tag }}"
      - id: pages
        repeat: { max: 3, until: loop.index > 1, carry: {} }
        steps:
          - get: https://other.example.test/p
            poll: { every: 5s, timeout: 1m, until: response.status == 200 }
      - id: gone
        if: steps.found.outputs.total > 10
        end: passed
      - id: sub
        call: sub.flow.yaml
        with: { name: "${{ inputs.order }}" }
        connections: { http: api }
    finally:
      - delete: /session
        attempt_timeout: 5s

    """

  private static let sub = """
    inputs: { name: string }
    connections: { http: borrowed }
    steps:
      - get: /names/${{ inputs.name }}

    """

  @Test("shows every part of a flow as far as it is known")
  func everything() async throws {
    try folder.write("sub.flow.yaml", Self.sub)
    try folder.write("a.flow.yaml", Self.everything)
    let planned = try await folder.plan()
    #expect(planned.outline.isSound)
    try expectGolden(planned.text, "plan-everything.txt")
  }

  @Test("prints JSON that its schema describes")
  func json() async throws {
    try folder.write("sub.flow.yaml", Self.sub)
    try folder.write("a.flow.yaml", Self.everything)
    let schema = try Schema.compile(PlanSchema().value)
    let planned = try await folder.plan()
    #expect(schema.validate(planned.json).map { "\($0.instancePath): \($0.message)" } == [])
    try expectGolden(planned.json.json(indent: 2) + "\n", "plan-everything.json")
    let broken = OutlineJSON.value(file: "a.flow.yaml", findings: [Diagnostic(.unknownKey, "unknown key `a`", at: nil)])
    #expect(schema.validate(broken).map(\.message) == [])
    #expect(broken["sound"] == false)
    #expect(schema.validate(["file": "a", "sound": 1, "findings": []]).count == 1)
  }

  @Test("opens no connection, and writes nothing")
  func silent() async throws {
    let server = try RawServer.answering { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
    try folder.write(
      "a.flow.yaml",
      """
      state: { cursor: { type: string, default: "" } }
      connections:
        api: { system: http, base_url: "\(server.origin)", cookies: true }
        rapidsos: { client_id: a, client_secret: the-secret, base_url: "\(server.origin)", username: dana.reyes, password: secret-word }
      steps:
        - get: /a
          with: { headers: { a: b } }
          connection: api
        - uses: rapidsos/fetch-profile
        - set: { state.cursor: b }
        - get: http://localhost:\(server.port)/b
      finally:
        - post: /c
          connection: api

      """)
    let before = try folder.names()
    let planned = try await folder.plan(isLive: true)
    #expect(planned.outline.isSound)
    #expect(planned.text.contains("127.0.0.1:\(server.port)  allowed, this machine, for api, rapidsos\n"))
    #expect(server.connections == 0)
    #expect(try folder.names() == before)
  }

  @Test("says what is not known yet, and does not mind")
  func missing() async throws {
    try folder.write(
      "a.flow.yaml",
      """
      inputs: { phone: { type: string, format: phone, region: US }, other: { type: string, default: "5" } }
      secrets: [client_id, client_secret]
      connections: { rapidsos: { client_id: "${{ secrets.client_id }}", client_secret: "${{ secrets.client_secret }}" } }
      steps:
        - id: ask
          uses: prompt
          with: { text: "code for ${{ inputs.phone }}, ${{ inputs.other }}" }
        - uses: rapidsos/reset-password
          with: { email: a@example.test }

      """)
    let planned = try await folder.plan()
    #expect(planned.outline.isSound)
    #expect(planned.text.contains("    asks: code for ⟨inputs.phone⟩, 5\n") || planned.text.contains("asks: code for ⟨inputs.phone⟩, 5\n"))
    #expect(
      planned.outline.missing.map(\.message).sorted() == [
        "the connection `rapidsos` has no `base_url`", "the input `phone` is missing",
        "the prompt `ask` has nobody to ask: there is no terminal and no answer", "the secret `client_id` is missing",
        "the secret `client_secret` is missing",
      ])
    let given = try await folder.plan(inputs: ["phone=(234) 567-8888"])
    #expect(given.text.contains("asks: code for +12345678888, 5\n"))
    let plain = OutlineText(given.outline, isUTF8: false).text
    #expect(plain.utf8.contains { $0 >= 0x80 } == false)
  }

  @Test("half of a connection's credentials is no mistake while the other half is not known yet")
  func credentials() async throws {
    let flow = """
      secrets: [word]
      connections:
        rapidsos: { client_id: a, client_secret: the-secret, username: dana.reyes, WORD }
      steps:
        - uses: rapidsos/fetch-profile

      """
    try folder.write("a.flow.yaml", flow.replacing("WORD", with: "password: \"${{ secrets.word }}\""))
    let planned = try await folder.plan()
    #expect(planned.outline.findings.map(\.message) == [])
    #expect(
      planned.outline.missing.map(\.message) == ["the secret `word` is missing", "the connection `rapidsos` has no `base_url`"])
    #expect(planned.text.contains("  ⟨base_url of rapidsos⟩  not known yet, for rapidsos\n"))
  }

  @Test("an input that is wrong is refused as a run refuses it")
  func wrongInput() async throws {
    try folder.write("a.flow.yaml", "inputs: { n: { type: integer } }\nsteps: [{ wait: 1s }]\n")
    let planned = try await folder.plan(inputs: ["n=many"])
    #expect(!planned.outline.isSound)
    #expect(planned.outline.findings.map(\.message) == ["the input `n` must be an integer, not `many`"])
  }

  @Test("shows no secret, whatever it stands in, and runs no program for one")
  func secrets() async throws {
    try folder.write(
      "a.flow.yaml",
      """
      inputs: { pin: { type: string, secret: true }, user: string }
      secrets: [tenant, key]
      connections:
        api: { system: http, base_url: "https://api.example.test", headers: { x-key: "${{ secrets.key }}" } }
      steps:
        - get: /${{ inputs.user }}
          with: { query: { key: { value: "${{ secrets.key }}", secret_in_url: legacy }, tenant: { value: "${{ secrets.tenant }}", secret_in_url: legacy } } }
        - post: /pins
          with: { json: { pin: "${{ inputs.pin }}" } }
          idempotency_key: "k-${{ inputs.user }}"

      """)
    try folder.write(
      "baton.yaml",
      """
      environments:
        qa:
          hosts: [api.example.test]
          secrets: { tenant: { command: [touch, "\(folder.path)/ran"] }, key: { env: THE_KEY } }

      """)
    try folder.write("inputs.yaml", "pin: \"pin-4711-x\"\nuser: the-key-of-dana\n")
    let planned = try await folder.plan(
      inputFiles: ["\(folder.path)/inputs.yaml"], environment: "qa", variables: ["THE_KEY": "the-key-of-dana"])
    #expect(planned.outline.isSound)
    // The user's name happens to be the key: the terminal's redactor hides it.
    for text in [planned.text, planned.json.json(indent: 2)] {
      #expect(!text.contains("the-key-of-dana") && !text.contains("pin-4711-x"))
      #expect(text.contains("GET https://api.example.test/[secret]?key=[secret]&tenant=[secret]"))
    }
    #expect(planned.text.contains("  the secret `tenant` comes from `touch \(folder.path)/ran`, which a plan does not run\n"))
    #expect(planned.outline.missing.isEmpty)
    #expect(!FileAccess.exists("\(folder.path)/ran"))
  }

  @Test("a host that the environment does not allow is refused, and marked")
  func hosts() async throws {
    try folder.write(
      "a.flow.yaml",
      """
      inputs: { host: { type: string, default: "https://late.example.test" } }
      connections:
        api: { system: http, base_url: "https://api.example.test" }
        late: { system: http, base_url: "${{ inputs.host }}" }
      steps:
        - { get: /a, connection: api }
        - { get: /b, connection: late }

      """)
    try folder.write("baton.yaml", "environments: { qa: { hosts: [late.example.test] } }\n")
    let planned = try await folder.plan(environment: "qa")
    #expect(!planned.outline.isSound)
    #expect(planned.text.contains("  api.example.test   NOT ALLOWED, for api\n"))
    #expect(planned.text.contains("  late.example.test  allowed, for late\n"))
    let free = try await folder.plan()
    #expect(free.outline.isSound)
    #expect(free.outline.hosts.map(\.isAllowed) == [true, true])
  }

  @Test("no text of a flow reaches a terminal or a CI runner as a command")
  func hostile() async throws {
    try folder.write(
      "a.flow.yaml",
      #"""
      inputs: { name: { type: string, default: "a\u001B[2J\u202E##[error]\n::add-mask::x" } }
      steps:
        - uses: log
          with: { message: "hello ${{ inputs.name }}" }

      """#)
    let planned = try await folder.plan()
    for text in [planned.text, JSONText.inert(planned.json.json(indent: 2))] {
      #expect(text.contains("hello a"))
      #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
      #expect(!text.contains("##[") && !text.contains("\n::"))
    }
    #expect(try JSON.parse(JSONText.inert(planned.json.json(indent: 2))) == planned.json)
  }

  // MARK: - emergencies

  private func writeEmergency() throws {
    var live = LiveCase()
    live.key = "${{ inputs.incident }}"
    try folder.write("a.flow.yaml", live.flow)
    try folder.write("baton.yaml", "environments: { production: { live: true, hosts: [api.example.test] } }\n")
  }

  @Test("an emergency has a block of its own, with what the gate asks")
  func emergency() async throws {
    try writeEmergency()
    let planned = try await folder.plan(environment: "production", variables: ["LD_AUDIT": "a.so"])
    #expect(planned.outline.isSound)
    try expectGolden(planned.text, "plan-emergency.txt")
  }

  @Test("with `--live` it is refused where the gate would refuse it")
  func gate() async throws {
    try writeEmergency()
    let refused = try await folder.plan(environment: "production", isLive: true)
    #expect(!refused.outline.isSound)
    #expect(
      refused.outline.findings.map(\.message) == ["nobody can confirm the key: there is no terminal, and `--confirm` is not given"])
    let other = try await folder.plan(environment: "production", isLive: true, confirmed: ["incident-2"])
    #expect(other.outline.findings.map(\.message) == ["the key of `trigger` is `incident-1`, and `--confirm` does not name it"])
    let fine = try await folder.plan(environment: "production", isLive: true, confirmed: ["incident-1"])
    #expect(fine.outline.findings.map(\.message) == [])
    #expect(fine.outline.isSound)
    #expect(fine.json["emergencies"]?.listValue?.first?["gate"]?.listValue?.allSatisfy { $0["met"] == true } == true)
  }

  @Test("the guide's emergency passes the gate in the guide's environment")
  func guide() async throws {
    let page = String(decoding: try FileAccess.read(ProjectRoot.path + "docs/guides/emergencies.md"), as: UTF8.self)
    let blocks = page.split(separator: "```yaml\n").dropFirst().compactMap { $0.split(separator: "```").first.map(String.init) }
    let flow = try #require(blocks.first { $0.contains("\nsteps:") })
    try folder.write("a.flow.yaml", flow)
    try folder.write("baton.yaml", try #require(blocks.first { $0.hasPrefix("environments:") }))
    let planned = try await folder.plan(environment: "production", isLive: true, confirmed: ["incident-4711"])
    #expect(planned.outline.findings.map(\.message) == [])
    #expect(planned.outline.commands.map(\.secret) == ["client_id", "client_secret"])
    #expect(planned.outline.emergencies.map { $0.conditions.allSatisfy { $0.isMet == true } } == [true])
    let other = try await folder.plan(inputs: ["incident=other"], environment: "production", isLive: true, confirmed: ["incident-4711"])
    #expect(other.outline.findings.map(\.message) == ["the key of `trigger` is `other`, and `--confirm` does not name it"])
  }

  @Test("on loopback nothing has to be confirmed")
  func sandbox() async throws {
    var live = LiveCase(baseURL: "http://127.0.0.1:8473/rapidsos")
    live.modifiers = "attempt_timeout: 15s"
    try folder.write("a.flow.yaml", live.flow)
    let planned = try await folder.plan()
    #expect(planned.outline.isSound)
    #expect(planned.text.contains("  goes to    http://127.0.0.1:8473/rapidsos, this machine\n"))
    #expect(planned.text.contains("  the sandbox answers it: nothing has to be confirmed\n"))
  }
}

/// A folder with a flow, planned as the command does.
final class PlanFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "baton-plan-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    guard unsafe chmod("\(path)/\(name)", 0o644) == 0 else { throw POSIXFailure(code: errno) }
  }

  func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path).sorted() }

  struct Planned {
    let outline: FlowOutline
    /// What people and programs see, the folder's own path left out.
    let text: String
    let json: Value
  }

  private struct POSIXFailure: Error { let code: Int32 }

  func plan(
    inputs: [String] = [], inputFiles: [String] = [], environment: String? = nil, isLive: Bool = false, confirmed: [String] = [],
    variables: [String: String] = [:]
  ) async throws -> Planned {
    let file = FlowFile.load("\(path)/a.flow.yaml")
    let plan = try #require(file.plan, "\(file.diagnostics.map(\.message))")
    let terminal = Terminal(environment: variables)
    let records = [LiveRecords(name: "the ledger of emergencies") { nil }]
    var outline = try await FlowPlanning(
      plan: plan, givens: Givens(inputs: inputs, inputFiles: inputFiles, environment: environment), terminal: terminal, isLive: isLive,
      confirmed: confirmed, records: records, canAsk: false
    ).outline()
    outline.findings = file.diagnostics + outline.findings
    let text = terminal.redactor.redacted(OutlineText(outline).text).replacing("\(path)/a", with: "a").replacing("\(path)/sub", with: "sub")
    let json = OutlineJSON.value(outline).redacted(by: terminal.redactor).json().replacing("\(path)/a", with: "a")
      .replacing("\(path)/sub", with: "sub")
    return Planned(outline: outline, text: text, json: try JSON.parse(json))
  }
}
