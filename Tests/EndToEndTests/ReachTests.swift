import FoundationEssentials
import Glibc
import TestKit
import Testing

/// What a hostile flow cannot reach: hosts that its environment does not allow, files and programs that are not its own.
@Suite(.timeLimit(.minutes(5))) struct ReachTests {
  private let workspace: Workspace
  /// In `hosts`; leads elsewhere where it is asked to.
  private let allowed: RawServer
  /// In no list.
  private let other: RawServer

  init() throws {
    workspace = try Workspace()
    let other = try RawServer.answering { _ in tokenAnswer }
    self.other = other
    allowed = try RawServer.answering { request in
      let words = request.line.split(separator: " ").dropFirst().first?.split(separator: "/") ?? []
      switch words.first.map(String.init) {
      case "where":
        return answer(
          "200 OK", #"{"url": "\#(other.origin)/x", "at": "@127.0.0.1:\#(other.port)/", "slashes": "//127.0.0.1:\#(other.port)"}"#)
      case let code? where code.hasPrefix("30"):
        return answer("\(code) Elsewhere").replacing("\r\n\r\n", with: "\r\nLocation: \(other.origin)/moved\r\n\r\n")
      default: return answer()
      }
    }
    try workspace.write("baton.yaml", "environments:\n  qa: { hosts: [\"127.0.0.1:\(allowed.port)\"] }\n")
  }

  // MARK: - hosts

  /// `HERE` and `THERE` are `host:port` of the two servers.
  static let ways: [(String, String)] =
    [
      ("as it stands", "steps:\n  - get: http://THERE/x\n"),
      ("behind a user", "steps:\n  - get: http://HERE@THERE/x\n"),
      (
        "behind a user of an input",
        "inputs: { h: { type: string, default: 'HERE@THERE' } }\nsteps:\n  - get: \"http://${{ inputs.h }}/x\"\n"
      ),
      ("as an input", "inputs: { u: { type: string, default: 'http://THERE/x' } }\nsteps:\n  - get: ${{ inputs.u }}\n"),
      ("as an answer says", "steps:\n  - id: a\n    get: http://HERE/where\n  - get: ${{ string(steps.a.response.body.url) }}\n"),
      ("a path with an @", "CONNsteps:\n  - get: \"@THERE/x\"\n"),
      ("a path of an answer with an @", "CONNsteps:\n  - id: a\n    get: /where\n  - get: /${{ string(steps.a.response.body.at) }}\n"),
      (
        "a path of an answer with slashes",
        "CONNsteps:\n  - id: a\n    get: /where\n  - get: ${{ string(steps.a.response.body.slashes) }}\n"
      ),
      ("two slashes", "CONNsteps:\n  - get: //THERE/x\n"), ("a backslash", "CONNsteps:\n  - get: '/\\THERE/x'\n"),
      ("a port in front of a path", "connections: { api: { system: http, base_url: 'http://127.0.0.1' } }\nsteps:\n  - get: \":PORT/x\"\n"),
      ("a value of a path", "CONNsteps:\n  - get: '/{p}'\n    with: { path: { p: '//THERE/' } }\n"),
      ("a value in the host", "steps:\n  - get: 'http://{p}/x'\n    with: { path: { p: 'THERE' } }\n"),
      ("a whole URL on a connection", "CONNsteps:\n  - get: http://THERE/x\n    connection: api\n"),
      ("IPv6", "steps:\n  - get: 'http://[::1]:PORT/x'\n"), ("IPv4 in IPv6", "steps:\n  - get: 'http://[::ffff:127.0.0.1]:PORT/x'\n"),
      ("upper case", "steps:\n  - get: 'HTTP://LOCALHOST:PORT/x'\n"), ("a dot at the end", "steps:\n  - get: 'http://localhost.:PORT/x'\n"),
      ("octal", "steps:\n  - get: 'http://0177.0.0.1:PORT/x'\n"), ("one number", "steps:\n  - get: 'http://2130706433:PORT/x'\n"),
      ("short", "steps:\n  - get: 'http://127.1:PORT/x'\n"), ("two ports", "steps:\n  - get: 'http://HERE:PORT/x'\n"),
      ("a fragment", "steps:\n  - get: 'http://HERE#@THERE/x'\n"), ("a port with a sign", "steps:\n  - get: 'http://127.0.0.1:+PORT/x'\n"),
      (
        "a token URL",
        "steps:\n  - uses: oauth/token\n    with: { token_url: 'http://THERE/t', grant: client_credentials, client_id: a, client_secret: b }\n"
      ),
      (
        "a token URL with an @",
        "CONNsteps:\n  - uses: oauth/token\n    with: { token_url: '@THERE/t', grant: client_credentials, client_id: a, client_secret: b }\n"
      ),
      (
        "a system",
        "connections: { rapidsos: { base_url: 'http://THERE', client_id: a, client_secret: b, username: u, password: p } }\nsteps:\n  - uses: rapidsos/fetch-profile\n"
      ),
      ("a proxy", "steps:\n  - get: http://HERE.example.test/x\n    with: { proxy: 'http://THERE' }\n"),
      ("a proxy of SOCKS", "steps:\n  - get: http://HERE.example.test/x\n    with: { proxy: 'socks5h://THERE' }\n"),
      (
        "a proxy of a connection",
        "connections: { api: { system: http, base_url: 'http://HERE', proxy: 'http://THERE' } }\nsteps:\n  - get: /x\n"
      ),
      ("a callee's connection", "steps:\n  - call: callee.flow.yaml\n    with: { u: 'http://THERE' }\n"),
    ]
    + ["301", "302", "303", "307", "308"].map {
      (
        "a redirect with \($0)",
        "connections: { api: { system: http, base_url: 'http://HERE', bearer: token-4711, follow: true } }\nsteps:\n  - post: /\($0)\n    with: { json: { a: 1 } }\n"
      )
    }

  @Test(arguments: ways)
  func anotherHost(_ name: String, _ flow: String) async throws {
    let connection = "connections: { api: { system: http, base_url: 'http://HERE', bearer: token-4711 } }\n"
    let text = flow.replacing("CONN", with: connection).replacing("HERE.", with: "host.").replacing(
      "HERE", with: "127.0.0.1:\(allowed.port)"
    )
    .replacing("THERE", with: "127.0.0.1:\(other.port)").replacing("PORT", with: "\(other.port)")
    try workspace.write("a.flow.yaml", text)
    try workspace.write(
      "callee.flow.yaml",
      "inputs: { u: { type: string } }\nconnections: { api: { system: http, base_url: \"${{ inputs.u }}\" } }\nsteps:\n  - get: /x\n")
    let run = try await workspace.baton("run", "a.flow.yaml", "--env", "qa")
    #expect(other.connections == 0, "\(name): \(run)")
    // Some are no more than odd paths of the allowed host.
    #expect([0, 2, 3].contains(run.code))
    if run.code == 0 { #expect(allowed.connections > 0) }
  }

  // MARK: - files of `tls`

  @Test(
    "files of `tls` are those of the project",
    arguments: [
      ("../outside.pem", "it leads out of the project's folder"), ("/etc/hosts", "`baton.yaml` must name it, and no flow"),
      ("missing.pem", "there is no such file"), ("flows", "it is a folder"), ("link.pem", "links are not followed"),
      ("pipe.pem", "it is no regular file"),
    ])
  func certificates(_ path: String, _ reason: String) async throws {
    try workspace.makeFolder("project/flows")
    try workspace.write("outside.pem", "")
    try workspace.write("project/baton.yaml", "environments: {}\n")
    unsafe symlink("../outside.pem", "\(workspace.path)/project/link.pem")
    unsafe mkfifo("\(workspace.path)/project/pipe.pem", 0o600)
    let connection = "connections: { api: { system: http, base_url: '\(other.origin)', tls: { ca: \(path) } } }\nsteps:\n  - get: /x\n"
    let step = "steps:\n  - get: \(other.origin)/x\n    with: { tls: { cert: \(path) } }\n"
    for (command, flow) in [("check", connection), ("run", step)] {
      try workspace.write("project/flows/a.flow.yaml", flow)
      let run = try await workspace.baton(command, "project/flows/a.flow.yaml")
      #expect(run.code == 2)
      #expect(run.stderr.contains("error[missing-file]"))
      #expect(run.stderr.contains(reason))
    }
    #expect(other.connections == 0)
  }

  /// A flow that nobody gave an environment may name any host; it has no way to the environment's secrets.
  @Test func aFileOfASecret() async throws {
    try workspace.write("token.txt", "cnry-4711", mode: 0o600)
    try workspace.write("baton.yaml", "environments:\n  qa: { secrets: { token: { file: ./token.txt } } }\n")
    for with in ["file: token.txt", "multipart: { a: { file: a/../token.txt } }"] {
      try workspace.write("a.flow.yaml", "steps:\n  - post: \(other.origin)/x\n    with: { \(with) }\n")
      let run = try await workspace.baton("run", "a.flow.yaml")
      #expect(run.code == 3)
      #expect(run.everything.contains("it holds a secret, as `baton.yaml` says"))
    }
    #expect(other.connections == 0)
  }

  // MARK: - programs

  /// Wherever the step stands, and before anything is sent.
  @Test(arguments: [
    "  - STEP", "  - call: callee.flow.yaml", "  - get: URL\n    undo:\n      - STEP",
    "  - get: URL\n    on_error:\n      - when: http.500\n        do:\n          - STEP",
    "  - group:\n      - STEP", "  - get: URL\nfinally:\n  - STEP",
  ])
  func aProgramThatMayNotRun(_ steps: String) async throws {
    try workspace.write("callee.flow.yaml", "steps:\n  - uses: exec\n    with: { run: [touch, ran] }\n")
    let text = "steps:\n  - get: URL\n\(steps)\n".replacing("STEP", with: "{ uses: exec, with: { run: [touch, ran] } }")
    try workspace.write("a.flow.yaml", text.replacing("URL", with: "\(allowed.origin)/x"))
    try workspace.write(
      "baton.yaml", "environments:\n  yes: { exec: true, hosts: [\"127.0.0.1:\(allowed.port)\"] }\n  no: { extends: yes, exec: false }\n")
    for arguments in [[], ["--env", "no"]] {
      let refused = try await workspace.baton(["run", "a.flow.yaml"] + arguments)
      #expect(refused.code == 2)
      #expect(refused.stderr.contains("error[invalid-value]: this step runs a program, which is not permitted here"))
      #expect(refused.stderr.contains("`exec: true`"))
      #expect(refused.stderr.contains("`--allow-exec`"))
    }
    #expect(allowed.connections == 0)
    #expect(!workspace.exists("ran"))
    guard steps == "  - STEP" else { return }
    for arguments in [["--env", "yes"], ["--allow-exec"], ["--env", "no", "--allow-exec"]] {
      #expect(try await workspace.baton(["run", "a.flow.yaml"] + arguments).code == 0)
    }
  }

  /// It ends with the run, even where it ignores the signal, and what is to be tidied up is tidied up.
  @Test(arguments: [SIGINT, SIGTERM])
  func aProgramThatWillNotEnd(_ signal: Int32) async throws {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    let started = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.send(answer())
        arrival.yield()
      }
    }
    // The shell alone can tell that it has begun: through a descriptor of its own, without any other program.
    try workspace.write("tell.sh", "exec 3<>/dev/tcp/127.0.0.1/\(started.port)\nprintf 'GET / HTTP/1.1\\r\\n\\r\\n' >&3\n")
    try workspace.write(
      "a.flow.yaml",
      """
      steps:
        - uses: exec
          with: { run: [bash, -c, "trap '' TERM INT; echo $$ > pid; source ./tell.sh; exec sleep 600"] }
      finally:
        - post: \(allowed.origin)/tidy

      """)
    let process = try workspace.start(["run", "a.flow.yaml", "--allow-exec"], whenEnded: { arrival.finish() })
    for await _ in arrivals { break }
    process.signal(signal)
    let run = try await process.end()
    #expect(run.code == 128 + signal, "\(run)")
    #expect(allowed.received.map(\.line) == ["POST /tidy HTTP/1.1"])
    let id = try #require(pid_t(try workspace.read("pid").filter(\.isNumber)))
    #expect(kill(id, 0) == -1)
  }

  // MARK: - settings of every connection

  @Test(arguments: [
    ("rate: 90/m", "`rate`: the value must match"), ("rate: 0/1s", "`rate`: the value must match"),
    ("proxy: 'ftp://x'", "a proxy's scheme is one of"), ("max_body: huge", "`max_body`: the value must match"),
    ("tls: { insecure: true }", "unknown key `insecure`"), ("connect_timeout: soon", "`connect_timeout`: the value must match"),
  ])
  func aSettingThatDoesNotFit(_ setting: String, _ message: String) async throws {
    let flow = """
      connections: { api: { system: rapidsos, client_id: an-id, client_secret: a-secret } }
      steps:
        - uses: rapidsos/register
          with: { username: ada.lovelace, password: Aa1-aaaaaa, email: a@b.example }

      """
    try workspace.write("a.flow.yaml", flow.replacing("a-secret }", with: "a-secret, \(setting) }"))
    let run = try await workspace.baton("check", "a.flow.yaml")
    #expect(run.code == 2)
    #expect(run.stderr.contains(message), "\(run)")
    // The same in `baton.yaml`.
    try workspace.write("a.flow.yaml", flow)
    try workspace.write("baton.yaml", "environments:\n  qa: { hosts: [\"*.example.test\"], connections: { api: { \(setting) } } }\n")
    #expect(try await workspace.baton("check", "a.flow.yaml", "--env", "qa").code == 2)
  }

  @Test func theRateOfAConnection() async throws {
    try workspace.write(
      "a.flow.yaml",
      """
      connections: { api: { system: http, base_url: "\(allowed.origin)", rate: 20/1s } }
      steps:
        - for_each: { in: "[1, 2, 3, 4, 5]", as: i, concurrency: 5 }
          steps:
            - get: /x

      """)
    let run = try await workspace.baton("run", "a.flow.yaml")
    #expect(run.code == 0)
    #expect(allowed.count(of: "GET") == 5)
    #expect(run.duration >= .milliseconds(200))
  }

  // MARK: - a user without a step that signs in

  private func signedIn(_ server: RawServer, _ credentials: String, _ steps: String) -> String {
    "connections: { rapidsos: { base_url: \"\(server.origin)\", client_id: an-id, client_secret: a-secret\(credentials) } }\nsteps:\n\(steps)"
  }

  private static let fetch = "  - uses: rapidsos/fetch-profile\n"

  @Test func storedCredentials() async throws {
    let server = try RawServer.answering { request in
      request.line.contains("/oauth/token") ? tokenAnswer : answer("200 OK", #"{"id": 7}"#)
    }
    try workspace.write("a.flow.yaml", signedIn(server, ", username: ada.lovelace, password: correct-horse", Self.fetch + Self.fetch))
    let run = try await workspace.baton("run", "a.flow.yaml", "-v", "--json")
    let tokens = server.received.filter { $0.line.contains("/oauth/token") }.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(tokens.count == 1, "one log-in serves both: \(run)")
    #expect(tokens.first?.contains("username=ada.lovelace") == true)
    #expect(tokens.first?.contains("password=correct-horse") == true)
    #expect(
      server.received.filter { !$0.line.contains("/oauth/token") }.allSatisfy {
        $0.values(of: "Authorization") == ["Bearer token-of-the-test"]
      })
    #expect(server.count(of: "GET") == 2)
    #expect(!run.everything.contains("correct-horse"))
  }

  @Test func storedCredentialsOfItemsAtOnce() async throws {
    let server = try RawServer.answering { request in
      request.line.contains("/oauth/token") ? tokenAnswer : answer("200 OK", #"{"id": 7}"#)
    }
    let loop = "  - for_each: { in: \"[1, 2, 3, 4, 5, 6]\", as: i, concurrency: 6, on_item_error: finish }\n    steps:\n    \(Self.fetch)"
    try workspace.write("a.flow.yaml", signedIn(server, ", username: ada.lovelace, password: correct-horse", loop))
    let run = try await workspace.baton("run", "a.flow.yaml")
    #expect(server.received.count { $0.line.contains("/oauth/token") } == 1, "\(run)")
    #expect(server.count(of: "GET") == 6)
  }

  @Test(arguments: [(", username: ada", "password"), (", password: correct-horse", "username")])
  func halfAPair(_ half: String, _ missing: String) async throws {
    try workspace.write("a.flow.yaml", signedIn(allowed, half, Self.fetch))
    try FileManager.default.removeItem(atPath: "\(workspace.path)/baton.yaml")
    for command in ["check", "run"] {
      let run = try await workspace.baton(command, "a.flow.yaml")
      #expect(run.code == 2)
      #expect(command == "run" || !run.stderr.contains("correct-horse"))
    }
    // The other half may come from an environment, and then it is whole.
    let register = "  - uses: rapidsos/register\n    with: { username: ada.lovelace, password: Aa1-aaaaaa, email: a@b.example }\n"
    try workspace.write("a.flow.yaml", signedIn(allowed, half, register))
    #expect(try await workspace.baton("check", "a.flow.yaml").stderr.contains("and no `\(missing)`; give both or neither"))
    let hosts = "hosts: [\"127.0.0.1:\(allowed.port)\"]"
    try workspace.write(
      "baton.yaml",
      "environments:\n  half: { \(hosts) }\n  whole: { \(hosts), connections: { rapidsos: { \(missing): whatever-it-is } } }\n")
    #expect(try await workspace.baton("check", "a.flow.yaml").code == 0)
    #expect(try await workspace.baton("check", "a.flow.yaml", "--env", "whole").code == 0)
    #expect(try await workspace.baton("check", "a.flow.yaml", "--env", "half").code == 2)
    #expect(allowed.connections == 0)
  }
}
