import Diagnostics
import FlowPlan
import StepKit
import Testing
import Values

@testable import BatonKit

/// What must hold before an emergency may leave for somebody real; everything that does not is said at once.
@Suite("The live gate")
struct LiveGateTests {
  @Test("lets a run through that has all it needs")
  func open() throws {
    #expect(try LiveCase().findings() == [])
  }

  @Test("refuses a run without any of it, everything at once, at the step")
  func shut() throws {
    var live = LiveCase(modifiers: "attempt_timeout: 15s", baseURL: "http://api.example.test")
    live.gate = LiveGate(
      environment: nil, isAsked: false, confirmed: [], canAsk: false, variables: ["LD_PRELOAD": "/tmp/a.so", "SSLKEYLOGFILE": "/tmp/k"],
      records: [
        LiveRecords(name: "the ledger of emergencies") { .init(message: "`/x` lies on tmpfs, which may forget what was sent", mend: "") }
      ])
    #expect(
      try live.findings() == [
        "5: a real emergency response needs an environment, and none is named",
        "5: this would set off a real emergency response, and `--live` is not given",
        "5: nobody can confirm the key: there is no terminal, and `--confirm` is not given",
        "5: `LD_PRELOAD`, `SSLKEYLOGFILE` are set, which changes what this program loads and writes down the keys of TLS",
        "5: the ledger of emergencies cannot be relied upon: `/x` lies on tmpfs, which may forget what was sent",
        "5: `trigger` would go out in the clear, to `http://api.example.test`",
        "5: nobody could find out what became of `trigger`: it has no `idempotency_key`, no `reconcile` and no `unverifiable`",
      ])
    #expect(try live.gate.findings(in: live.run()).allSatisfy { !$0.help.isEmpty || $0.message.contains("relied") })
  }

  @Test("needs an environment that says `live: true`")
  func environment() throws {
    var live = LiveCase()
    live.gate.environment = LiveCase.environment(isLive: false)
    #expect(
      try live.findings() == ["5: a real emergency response needs `live: true`, and the environment `production` does not say it"])
  }

  @Test("needs `--live`, whatever the environment says")
  func flag() throws {
    var live = LiveCase()
    live.gate.isAsked = false
    #expect(try live.findings() == ["5: this would set off a real emergency response, and `--live` is not given"])
  }

  @Test("needs a terminal or `--confirm`")
  func confirmation() throws {
    var live = LiveCase()
    live.gate.confirmed = []
    #expect(try live.findings() == ["5: nobody can confirm the key: there is no terminal, and `--confirm` is not given"])
    #expect(try live.gate.findings(in: live.run()).first?.help == ["give `--confirm incident-1`"])
    live.gate.canAsk = true
    #expect(try live.findings() == [])
  }

  @Test("compares `--confirm` with a key that inputs decide, byte by byte", arguments: ["incident-2", "incident-1 ", "Incident-1", ""])
  func otherKey(confirmed: String) throws {
    var live = LiveCase()
    live.gate.confirmed = [confirmed]
    #expect(try live.findings() == ["5: the key of `trigger` is `incident-1`, and `--confirm` does not name it"])
    #expect(try live.findings(["incident": confirmed]) == (confirmed.isEmpty ? ["5: the key of `trigger` is empty"] : []))
  }

  @Test("two spellings of one letter are two keys")
  func spelling() throws {
    var live = LiveCase()
    live.gate.confirmed = ["caf\u{E9}"]
    #expect(try live.findings(["incident": "cafe\u{301}"]).count == 1)
    #expect(try live.findings(["incident": "caf\u{E9}"]) == [])
  }

  @Test("leaves a key to the run that only a step gives")
  func lateKey() throws {
    var live = LiveCase(key: "${{ steps.found.response.text }}")
    live = LiveCase(
      modifiers: live.modifiers, key: "${{ vars.key }}", more: "")
    let text = live.flow.replacing("steps:\n", with: "steps:\n  - set: { key: \"${{ inputs.incident + '-a' }}\" }\n")
    let run = try #require(try plan(of: text).prepare(RunGivens()).run)
    live.gate.confirmed = ["whatever"]
    #expect(live.gate.findings(in: run).map(\.message) == [])
    #expect(KnownScope(run).emergencies.map(\.keyText) == [nil])
  }

  @Test("a key with control and bidi characters is shown escaped")
  func hostileKey() throws {
    let live = LiveCase()
    let found = try live.findings(["incident": "a\u{1B}[2J\u{202E}b"])
    #expect(found == [#"5: the key of `trigger` is `a\u{1b}[2J\u{202e}b`, and `--confirm` does not name it"#])
  }

  @Test("is satisfied by a look-up, or by a reason why there is none", arguments: ["reconcile", "unverifiable"])
  func verification(kind: String) throws {
    let reconcile = """
      reconcile:
            steps:
              - id: found
                get: /v1/alerts
                with: { token: client }
            delivered: steps.found.response.status == 200
      """
    #expect(try LiveCase(modifiers: kind == "reconcile" ? reconcile : "unverifiable: because").findings() == [])
  }

  @Test("has nothing to say of the sandbox", arguments: ["http://127.0.0.1:8473/rapidsos", "http://localhost:1", "http://[::1]:1"])
  func sandbox(url: String) throws {
    var live = LiveCase(modifiers: "attempt_timeout: 15s", baseURL: url)
    live.gate = LiveGate(variables: ["LD_PRELOAD": "a"])
    #expect(try live.findings() == [])
  }

  @Test("warns where live is asked for and nothing here is")
  func needless() throws {
    let live = LiveCase(baseURL: "http://127.0.0.1:8473")
    #expect(
      try live.findings() == [
        "warning: `--live` is given, and no step of this run sets off a real emergency response",
        "warning: `--confirm` is given, and no step of this run sets off a real emergency response",
      ])
  }

  @Test(
    "sees emergencies wherever they stand",
    arguments: [
      "group", "branch", "undo", "finally", "loop",
    ])
  func nested(place: String) throws {
    let trigger = { (indent: Int) in
      let step = """
        - id: other
          uses: rapidsos/trigger-call-flow
          dedupe_key: other
          unverifiable: because
          with:
            call_flow: kronos_contacts
            variables:
              location: { latitude: 1.5, longitude: 2.5, uncertainty: 12 }
              user: { full_name: Dana Reyes, phone_number: "+12345678888" }
              contacts: [{ full_name: Ira Reyes, phone_number: "+12345670000" }]
              company: Baton
        """
      let space = String(repeating: " ", count: indent)
      return step.split(separator: "\n").map { space + $0 }.joined(separator: "\n")
    }
    let more =
      switch place {
      case "group": "  - group:\n\(trigger(6))"
      case "branch": "  - wait: 1s\n    undo:\n\(trigger(6))"
      case "undo": "  - set: { a: 1 }\n    undo:\n\(trigger(6))"
      case "finally": "finally:\n\(trigger(2))"
      default: "  - for_each: { in: [1, 2], as: n }\n    steps:\n\(trigger(6))"
      }
    let findings = try LiveCase(more: more).findings()
    #expect(findings.count == 1)
    #expect(findings.first?.hasSuffix("the key of `other` is `other`, and `--confirm` does not name it") == true)
  }
}

/// A folder is judged without being made.
@Suite("The file system of a folder")
struct FileSystemKindTests {
  private let mounts = """
    22 1 0:20 / / rw,relatime shared:1 - overlay overlay rw,lowerdir=/a
    23 22 8:1 / /home rw - ext4 /dev/sda1 rw
    24 23 0:30 / /home/dana/fast\\040disk rw - tmpfs tmpfs rw
    25 22 0:31 / /srv rw - nfs4 server:/srv rw
    26 25 8:2 / /srv rw - xfs /dev/sdb1 rw
    """

  @Test(
    "is that of the longest mount point above it",
    arguments: [
      ("/home/dana/.local/state/baton", nil), ("/var/lib", "an overlay"), ("/homes", "an overlay"), ("/", "an overlay"), ("/srv/x", nil),
    ] as [(String, String?)])
  func kind(path: String, kind: String?) {
    #expect(FileSystemKind.volatile(path, existing: { $0 }, mounts: mounts) == kind)
  }

  @Test("a space in a mount point is written as \\040")
  func space() {
    #expect(FileSystemKind.volatile("/home/dana/fast disk/x", existing: { $0 }, mounts: mounts) == "tmpfs")
  }
}
