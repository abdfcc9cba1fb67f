import TestKit
import Testing

/// Every mistake of a file comes at once, before anything is sent.
@Suite(.timeLimit(.minutes(5))) struct MistakesTests {
  private let workspace: Workspace
  private let server: RawServer

  init() throws {
    workspace = try Workspace()
    server = try RawServer.answering { _ in answer() }
    try workspace.write("shop.flow.yaml", Self.flow(server.origin))
  }

  private static func flow(_ origin: String) -> String {
    """
    inputs:
      amount: { type: integer, default: 10 }

    secrets: [client_id, client_secret]

    connections:
      shop:
        system: http
        base_url: \(origin)
      rapidsos:
        base_url: \(origin)
        client_id: ${{ secrets.client_id }}
        client_secret: ${{ secrets.client_secret }}

    steps:
      - id: order
        connection: shop
        post: /orders
        with:
          json: { amount: "${{ inputs.amuont }}" }
        retry:
          attempts: 3
          when: [http.500]

      - id: receipt
        connection: shop
        get: /receipts
        if: inputs.amount > 5
        outputs:
          number: ${{ response.body.number }}

      - uses: lgo
        with:
          message: thank you

      - id: alarm
        uses: rapidsos/trigger-call-flow
        with:
          call_flow: kronos_contacts
          variables:
            location: { latitude: 42.6526, longitude: -73.7562, uncertainty: 12 }
            user: { full_name: Dana Reyes, phone_number: (234) 567-8888 }

    outputs:
      receipt: ${{ steps.receipt.outputs.number }}

    """
  }

  private static let kinds = ["unknown-name", "unsafe-retry", "unknown-step", "missing-dedupe-key", "output-may-be-missing"]

  @Test func fiveAtOnceForAPerson() async throws {
    let run = try await workspace.baton("run", "shop.flow.yaml")
    #expect(run.code == 2)
    #expect(run.stdout == "")
    try expectGolden(run.stderr, "five-mistakes.txt")
    #expect(Self.kinds.allSatisfy { run.stderr.contains("error[\($0)]") })
    #expect(server.connections == 0)
  }

  @Test func runAndCheckSayTheSame() async throws {
    let run = try await workspace.baton("run", "shop.flow.yaml")
    let check = try await workspace.baton("check", "shop.flow.yaml")
    #expect(check.code == 2)
    #expect(check.everything == run.everything)
    #expect(server.connections == 0)
  }

  @Test func fiveAtOnceForAnEditor() async throws {
    let check = try await workspace.baton("check", "shop.flow.yaml", "--format", "json")
    #expect(check.code == 2)
    #expect(check.stderr == "")
    let findings = try JSONValue(check.stdout).items
    #expect(findings.map { $0["kind"]?.text } == Self.kinds)
    #expect(findings.map { $0["line"]?.int } == [20, 23, 32, 37, 45])
    let texts = Self.flow(server.origin).split(separator: "\n", omittingEmptySubsequences: false)
    let marked = findings.map { finding -> Substring? in
      guard let line = finding["line"]?.int, let start = finding["column"]?.int, let end = finding["endColumn"]?.int else { return nil }
      return texts[line - 1].dropFirst(start - 1).prefix(end - start)
    }
    #expect(marked == ["amuont", "http.500", "lgo", "rapidsos/trigger-call-flow", "steps.receipt.outputs.number"])
    for finding in findings {
      #expect(finding["file"]?.text == "shop.flow.yaml")
      #expect(finding["severity"]?.text == "error")
      #expect(finding["message"]?.text?.isEmpty == false)
      #expect(finding["help"]?.text?.isEmpty == false)
      #expect(finding["endLine"] == finding["line"])
    }
    #expect(findings.last?["related"]?.items.map { $0["line"]?.int } == [28])
    #expect(server.connections == 0)
  }

  @Test func forAPullRequestAndForGrep() async throws {
    let github = try await workspace.baton("check", "shop.flow.yaml", "--format", "github")
    #expect(github.code == 2)
    #expect(github.stdout.split(separator: "\n").count { $0.hasPrefix("::error file=shop.flow.yaml,line=") } == 5)
    let concise = try await workspace.baton("check", "shop.flow.yaml", "--format", "concise")
    #expect(concise.code == 2)
    #expect(concise.stdout.split(separator: "\n").count { $0.hasPrefix("shop.flow.yaml:") } == 5)
  }

  /// A secret may stand in no URL, message or output that is not marked.
  @Test(arguments: [
    "steps: [{ get: '/x?token=${{ secrets.token }}' }]",
    "steps: [{ get: /x, with: { query: { token: '${{ secrets.token }}' } } }]",
    "steps: [{ get: /x }]\noutputs: { token: '${{ secrets.token }}' }",
  ])
  func aSecretInTheOpen(_ steps: String) async throws {
    let head = "secrets: [token]\nconnections: { api: { system: http, base_url: '\(server.origin)' } }\n"
    try workspace.write("open.flow.yaml", head + steps + "\n")
    let run = try await workspace.baton("run", "open.flow.yaml", environment: ["BATON_SECRET_TOKEN": "canary"])
    #expect(run.code == 2)
    #expect(run.stderr.contains("error[secret-exposed]"))
    #expect(server.connections == 0)
  }
}
