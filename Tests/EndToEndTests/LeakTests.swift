import FoundationEssentials
import Glibc
import Synchronization
import TestKit
import Testing

/// Every place that may hold a secret, against a server that says back whatever it was sent: nothing that a run leaves
/// behind holds any spelling of it.
@Suite(.timeLimit(.minutes(5))) struct LeakTests {
  private let workspace: Workspace
  /// Answers `/key` with a secret that nobody knew before, `/token` with tokens, and anything else with what it was sent.
  private let server: RawServer

  /// What was given, and what is made of it: the second half stands nowhere as it was given.
  private static let given = "cn\"ry\\0815<&>/+é %41tail-4711"
  private static let derived = "%41tail-4711"
  private static let issued = "issued-cnry-2718"

  init() throws {
    workspace = try Workspace()
    server = try RawServer.answering { request in
      if request.line.contains(" /key ") { return answer("200 OK", #"{"key": "\#(Self.issued)"}"#) }
      if request.line.contains(" /token ") {
        return answer("200 OK", #"{"access_token": "\#(Self.issued)", "token_type": "Bearer", "expires_in": "3600"}"#)
      }
      // A cookie of no connection's.
      if request.line.contains(" /login ") {
        return answer().replacing("\r\n\r\n", with: "\r\nSet-Cookie: sid=\(Self.issued); Path=/\r\n\r\n")
      }
      let said = request.lines + [String(decoding: request.body, as: UTF8.self)]
      let body = (try? String(decoding: JSONEncoder().encode(["said": said, "twice": said]), as: UTF8.self)) ?? ""
      return answer("500 Oops", body)
    }
  }

  // MARK: - what is searched

  /// Every text that would betray a secret.
  private static func forms(of secret: String) -> Set<String> {
    let bytes = Array(secret.utf8)
    var forms: Set = [secret, Data(bytes).base64EncodedString()]
    for shift in 0..<3 {
      let digits = Array(Data(Array(repeating: 0, count: shift) + bytes).base64EncodedString())
      forms.insert(String(digits[((8 * shift + 5) / 6)..<(8 * (shift + bytes.count) / 6)]))
    }
    for base64 in forms where base64 != secret { forms.insert(base64.replacing("+", with: "-").replacing("/", with: "_")) }
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let percent = zip(bytes, hex).map { unreserved.contains($0) ? String(UnicodeScalar($0)) : "%\($1.uppercased())" }.joined()
    forms.formUnion([percent, percent.replacing("%20", with: "+"), hex.joined(), hex.joined().uppercased()])
    let json = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    forms.formUnion([json, json.replacing("/", with: "\\/"), json.replacing("é", with: "\\u00e9")])
    let xml = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    forms.formUnion([xml, xml.replacing("\"", with: "&quot;"), xml.replacing("\"", with: "&#34;")])
    return forms
  }

  /// Runs a flow in every way of reporting, and looks through all that it leaves behind.
  @discardableResult
  private func expectNoLeak(
    of secrets: [String], _ flow: String, files: [String: String] = [:], arguments: [String] = [], environment: [String: String] = [:],
    code: Int32 = 3, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Ended {
    try workspace.write("a.flow.yaml", flow)
    for (name, text) in files { try workspace.write(name, text) }
    var last: Ended?
    for options in [["-v"], ["-v", "--json"]] {
      let reports = ["--report", "json=report.json", "--report", "junit=report.xml"]
      let variables = ["BATON_SECRET_K": Self.given, "BATON_STATE_DIR": "\(workspace.path)/state"].merging(environment) { $1 }
      let run = try await workspace.baton(["run", "a.flow.yaml"] + arguments + options + reports, environment: variables)
      #expect(run.code == code, "\(run)", sourceLocation: sourceLocation)
      var texts = ["the output": run.stdout, "the error stream": run.stderr]
      if code != 2 { for name in ["report.json", "report.xml"] { texts[name] = try workspace.read(name) } }
      for secret in secrets {
        for form in Self.forms(of: secret) {
          for (name, text) in texts where text.contains(form) {
            Issue.record("\(name) of \(options) shows `\(form)`", sourceLocation: sourceLocation)
          }
        }
      }
      last = run
    }
    return try #require(last)
  }

  private func sent(_ text: String) -> Bool {
    server.received.contains { $0.lines.contains { $0.contains(text) } || String(decoding: $0.body, as: UTF8.self).contains(text) }
  }

  // MARK: - what a request carries

  static let places = [
    "json: { v: VALUE }", "json: { deep: [{ v: VALUE }] }", "form: { v: VALUE }", "headers: { x-key: VALUE }", "body: VALUE",
    "multipart: { v: VALUE, w: { value: VALUE, type: text/plain } }", "bearer: VALUE", "basic: { username: u, password: VALUE }",
    "headers: { authorization: VALUE }", "query: { v: { value: VALUE, secret_in_url: it knows no other way } }",
  ]

  /// A part of a secret is none that anybody was told of.
  @Test(arguments: places)
  func aPartOfASecret(_ place: String) async throws {
    let value = #""${{ secrets.k.substring(secrets.k.size() - 9) }}""#
    try await expectNoLeak(
      of: ["tail-4711", Self.given],
      """
      secrets: [k]
      steps:
        - post: \(server.origin)/echo
          with: { \(place.replacing("VALUE", with: value)) }

      """)
    #expect(sent("tail-4711") || place.hasPrefix("basic"))
  }

  /// What an answer gave out, marked by the flow.
  @Test(arguments: places)
  func aSecretOutput(_ place: String) async throws {
    try await expectNoLeak(
      of: [Self.issued],
      """
      steps:
        - id: a
          get: \(server.origin)/key
          outputs: { k: { value: "${{ string(response.body.key) }}", secret: true } }
        - post: \(server.origin)/echo
          with: { \(place.replacing("VALUE", with: #""${{ steps.a.outputs.k }}""#)) }

      """)
    #expect(sent(Self.issued) || place.hasPrefix("basic"))
  }

  @Test(arguments: [
    "bearer: VALUE", "basic: { username: u, password: VALUE }", "headers: { x-key: VALUE }", "cookies: { sid: VALUE }",
  ])
  func aSettingOfAConnection(_ setting: String) async throws {
    let flow = """
      secrets: [k]
      connections:
        api:
          system: http
          base_url: \(server.origin)
          \(setting)
      steps:
        - post: /echo

      """
    let value = #""${{ secrets.k.substring(secrets.k.size() - 9) }}""#
    try await expectNoLeak(of: ["tail-4711"], flow.replacing("VALUE", with: value))
    // One that is written into the flow is no better.
    if !setting.hasPrefix("headers") { try await expectNoLeak(of: ["tail-4711"], flow.replacing("VALUE", with: "tail-4711")) }
  }

  @Test func theCredentialsOfASystem() async throws {
    let part = #""${{ secrets.k.substring(secrets.k.size() - 9) }}""#
    for (id, secret, password) in [(part, part, part), ("an-id", "tail-4711", "tail-4711")] {
      try await expectNoLeak(
        of: ["tail-4711"],
        """
        secrets: [k]
        connections:
          rapidsos: { base_url: "\(server.origin)", client_id: \(id), client_secret: \(secret), username: ada, password: \(password) }
        steps:
          - uses: rapidsos/fetch-profile

        """)
    }
    #expect(sent("tail-4711"))
  }

  @Test func cookies() async throws {
    let flow = """
      connections: { api: { system: http, base_url: "\(server.origin)", cookies: KEPT } }
      steps:
        - id: login
          get: /login
        - get: /echo
          with: { headers: { x-seen: "${{ steps.login.response.headers['set-cookie'] }}" } }

      """
    for kept in ["true", "false"] { try await expectNoLeak(of: [Self.issued], flow.replacing("KEPT", with: kept)) }
    #expect(sent("Cookie: sid=\(Self.issued)"))
  }

  @Test func tokens() async throws {
    try await expectNoLeak(
      of: [Self.issued, "tail-4711"],
      """
      secrets: [k]
      steps:
        - id: t
          uses: oauth/token
          with:
            token_url: \(server.origin)/token
            grant: client_credentials
            client_id: an-id
            client_secret: "${{ secrets.k.substring(secrets.k.size() - 9) }}"
        - post: \(server.origin)/echo
          with: { json: { token: "${{ steps.t.outputs.access_token }}" } }

      """)
    #expect(sent(#""token":"\#(Self.issued)"#))
  }

  // MARK: - where values come from

  @Test func aSecretInput() async throws {
    try await expectNoLeak(
      of: [Self.given, "in-an-object", "in-a-list", "48151623"],
      """
      inputs:
        k: { type: string, secret: true }
        o: { type: object, properties: { a: { type: string }, l: { type: array, items: { type: string } }, n: { type: integer } }, secret: true }
      steps:
        - post: \(server.origin)/echo
          with: { json: { k: "${{ inputs.k }}", o: "${{ inputs.o }}" } }

      """,
      files: ["inputs.json": #"{"k": "cn\"ry\\0815<&>/+é %41tail-4711", "o": {"a": "in-an-object", "l": ["in-a-list"], "n": 48151623}}"#],
      arguments: ["--inputs", "inputs.json"])
  }

  @Test func aSecretInputThatDoesNotFit() async throws {
    try await expectNoLeak(
      of: [Self.given, "not-a-number", "not-a-phone", "not-of-the-choice"],
      """
      inputs:
        k: { type: string, minLength: 300, pattern: "^a", secret: true }
        n: { type: integer, secret: true }
        p: { type: string, format: phone, secret: true }
        o: { type: object, properties: { a: { type: string, enum: [x] } }, secret: true }
      steps:
        - post: \(server.origin)/echo

      """,
      files: [
        "inputs.json":
          #"{"k": "cn\"ry\\0815<&>/+é %41tail-4711", "n": "not-a-number", "p": "not-a-phone", "o": {"a": "not-of-the-choice"}}"#
      ], arguments: ["--inputs", "inputs.json"], code: 2)
    #expect(server.connections == 0)
  }

  /// Other users can read a command line.
  @Test func aSecretInputOnTheCommandLine() async throws {
    try await expectNoLeak(
      of: ["tail-4711"], "inputs: { k: { type: string, secret: true } }\nsteps:\n  - post: \(server.origin)/echo\n",
      arguments: ["--input", "k=tail-4711"], code: 2)
    #expect(server.connections == 0)
  }

  @Test func whatACalleeIsGiven() async throws {
    try await expectNoLeak(
      of: [Self.given, "tail-4711"],
      """
      secrets: [k]
      steps:
        - call: b.flow.yaml
          secrets: { z: k }
          with: { i: "${{ secrets.k.substring(secrets.k.size() - 9) }}" }

      """,
      files: [
        "b.flow.yaml": """
        inputs: { i: { type: string, secret: true } }
        secrets: [z]
        connections: { api: { system: http, base_url: "\(server.origin)", headers: { x-i: "${{ inputs.i }}" } } }
        steps:
          - post: /echo
            with: { json: { z: "${{ secrets.z }}", i: "${{ inputs.i }}" } }

        """
      ])
  }

  @Test func anAnswer() async throws {
    try await expectNoLeak(
      of: [Self.issued],
      """
      steps:
        - id: p
          uses: prompt
          with: { text: The PIN, secret: true }
        - post: \(server.origin)/echo
          with: { json: { p: "${{ steps.p.outputs.value }}" } }

      """, environment: ["BATON_ANSWER_P": Self.issued])
  }

  @Test func aSecretFileInALoop() async throws {
    try await expectNoLeak(
      of: ["cell-of-ada", "cell-of-alan"],
      """
      steps:
        - id: rows
          uses: read-file
          with: { path: users.csv, as: csv, secret: true }
        - for_each: { in: steps.rows.outputs.value, as: row, max_items: 5, on_item_error: finish }
          steps:
            - post: \(server.origin)/echo
              with: { json: { p: "${{ row.password }}" } }

      """, files: ["users.csv": "name,password\nada,cell-of-ada\nalan,cell-of-alan\n"])
    #expect(sent("cell-of-alan"))
  }

  @Test func anUndo() async throws {
    try await expectNoLeak(
      of: ["tail-4711"],
      """
      secrets: [k]
      steps:
        - id: a
          get: \(server.origin)/key
          undo:
            - post: \(server.origin)/echo
              with: { json: { v: "${{ secrets.k.substring(secrets.k.size() - 9) }}" } }
        - fail: { code: user.stop, message: stop }

      """, code: 1)
    #expect(sent("tail-4711"))
  }

  // MARK: - programs

  @Test func aProgramThatTellsAll() async throws {
    let part = "${{ secrets.k.substring(secrets.k.size() - 9) }}"
    try await expectNoLeak(
      of: ["tail-4711", Self.given],
      """
      secrets: [k]
      steps:
        - uses: exec
          with: { run: [sh, -c, "cat >&2; echo >&2; echo \\"$V\\" >&2; exit 3"], input: "\(part)", env: { V: "\(part)" } }

      """, arguments: ["--allow-exec"], code: 1)
  }

  @Test func whatAProgramSays() async throws {
    try await expectNoLeak(
      of: ["said-by-a-program", "and-in-json"],
      """
      steps:
        - id: x
          uses: exec
          with: { run: [sh, -c, "echo '{\\"k\\": \\"and-in-json\\"}'; echo said-by-a-program >&2"], secret: true }
        - post: \(server.origin)/echo
          with: { json: { a: "${{ steps.x.outputs.stderr }}", b: "${{ steps.x.outputs.stdout }}" } }

      """, arguments: ["--allow-exec"])
    #expect(sent("and-in-json"))
  }

  /// Neither the command line of the program, nor that of a child, nor what a child inherits.
  @Test func whatOtherProcessesSee() async throws {
    try workspace.write(
      "look",
      "#!/bin/sh\ntr '\\0' '\\n' < /proc/$PPID/cmdline > parent.txt\ntr '\\0' ' ' < /proc/$$/cmdline > own.txt\nenv > env.txt\nls -l /proc/$$/fd > fds.txt\n",
      mode: 0o755)
    try await expectNoLeak(
      of: [Self.given],
      """
      secrets: [k]
      connections: { api: { system: http, base_url: "\(server.origin)", bearer: "${{ secrets.k.substring(secrets.k.size() - 9) }}" } }
      steps:
        - get: /key
        - uses: exec
          with: { run: [./look], env: { OWN: mine } }

      """, arguments: ["--allow-exec"], environment: ["LD_TEST": "x", "HTTP_SECRET": "y"], code: 0)
    for name in ["parent.txt", "own.txt", "env.txt"] { #expect(!(try workspace.read(name)).contains("tail-4711")) }
    let variables = Set(try workspace.read("env.txt").split(separator: "\n").compactMap { $0.split(separator: "=").first })
    // A shell adds the last three.
    #expect(variables.isSubset(of: ["OWN", "PATH", "PWD", "SHLVL", "_", "OLDPWD"]))
    #expect(variables.contains("OWN"))
    // Pipes to it, and what the shell opens itself: no connection, no file of the run.
    let lines = try workspace.read("fds.txt").split(separator: "\n")
    let descriptors = lines.compactMap { line in line.firstRange(of: "-> ").map { line[$0.upperBound...] } }
    #expect(descriptors.count >= 3)
    for target in descriptors {
      #expect(target.hasPrefix("pipe:") || target.hasSuffix("/look") || target.hasSuffix("/fds.txt"), "\(target)")
    }
  }

  /// A core dump would hold every secret of the run.
  @Test func noCoreDump() async throws {
    try workspace.write("limits", "#!/bin/sh\ncat /proc/$PPID/limits > limits.txt\n", mode: 0o755)
    try await expectNoLeak(
      of: [], "steps:\n  - uses: exec\n    with: { run: [./limits] }\n", arguments: ["--allow-exec"], code: 0)
    let line = try workspace.read("limits.txt").split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    #expect(line?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
  }

  // MARK: - findings

  @Test(arguments: ["human", "concise", "json", "github"])
  func whatCheckSays(_ format: String) async throws {
    try workspace.write(
      "a.flow.yaml",
      """
      secrets: [k]
      connections: { api: { system: http, base_url: "\(server.origin)", bearer: "${{ secrets.k }}", rate: often } }
      steps:
        - post: /x/${{ secrets.k }}
        - uses: log
          with: { message: "${{ secrets.k }}" }

      """)
    let run = try await workspace.baton("check", "a.flow.yaml", "--format", format, environment: ["BATON_SECRET_K": Self.given])
    #expect(run.code == 2)
    #expect(run.everything.contains("secret-exposed"))
    for form in Self.forms(of: Self.given) { #expect(!run.everything.contains(form)) }
  }
}
