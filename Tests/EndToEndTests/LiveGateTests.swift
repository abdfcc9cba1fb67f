import FoundationEssentials
import Glibc
import TestKit
import Testing

/// No way but the one that is meant leads to an emergency response of somebody real.
///
/// The hosts are names that nobody has (`.invalid`). The proxy of the process is a server of the test: whatever would
/// leave for one of them comes to it, and is counted.
@Suite(.timeLimit(.minutes(10))) struct LiveGateTests {
  private let seat: Seat
  private let workspace: Workspace
  /// Whatever would have left the machine.
  private let outside: RawServer
  /// An allowed host on loopback, which leads on to the route where it is asked.
  private let inside: RawServer

  init() async throws {
    seat = await Seat.take()
    workspace = try Workspace()
    outside = try RawServer.answering { _ in answer("502 Bad Gateway") }
    inside = try RawServer.answering { request in
      let code = request.path.split(separator: "/").last.map(String.init) ?? ""
      if code == "500" { return answer("500 Oops") }
      guard code.hasPrefix("30") else { return request.path.contains("/oauth/token") ? tokenAnswer : TestText.fine }
      return answer("\(code) Elsewhere").replacing(
        "\r\n\r\n", with: "\r\nLocation: https://api.baton-test.invalid/v1/rem/trigger\r\n\r\n")
    }
    try workspace.write(
      "baton.yaml",
      """
      environments:
        live:
          live: true
          connections: { rapidsos: { base_url: "https://api.baton-test.invalid" } }
          hosts: [api.baton-test.invalid, "*.baton-test.invalid", "127.0.0.1:\(inside.port)"]
        unnamed: { extends: live, hosts: [other.baton-test.invalid] }
        practice: { extends: live, live: false }
        clear: { extends: live, connections: { rapidsos: { base_url: "http://api.baton-test.invalid" } } }

      """)
  }

  private var proxy: [String: String] {
    var variables: [String: String] = [:]
    for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] { variables[name] = outside.origin }
    return variables
  }

  private func baton(_ arguments: [String], environment: [String: String] = [:]) async throws -> Ended {
    try await workspace.seated(arguments, environment: proxy.merging(environment) { $1 })
  }

  private func expectRefused(
    _ run: Ended, _ text: String? = nil, codes: [Int32] = [2], _ name: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(codes.contains(run.code), "\(name): \(run)", sourceLocation: sourceLocation)
    if let text { #expect(run.everything.contains(text), "\(name): \(run)", sourceLocation: sourceLocation) }
    #expect(outside.connections == 0, "\(name): \(run)", sourceLocation: sourceLocation)
    #expect(!inside.received.contains { $0.path.contains("trigger") }, "\(name)", sourceLocation: sourceLocation)
  }

  // MARK: - flows

  private static let connections =
    "connections: { rapidsos: { base_url: \"https://api.baton-test.invalid\", client_id: an-id, client_secret: a-secret-of-the-test } }\n"

  /// The step, so far in as its place wants it.
  private static func step(_ indent: Int, key: String = "incident-1", connection: String? = nil) -> String {
    let lines =
      [
        "- id: fire", "  uses: rapidsos/trigger-call-flow", "  dedupe_key: \(key)", "  unverifiable: nobody can tell",
      ] + (connection.map { ["  connection: \($0)"] } ?? []) + [
        "  with:", "    call_flow: kronos_contacts", "    variables:",
        "      location: { latitude: 42.6526, longitude: -73.7562, uncertainty: 12 }",
        "      user: { full_name: Dana Reyes, phone_number: (234) 567-8888 }", "      company: Baton",
      ]
    return lines.map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
  }

  private static let plain = connections + "steps:\n" + step(2)
  private static let allowed = ["--env", "live", "--live", "--confirm", "incident-1"]

  // MARK: - the one way

  /// Without this, nothing below would show anything.
  @Test func whatIsMeantLeaves() async throws {
    try workspace.write("a.flow.yaml", Self.plain)
    let run = try await baton(["run", "a.flow.yaml"] + Self.allowed)
    #expect(outside.connections > 0, "\(run)")
    #expect(outside.received.allSatisfy { $0.line.hasPrefix("CONNECT api.baton-test.invalid:443 ") })
    #expect(run.code == 3, "\(run)")
    #expect(try await baton(["runs", "--unresolved"]).code == 0, "nothing of it was sent")
  }

  // MARK: - conditions

  @Test(arguments: [
    (["--live", "--confirm", "incident-1"], "needs an environment, and none is named"),
    ([], "needs an environment, and none is named"), (["--env", "live"], "`--live` is not given"),
    (["--env", "live", "--confirm", "incident-1"], "`--live` is not given"),
    (["--env", "live", "--live"], "nobody can confirm the key"),
    (["--env", "live", "--live", "--confirm", "incident-2"], "`--confirm` does not name it"),
    (["--env", "live", "--live", "--confirm", "incident"], "`--confirm` does not name it"),
    (["--env", "live", "--live", "--confirm", "incident-1 "], "`--confirm` does not name it"),
    (["--env", "live", "--live", "--confirm", "INCIDENT-1"], "`--confirm` does not name it"),
    (["--env", "live", "--live", "--confirm", ""], "confirm"),
    (["--env", "live", "--live", "--confirm", "*"], "`--confirm` does not name it"),
    (["--env", "practice", "--live", "--confirm", "incident-1"], "does not say it"),
    (["--env", "unnamed", "--live", "--confirm", "incident-1"], "host-not-allowed"),
    (["--env", "clear", "--live", "--confirm", "incident-1"], "would go out in the clear"),
    (["--env", "missing", "--live", "--confirm", "incident-1"], "missing"),
  ])
  func aConditionThatDoesNotHold(_ options: [String], _ text: String) async throws {
    try workspace.write("a.flow.yaml", Self.plain)
    expectRefused(try await baton(["run", "a.flow.yaml"] + options), text)
    // A plan is judged as a live run where `--live` is given.
    guard options.contains("--live") else { return }
    expectRefused(try await baton(["plan", "a.flow.yaml"] + options), text, "plan")
  }

  @Test func aKeyOfAnotherSpelling() async throws {
    try workspace.write("a.flow.yaml", Self.connections + "steps:\n" + Self.step(2, key: "caf\u{e9}"))
    expectRefused(
      try await baton(["run", "a.flow.yaml", "--env", "live", "--live", "--confirm", "cafe\u{301}"]), "`--confirm` does not name it")
  }

  @Test(arguments: ["''", "\"${{ '' }}\"", "\"${{ inputs.k }}\""])
  func aKeyThatIsEmpty(_ key: String) async throws {
    try workspace.write(
      "a.flow.yaml", "inputs: { k: { type: string, default: '' } }\n" + Self.connections + "steps:\n" + Self.step(2, key: key))
    expectRefused(try await baton(["run", "a.flow.yaml"] + Self.allowed))
  }

  @Test func aReasonIsNeeded() async throws {
    try workspace.write("a.flow.yaml", Self.plain.replacing("    unverifiable: nobody can tell\n", with: ""))
    expectRefused(try await baton(["run", "a.flow.yaml"] + Self.allowed), "nobody could find out what became of `fire`")
  }

  @Test(arguments: ["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "LD_BIND_NOW", "SSLKEYLOGFILE"])
  func aVariable(_ name: String) async throws {
    try workspace.write("a.flow.yaml", Self.plain)
    let value = name == "LD_LIBRARY_PATH" ? "/nowhere" : name == "SSLKEYLOGFILE" ? "keys.log" : ""
    let run = try await baton(["run", "a.flow.yaml"] + Self.allowed, environment: [name: value])
    expectRefused(run, "`\(name)` is set")
    #expect(!workspace.exists("keys.log"))
  }

  @Test(
    .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "there is no tmpfs"),
    arguments: ["BATON_STATE_DIR", "BATON_TRIGGER_DIR"])
  func recordsThatForget(_ variable: String) async throws {
    try workspace.write("a.flow.yaml", Self.plain)
    let folder = "/dev/shm/baton-end-to-end-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let run = try await baton(["run", "a.flow.yaml"] + Self.allowed, environment: [variable: folder])
    expectRefused(run, "tmpfs")
    #expect(run.stderr.contains(variable), "\(run)")
    // Nor through a link.
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    unsafe chmod(folder, 0o700)
    unsafe symlink(folder, "\(workspace.path)/link")
    expectRefused(try await baton(["run", "a.flow.yaml"] + Self.allowed, environment: [variable: "\(workspace.path)/link"]))
  }

  @Test(arguments: [mode_t(0o666), 0o662, 0o777])
  func anEnvironmentThatOthersCanWrite(_ mode: mode_t) async throws {
    try workspace.write("a.flow.yaml", Self.plain)
    unsafe chmod("\(workspace.path)/baton.yaml", mode)
    expectRefused(try await baton(["run", "a.flow.yaml"] + Self.allowed), "baton.yaml")
  }

  // MARK: - places

  private static let places: [(String, String)] = [
    ("a group", "steps:\n  - group:\n" + step(6)), ("a loop", "steps:\n  - for_each: { in: \"[1]\", as: i }\n    steps:\n" + step(6)),
    ("a repetition", "steps:\n  - repeat: { max: 1 }\n    steps:\n" + step(6)),
    ("a branch of its own", "steps:\n  - parallel:\n      branches:\n        a:\n" + step(10)),
    (
      "a case",
      "inputs: { b: { type: boolean, default: true } }\nsteps:\n  - switch:\n      - if: inputs.b\n        steps:\n" + step(10)
        + "      - else: []\n"
    ),
    (
      "the other case",
      "inputs: { b: { type: boolean, default: false } }\nsteps:\n  - switch:\n      - if: inputs.b\n        steps: []\n      - else:\n"
        + step(10)
    ),
    ("an undo", "steps:\n  - get: INSIDE/x\n    undo:\n" + step(6) + "  - fail: { code: user.stop, message: stop }\n"),
    ("an undo that always runs", "steps:\n  - get: INSIDE/x\n    undo:\n      always: true\n      steps:\n" + step(8)),
    ("the end", "steps:\n  - get: INSIDE/x\nfinally:\n" + step(2)),
    ("a branch of an error", "steps:\n  - get: INSIDE/x\n    on_error:\n      - when: http.404\n        do:\n" + step(10)),
    (
      "a condition",
      "inputs: { b: { type: boolean, default: true } }\nsteps:\n"
        + step(2).replacing("  - id: fire\n", with: "  - id: fire\n    if: inputs.b\n")
    ),
    ("a called flow", "steps:\n  - call: callee.flow.yaml\n"),
    ("a called flow with a lent session", "steps:\n  - call: borrower.flow.yaml\n    connections: { rapidsos: rapidsos }\n"),
    ("a flow that a called one calls", "steps:\n  - call: caller.flow.yaml\n"),
  ]

  /// Whether or not it would be reached, and before anything else is sent.
  @Test(arguments: places)
  func whereverTheStepStands(_ place: String, _ steps: String) async throws {
    try workspace.write("a.flow.yaml", Self.connections + steps.replacing("INSIDE", with: inside.origin))
    try workspace.write("callee.flow.yaml", Self.plain)
    try workspace.write("caller.flow.yaml", "steps:\n  - call: callee.flow.yaml\n")
    try workspace.write("borrower.flow.yaml", "connections: { rapidsos: borrowed }\nsteps:\n" + Self.step(2))
    let without = try await baton(["run", "a.flow.yaml", "--env", "live", "--confirm", "incident-1"])
    expectRefused(without, "`--live` is not given", place)
    let other = try await baton(["run", "a.flow.yaml", "--env", "live", "--live", "--confirm", "other"])
    expectRefused(other, "`--confirm` does not name it", place)
    #expect(inside.connections == 0)
  }

  // MARK: - addresses

  private static let addresses: [(String, String)] = [
    ("a user named as loopback", "https://127.0.0.1@api.baton-test.invalid"),
    ("a name below localhost", "https://localhost.baton-test.invalid"),
    ("a name like an address", "https://127.0.0.1.baton-test.invalid"), ("the port of the test", "https://api.baton-test.invalid:1"),
    ("an input", "https://${{ inputs.h }}"), ("a part of an input", "https://${{ inputs.h }}/x"),
    ("an address of documentation", "https://192.0.2.1"), ("every address", "https://0.0.0.0:1"), ("of IPv6", "https://[2001:db8::1]"),
    ("loopback in upper case, with more", "https://LOCALHOST.BATON-TEST.INVALID"),
    ("a backslash", "https://127.0.0.1\\\\.baton-test.invalid"),
  ]

  /// Without an environment the flow's own host is allowed, and yet nobody real is called.
  @Test(arguments: addresses)
  func anAddressOfTheFlow(_ name: String, _ url: String) async throws {
    let connection = "connections: { rapidsos: { base_url: \"\(url)\", client_id: an-id, client_secret: a-secret-of-the-test } }\n"
    let inputs = "inputs: { h: { type: string, default: api.baton-test.invalid } }\n"
    try workspace.write("a.flow.yaml", (url.contains("inputs.") ? inputs : "") + connection + "steps:\n" + Self.step(2))
    for options in [["--live", "--confirm", "incident-1"], ["--env", "practice", "--live", "--confirm", "incident-1"]] {
      expectRefused(try await baton(["run", "a.flow.yaml"] + options), nil, "\(name) \(options)")
    }
  }

  @Test func anotherAliasOfTheSystem() async throws {
    try workspace.write(
      "a.flow.yaml",
      "connections: { here: { system: rapidsos, base_url: \"https://api.baton-test.invalid\", client_id: an-id, client_secret: a-secret-of-the-test } }\nsteps:\n"
        + Self.step(2, connection: "here"))
    expectRefused(try await baton(["run", "a.flow.yaml"]), "needs an environment")
    expectRefused(try await baton(["run", "a.flow.yaml", "--env", "live"]), "`--live` is not given")
    expectRefused(try await baton(["test", "a.flow.yaml"]), nil, codes: [0, 1, 2])
  }

  // MARK: - plain requests to the route

  private static let direct = "https://api.baton-test.invalid"
  private static let route = direct + "/v1/rem/trigger"
  private static let both =
    "connections: { rapidsos: { client_id: an-id, client_secret: a-secret-of-the-test }, api: { system: http, base_url: \"\(direct)\" } }\n"

  private static let plainWays: [(String, String)] = [
    ("on the system's connection", "CONNsteps:\n  - post: /v1/rem/trigger\n    connection: rapidsos\n    with: { token: client }\n"),
    ("on another connection", "CONNsteps:\n  - post: /v1/rem/trigger\n    connection: api\n"),
    ("a whole URL", "CONNsteps:\n  - post: \(route)\n    connection: api\n"),
    ("a query", "CONNsteps:\n  - post: \(route)?x=1\n    connection: api\n"),
    ("an encoded letter", "CONNsteps:\n  - post: \(direct)/v1/rem/%74rigger\n    connection: api\n"),
    ("an encoded letter in upper case hex", "CONNsteps:\n  - post: \(direct)/v1/re%6D/trigger\n    connection: api\n"),
    ("an encoded slash", "CONNsteps:\n  - post: \(direct)/v1%2Frem/trigger\n    connection: api\n"),
    ("two slashes", "CONNsteps:\n  - post: \(direct)/v1//rem/trigger\n    connection: api\n"),
    ("a point", "CONNsteps:\n  - post: \(direct)/v1/./rem/trigger\n    connection: api\n"),
    ("two points", "CONNsteps:\n  - post: \(direct)/v1/x/../rem/trigger\n    connection: api\n"),
    ("encoded points", "CONNsteps:\n  - post: \(direct)/v1/x/%2e%2e/rem/trigger\n    connection: api\n"),
    ("a slash at the end", "CONNsteps:\n  - post: \(route)/\n    connection: api\n"),
    ("a port", "CONNsteps:\n  - post: \(direct):443/v1/rem/trigger\n    connection: api\n"),
    ("a host in upper case", "CONNsteps:\n  - post: https://API.Baton-Test.INVALID/v1/rem/trigger\n    connection: api\n"),
    ("a host with a point at its end", "CONNsteps:\n  - post: https://api.baton-test.invalid./v1/rem/trigger\n    connection: api\n"),
    ("a value of the path", "CONNsteps:\n  - post: '\(direct)/v1/rem/{p}'\n    connection: api\n    with: { path: { p: trigger } }\n"),
    (
      "a path of an input",
      "inputs: { p: { type: string, default: trigger } }\nCONNsteps:\n  - post: /v1/rem/${{ inputs.p }}\n    connection: api\n"
    ),
    (
      "a URL of an input",
      "inputs: { u: { type: string, default: '\(route)' } }\nCONNsteps:\n  - post: ${{ inputs.u }}\n    connection: api\n"
    ),
    ("a method by name", "CONNsteps:\n  - uses: http\n    connection: api\n    with: { method: POST, url: '\(route)' }\n"),
    ("a method in lower case", "CONNsteps:\n  - uses: http\n    connection: api\n    with: { method: post, url: '\(route)' }\n"),
    (
      "a method of an input",
      "inputs: { m: { type: string, default: POST } }\nCONNsteps:\n  - uses: http\n    connection: api\n    with: { method: \"${{ inputs.m }}\", url: '\(route)' }\n"
    ),
    ("no connection", "CONNsteps:\n  - post: \(route)\n"),
    ("no connection of the system at all", "steps:\n  - post: \(route)\n"),
    (
      "a token's URL",
      "CONNsteps:\n  - uses: oauth/token\n    connection: api\n    with: { token_url: '\(route)', grant: client_credentials, client_id: a, client_secret: b }\n"
    ),
    (
      "a token's path",
      "CONNsteps:\n  - uses: oauth/token\n    connection: api\n    with: { token_url: /v1/rem/trigger, grant: client_credentials, client_id: a, client_secret: b }\n"
    ),
    ("an upload", "CONNsteps:\n  - uses: rapidsos/upload-photo\n    with: { url: '\(route)', fields: FIELDS, file: photo.jpeg }\n"),
    (
      "an undo",
      "CONNsteps:\n  - get: INSIDE/x\n    connection: api\n    undo:\n      - post: \(route)\n        connection: api\n  - fail: { code: user.stop, message: stop }\n"
    ),
    ("the end", "CONNsteps:\n  - set: { a: 1 }\nfinally:\n  - post: \(route)\n    connection: api\n"),
    ("a called flow", "CONNsteps:\n  - call: callee.flow.yaml\n"),
    (
      "a look-up",
      "CONNsteps:\n  - id: a\n    post: INSIDE/500\n    effect: once\n    connection: api\n    reconcile:\n      steps: [ { id: l, post: '\(route)', connection: api } ]\n      delivered: steps.l.response.status == 200\n"
    ),
  ]

  /// Even where all that a real emergency needs is given: the route belongs to its step.
  @Test(arguments: plainWays)
  func aPlainRequest(_ name: String, _ flow: String) async throws {
    let fields = "{ key: a, aws_access_key_id: a, x_amz_security_token: a, policy: a, signature: a }"
    let text = flow.replacing("CONN", with: Self.both).replacing("INSIDE", with: inside.origin).replacing("FIELDS", with: fields)
    try workspace.write("a.flow.yaml", text)
    try workspace.write("photo.jpeg", [0xff, 0xd8, 0xff, 0xd9])
    try workspace.write(
      "callee.flow.yaml", "connections: { api: { system: http, base_url: '\(Self.direct)' } }\nsteps:\n  - post: /v1/rem/trigger\n")
    let run = try await baton(["run", "a.flow.yaml"] + Self.allowed)
    expectRefused(run, "emergency", codes: name == "an undo" ? [1] : [2, 3, 4], name)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func aRedirectToTheRoute(_ code: Int) async throws {
    try workspace.write(
      "a.flow.yaml",
      "connections: { rapidsos: { client_id: an-id, client_secret: a-secret-of-the-test }, api: { system: http, base_url: '\(inside.origin)', follow: true } }\nsteps:\n  - post: /\(code)\n    connection: api\n    with: { json: { a: 1 } }\n"
    )
    let run = try await baton(["run", "a.flow.yaml"] + Self.allowed)
    // A redirect that turns into a GET is another request, and asks nobody for help.
    guard code >= 307 else { return #expect(!outside.received.contains { $0.line.hasPrefix("POST") }) }
    expectRefused(run, nil, codes: [2, 3])
    #expect(inside.count(of: "POST") == 1)
  }

  /// In a test, plain requests go to their hosts.
  @Test func aTestOfAPlainRequest() async throws {
    try workspace.write(
      "a.flow.yaml",
      Self.both.replacing("rapidsos: {", with: "rapidsos: { base_url: \"\(Self.direct)\",")
        + "steps:\n  - post: \(Self.route)\n    connection: api\n")
    try workspace.write(
      "a.scenarios.yaml", "baton: 1\nscenarios: a\nflow: a.flow.yaml\ncases:\n  - name: one\n    expect: { verdict: passed }\n")
    expectRefused(try await baton(["test", "a.scenarios.yaml"]), nil, codes: [1, 2])
    expectRefused(try await baton(["test", "a.flow.yaml"]), nil, codes: [1, 2])
    expectRefused(try await baton(["run", "a.flow.yaml", "--sandbox"]), nil, codes: [1, 2, 3])
  }

  // MARK: - going on

  /// What `run` asked for `resume` asks for again.
  @Test func resumingNeedsTheSame() async throws {
    try workspace.write("a.flow.yaml", Self.plain)
    let run = try await baton(["run", "a.flow.yaml"] + Self.allowed)
    #expect(run.code == 3, "\(run)")
    let before = outside.connections
    let list = try JSONValue(try await baton(["runs", "--json"]).stdout)
    let id = try #require(list["runs"]?.items.first?["run"]?.text)
    let cases: [([String], String)] = [
      ([], "`--live` is not given"), (["--live"], "nobody can confirm the key"),
      (["--live", "--confirm", "other"], "`--confirm` does not name it"), (["--confirm", "incident-1"], "`--live` is not given"),
    ]
    for (options, text) in cases {
      let resumed = try await baton(["resume", id] + options)
      #expect(resumed.code == 2, "\(resumed)")
      #expect(resumed.stderr.contains(text), "\(resumed)")
    }
    let config = try workspace.read("baton.yaml")
    try workspace.write("baton.yaml", config.replacing("live: true", with: "live: false"))
    #expect(try await baton(["resume", id, "--live", "--confirm", "incident-1"]).code == 2)
    #expect(outside.connections == before)
    try workspace.write("baton.yaml", config)
    #expect(try await baton(["resume", id, "--live", "--confirm", "incident-1"]).code == 3)
    #expect(outside.connections > before)
  }
}
