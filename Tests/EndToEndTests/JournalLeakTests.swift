import FoundationEssentials
import Glibc
import TestKit
import Testing

/// Whatever a run was given as a secret, and whatever it was told as one, stands in no file that it leaves behind and in
/// nothing that is told of it later; and going on has it all the same.
@Suite(.timeLimit(.minutes(10))) struct JournalLeakTests {
  private let seat: Seat
  private let scene: Scene
  private static let secrets = [
    "BATON_SECRET_K": "cnry-bearer/4711+x==", "BATON_SECRET_PW": "cnry\"Pass\\word&%41é", "BATON_SECRET_ID": "cnry-client-id-31",
    "BATON_SECRET_CODE": "cnry-client-secret-37", "BATON_ANSWER_PIN": "cnry-pin-918273",
  ]
  private static let told = ["cnry-token-2718", "cnry-cookie-1414", "cnry-key-1618", "cnry-refresh-5772"]
  private static let inputs = ["cnry-input-0815", "cnry-member-1729"]
  private static var canaries: [String] { secrets.values.sorted() + told + inputs }

  init() async throws {
    seat = await Seat.take()
    scene = try Scene()
    scene.reply(
      "/token",
      .answer(
        answer(
          "200 OK",
          #"{"access_token": "cnry-token-2718", "refresh_token": "cnry-refresh-5772", "token_type": "Bearer", "expires_in": "3600"}"#)))
    scene.reply("/login", .answer(answer().replacing("\r\n\r\n", with: "\r\nSet-Cookie: sid=cnry-cookie-1414; Path=/\r\n\r\n")))
    scene.reply("/key", .answer(answer("200 OK", #"{"key": "cnry-key-1618"}"#)))
    try scene.workspace.write("inputs.json", #"{"i": "cnry-input-0815", "o": {"a": ["cnry-member-1729"]}}"#, mode: 0o600)
    try scene.flow(
      """
      secrets: [k, pw, id, code]
      inputs:
        i: { type: string, secret: true }
        o: { type: object, secret: true }
      connections:
        api: { system: http, base_url: "ORIGIN", bearer: "${{ secrets.k }}", cookies: true }
        other: { system: http, base_url: "ORIGIN", basic: { username: ada, password: "${{ secrets.pw }}" } }
      steps:
        - id: token
          uses: oauth/token
          connection: api
          with: { token_url: /token, grant: client_credentials, client_id: "${{ secrets.id }}", client_secret: "${{ secrets.code }}" }
        - id: login
          post: /login
          connection: api
        - id: key
          get: /key
          connection: api
          outputs: { key: { value: "${{ string(response.body.key) }}", secret: true } }
        - id: pin
          uses: prompt
          with: { text: The PIN, secret: true }
        - id: basic
          post: /basic
          connection: other
        - set: { all: "${{ secrets.k + inputs.i + steps.key.outputs.key }}" }
        - id: echo
          post: /echo
          connection: api
          with:
            query: { q: { value: "${{ inputs.i }}", secret_in_url: the test wants it } }
            headers: { x-token: "${{ steps.token.outputs.access_token }}" }
            json: &all
              key: "${{ steps.key.outputs.key }}"
              pin: "${{ steps.pin.outputs.value }}"
              o: "${{ inputs.o }}"
              all: "${{ vars.all }}"
        - id: last
          post: /last
          connection: api
          with:
            headers: { x-token: "${{ steps.token.outputs.access_token }}" }
            json:
              key: "${{ steps.key.outputs.key }}"
              pin: "${{ steps.pin.outputs.value }}"
              o: "${{ inputs.o }}"
              all: "${{ vars.all }}"

      """.replacing("&all\n", with: "\n"))
  }

  // MARK: - what is searched

  /// Every text that would betray a secret.
  private static func forms(of secret: String) -> Set<String> {
    let bytes = Array(secret.utf8)
    var forms: Set<String> = []
    for shift in 0..<3 {
      let digits = Array(Data(Array(repeating: 0, count: shift) + bytes).base64EncodedString())
      forms.insert(String(digits[((8 * shift + 5) / 6)..<(8 * (shift + bytes.count) / 6)]))
    }
    for form in forms { forms.insert(form.replacing("+", with: "-").replacing("/", with: "_")) }
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let percent = zip(bytes, hex).map { unreserved.contains($0) ? String(UnicodeScalar($0)) : "%\($1.uppercased())" }.joined()
    forms.formUnion([secret, percent, percent.lowercased(), hex.joined(), hex.joined().uppercased()])
    let json = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    forms.formUnion([json, json.replacing("/", with: "\\/"), json.replacing("é", with: "\\u00e9")])
    // A text in a text.
    forms.insert(json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))
    return forms
  }

  private static let needles = canaries.map { ($0, forms(of: $0).map { Array($0.utf8) }) }

  private func expectNone(in bytes: [UInt8], _ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for (secret, forms) in Self.needles {
      for form in forms where bytes.contains(form) {
        Issue.record("\(name) has `\(secret)` as `\(String(decoding: form, as: UTF8.self))`", sourceLocation: sourceLocation)
      }
    }
  }

  /// Every file of the state, and all that is told of the runs.
  private func expectNoLeak(_ ended: Ended, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    expectNone(in: Array(ended.everything.utf8), "the output", sourceLocation: sourceLocation)
    let folder = "\(scene.workspace.path)/.local/state/baton"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.contains("runs.db"), sourceLocation: sourceLocation)
    for name in names {
      var status = stat()
      let found = unsafe stat("\(folder)/\(name)", &status)
      #expect(found == 0 && status.st_mode & 0o077 == 0, "\(name)", sourceLocation: sourceLocation)
      guard status.st_mode & S_IFMT == S_IFREG else { continue }
      let bytes = Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
      if !bytes.isEmpty { expectNone(in: bytes, name, sourceLocation: sourceLocation) }
    }
    let run = try await scene.run()
    for arguments in [
      ["show", run], ["show", run, "--json"], ["runs"], ["runs", "--json"], ["runs", "--unresolved", "--json"],
      ["show", run, "--bundle", "bundle.tar"],
    ] {
      let told = try await scene.workspace.seated(arguments)
      #expect(told.code != 2, "\(told)", sourceLocation: sourceLocation)
      expectNone(in: Array(told.everything.utf8), arguments.joined(separator: " "), sourceLocation: sourceLocation)
    }
    let bundle = Array(try Data(contentsOf: URL(filePath: "\(scene.workspace.path)/bundle.tar")))
    #expect(bundle.count > 1024, sourceLocation: sourceLocation)
    expectNone(in: bundle, "the bundle", sourceLocation: sourceLocation)
    try FileManager.default.removeItem(atPath: "\(scene.workspace.path)/bundle.tar")
  }

  private func baton(_ arguments: String..., environment: [String: String] = [:]) async throws -> Ended {
    try await scene.workspace.seated(arguments, environment: Self.secrets.merging(environment) { $1 })
  }

  /// Answers with all that it was sent, as far as it is known.
  private static let echo =
    #"{"said": ["cnry-bearer/4711+x==", "cnry-input-0815", "cnry-key-1618", "cnry-pin-918273", "cnry-token-2718", {"cnry-member-1729": 1}], "b": "Y25yeS1iZWFyZXIvNDcxMSt4PT0="}"#

  private static let run = ["run", "a.flow.yaml", "--inputs", "inputs.json", "-v"]

  /// The request that needs everything has come, and has it all.
  private func expectAllSent(times: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    let bodies = scene.bodies("/last")
    #expect(bodies.count == times, sourceLocation: sourceLocation)
    #expect(Set(bodies).count == 1, "the same each time", sourceLocation: sourceLocation)
    for text in ["cnry-key-1618", "cnry-pin-918273", "cnry-member-1729", "cnry-input-0815"] {
      #expect(bodies.first?.contains(text) == true, "\(text)", sourceLocation: sourceLocation)
    }
  }

  // MARK: - however it ends

  @Test func aRunThatPasses() async throws {
    scene.reply("/echo", .answer(answer("200 OK", Self.echo)))
    let run = try await scene.workspace.seated(Self.run, environment: Self.secrets)
    #expect(run.code == 0, "\(run)")
    expectAllSent(times: 1)
    try await expectNoLeak(run)
  }

  @Test(arguments: ["500 Oops", "404 Not Found"])
  func aRunThatFails(_ status: String) async throws {
    scene.reply("/echo", .answer(answer(status, Self.echo).replacing("\r\n\r\n", with: "\r\nX-Seen: cnry-token-2718\r\n\r\n")))
    let run = try await scene.workspace.seated(Self.run + ["--json"], environment: Self.secrets)
    #expect([1, 3].contains(run.code), "\(run)")
    try await expectNoLeak(run)
    // It failed where it said that nothing was done twice; going on has what it needs.
    scene.reply("/echo", .fine)
    let resumed = try await baton("resume", try await scene.run())
    try await expectNoLeak(resumed)
  }

  @Test func aRunThatIsKilled() async throws {
    scene.reply("/echo", .answer(answer("200 OK", Self.echo)))
    scene.reply("/last", .hold, .fine)
    let workspace = scene.workspace
    let killed = try await scene.baton(
      Self.run, signalled: SIGKILL, at: "/last", environment: Self.secrets)
    #expect(killed.code == -SIGKILL)
    try await expectNoLeak(killed)
    let run = try await scene.run()
    #expect(try await baton("resolve", run, "--not-delivered", "--reason", "none").code == 0)
    // The answer and the inputs are those of the run; secrets are asked for again.
    let missing = try await workspace.seated(["resume", run])
    #expect(missing.code == 2, "\(missing)")
    #expect(missing.stderr.contains("error[missing-secret]"), "\(missing)")
    #expect(scene.count("/last") == 1)
    var variables = Self.secrets
    variables["BATON_ANSWER_PIN"] = nil
    let resumed = try await workspace.seated(["resume", run, "-v"], environment: variables)
    #expect(resumed.code == 0, "\(resumed)")
    expectAllSent(times: 2)
    try await expectNoLeak(resumed)
  }

  /// What an operator says of a lost step may be a secret as well.
  @Test func whatAnOperatorSays() async throws {
    try scene.flow(
      "steps:\n  - id: pay\n    post: /pay\n    outputs: { id: { value: \"${{ string(response.body.id) }}\", secret: true } }\n  - post: /after\n    with: { json: { id: \"${{ steps.pay.outputs.id }}\" } }\n"
    )
    scene.reply("/pay", .hold)
    #expect(try await scene.baton("run", "a.flow.yaml", signalled: SIGKILL, at: "/pay").code == -SIGKILL)
    let run = try await scene.run()
    try scene.workspace.write("outputs.yaml", "id: cnry-key-1618\n", mode: 0o600)
    let said = try await scene.baton("resolve", run, "--delivered", "--outputs", "outputs.yaml", "--reason", "seen")
    #expect(said.code == 0)
    try await expectNoLeak(said)
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code == 0, "\(resumed)")
    #expect(scene.bodies("/after") == [#"{"id":"cnry-key-1618"}"#])
    try await expectNoLeak(resumed)
  }

  // MARK: - the key of the seal

  private static let key = Data(repeating: 7, count: 32).base64EncodedString()
  private static let otherKey = Data(repeating: 8, count: 32).base64EncodedString()

  private func killed(environment: [String: String] = [:]) async throws -> String {
    scene.reply("/last", .hold, .fine)
    let variables = Self.secrets.merging(environment) { $1 }
    let killed = try await scene.baton(
      Self.run, signalled: SIGKILL, at: "/last", environment: variables)
    #expect(killed.code == -SIGKILL)
    let run = try await scene.run(environment: environment)
    #expect(try await baton("resolve", run, "--not-delivered", "--reason", "none", environment: environment).code == 0)
    return run
  }

  private func expectNoKey(_ run: Ended, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(run.code == 2, "\(run)", sourceLocation: sourceLocation)
    #expect(run.stderr.contains("the key is another one"), "\(run)", sourceLocation: sourceLocation)
    #expect(run.stderr.contains("BATON_STATE_KEY"), "\(run)", sourceLocation: sourceLocation)
    #expect(scene.count("/last") == 1, sourceLocation: sourceLocation)
    #expect(scene.count("/token") == 1, sourceLocation: sourceLocation)
  }

  @Test func aKeyOfTheEnvironment() async throws {
    let own = ["BATON_STATE_KEY": Self.key]
    let run = try await killed(environment: own)
    #expect(!scene.workspace.exists(".local/state/baton/seal.key"))
    expectNoKey(try await baton("resume", run, environment: ["BATON_STATE_KEY": Self.otherKey]))
    expectNoKey(try await baton("resume", run))
    for text in ["", "x", "AAAA", Self.key + "AAAA"] {
      let refused = try await baton("resume", run, environment: ["BATON_STATE_KEY": text])
      #expect(refused.code == 2)
      #expect(refused.stderr.contains("BATON_STATE_KEY"), "\(text): \(refused)")
      #expect(text.count < 4 || !refused.stderr.contains(text), "its value is never shown")
    }
    // Nobody needs the key to look.
    #expect(try await scene.baton("show", run).code == 0)
    let resumed = try await baton("resume", run, environment: own)
    #expect(resumed.code == 0, "\(resumed)")
    expectAllSent(times: 2)
  }

  @Test func aKeyFileThatIsGone() async throws {
    let run = try await killed()
    let file = "\(scene.workspace.path)/.local/state/baton/seal.key"
    let kept = try Data(contentsOf: URL(filePath: file))
    #expect(kept.count == 32)
    try FileManager.default.removeItem(atPath: file)
    expectNoKey(try await baton("resume", run))
    // Torn, readable by others, a link: each is told, and nothing is sent.
    try? FileManager.default.removeItem(atPath: file)
    try scene.workspace.write(".local/state/baton/seal.key", Array(kept.prefix(9)), mode: 0o600)
    var refused = try await baton("resume", run)
    #expect(refused.code == 2)
    #expect(refused.stderr.contains("holds no key"), "\(refused)")
    try scene.workspace.write(".local/state/baton/seal.key", Array(kept), mode: 0o644)
    refused = try await baton("resume", run)
    #expect(refused.code == 2)
    #expect(refused.stderr.contains("others may open"), "\(refused)")
    try scene.workspace.write("elsewhere.key", Array(kept), mode: 0o600)
    try FileManager.default.removeItem(atPath: file)
    unsafe symlink("\(scene.workspace.path)/elsewhere.key", file)
    refused = try await baton("resume", run)
    #expect(refused.code == 2)
    #expect(refused.stderr.contains("symbolic link"), "\(refused)")
    #expect(scene.count("/last") == 1)
    try FileManager.default.removeItem(atPath: file)
    try scene.workspace.write(".local/state/baton/seal.key", Array(kept), mode: 0o600)
    let resumed = try await baton("resume", run)
    #expect(resumed.code == 0, "\(resumed)")
    expectAllSent(times: 2)
  }
}

extension [UInt8] {
  /// Whether some bytes stand in these: looked for by their first one, for speed.
  fileprivate func contains(_ other: [UInt8]) -> Bool {
    guard let first = other.first, count >= other.count else { return false }
    return unsafe withUnsafeBytes { all in
      guard let base = all.baseAddress else { return false }
      var from = 0
      let last = all.count - other.count
      while from <= last {
        guard let found = unsafe memchr(base + from, Int32(first), last - from + 1) else { return false }
        from = unsafe base.distance(to: UnsafeRawPointer(found))
        if unsafe memcmp(found, other, other.count) == 0 { return true }
        from += 1
      }
      return false
    }
  }
}
