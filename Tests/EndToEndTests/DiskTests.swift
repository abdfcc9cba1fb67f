import FoundationEssentials
import Glibc
import TestKit
import Testing

/// A disk that will not keep what happens: before the first request nothing is sent, and later nothing without its record.
@Suite(.timeLimit(.minutes(10))) struct DiskTests {
  private let seat: Seat
  private let scene: Scene
  private static let folder = ".local/state/baton"

  init() async throws {
    seat = await Seat.take()
    scene = try Scene()
  }

  private static let payments = """
    steps:
      - for_each: { in: "[1, 2, 3, 4, 5, 6, 7, 8]", as: i, max_items: 20 }
        steps:
          - id: pay
            post: /pay
            with: { json: { n: "${{ i }}" } }

    """

  private static let route = "/v1/rem/trigger"

  // MARK: - before the first request

  enum Obstacle: String, CaseIterable, Sendable {
    case openToOthers, aLink, aFile, missingParent, aForeignDatabase, anotherSchema, noDatabase, torn, aLinkedDatabase, aDatabaseOfOthers
    case aHardLink, aPipe
  }

  private func place(_ obstacle: Obstacle, _ database: String) throws {
    let (workspace, folder) = (scene.workspace, Self.folder)
    let path = "\(workspace.path)/\(folder)"
    try workspace.makeFolder(obstacle == .aLink || obstacle == .aFile ? ".local/state" : folder)
    unsafe chmod(path, 0o700)
    let file = "\(folder)/\(database)"
    switch obstacle {
    case .openToOthers: unsafe chmod(path, 0o755)
    case .aLink:
      try workspace.makeFolder("elsewhere")
      unsafe chmod("\(workspace.path)/elsewhere", 0o700)
      unsafe symlink("\(workspace.path)/elsewhere", path)
    case .aFile: try workspace.write(folder, "")
    case .missingParent:
      try FileManager.default.removeItem(atPath: "\(workspace.path)/.local")
      try workspace.write(".local", "")
    case .aForeignDatabase, .anotherSchema: try workspace.write(file, Self.database(isForeign: obstacle == .aForeignDatabase), mode: 0o600)
    case .noDatabase:
      try workspace.write(
        file, "this is no database, and it is longer than a page header " + String(repeating: "x", count: 4096), mode: 0o600)
    case .torn: try workspace.write(file, Array(Self.database(isForeign: false).prefix(60)), mode: 0o600)
    case .aLinkedDatabase:
      try workspace.write("elsewhere.db", "", mode: 0o600)
      unsafe symlink("\(workspace.path)/elsewhere.db", "\(workspace.path)/\(file)")
    case .aDatabaseOfOthers: try workspace.write(file, "", mode: 0o644)
    case .aHardLink:
      try workspace.write(file, "", mode: 0o600)
      unsafe link("\(workspace.path)/\(file)", "\(workspace.path)/second.db")
    case .aPipe: unsafe mkfifo("\(workspace.path)/\(file)", 0o600)
    }
  }

  /// An empty SQLite database of one page, as somebody else's program or a version to come has left it.
  private static func database(isForeign: Bool) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: 4096)
    page.replaceSubrange(0..<16, with: Array("SQLite format 3\0".utf8))
    page.replaceSubrange(16..<24, with: [0x10, 0, 1, 1, 0, 64, 32, 32])
    page[27] = 1
    page[31] = 1
    page[47] = 4
    page[59] = 1  // UTF-8
    // `user_version` and `application_id` (sqlite.org/fileformat2.html §1.3).
    page.replaceSubrange(60..<64, with: [0, 0, 0x7f, 0])
    page.replaceSubrange(68..<72, with: isForeign ? Array("elsw".utf8) : Array("barj".utf8))
    page[100] = 13
    page.replaceSubrange(105..<107, with: [0x10, 0])
    return page
  }

  /// For the journal of a plain run, and for the ledger of an emergency too.
  @Test(arguments: Obstacle.allCases, ["runs.db", "triggers.db"])
  func nothingIsSent(_ obstacle: Obstacle, _ database: String) async throws {
    try scene.flow(database == "runs.db" ? Self.payments : TestText.emergency)
    try place(obstacle, database)
    let run = try await scene.baton("run", "a.flow.yaml")
    #expect(run.code == 2, "\(run)")
    #expect(run.stderr.contains("error["), "\(run)")
    #expect(run.stderr.contains(".local"), "it says where: \(run)")
    #expect(scene.server.connections == 0)
    // What is there is left as it is.
    if obstacle == .openToOthers {
      #expect(run.stderr.contains("chmod 700"), "\(run)")
      unsafe chmod("\(scene.workspace.path)/\(Self.folder)", 0o700)
      #expect(try await scene.baton("run", "a.flow.yaml").code == 0)
    }
    guard obstacle != .openToOthers else { return }
    for arguments in [["runs"], ["resume", "abcd"]] {
      let told = try await scene.workspace.seated(arguments)
      #expect(told.code == 2, "\(arguments) \(told)")
    }
  }

  /// Garbage in the middle of what was a journal: it is told, and nothing is sent.
  @Test func aJournalThatIsDamaged() async throws {
    try scene.flow(Self.payments)
    #expect(try await scene.baton("run", "a.flow.yaml").code == 0)
    let sent = scene.count("/pay")
    let path = "\(scene.workspace.path)/\(Self.folder)"
    for name in ["runs.db", "runs.db-wal"] {
      let file = "\(path)/\(name)"
      var bytes = Array(try Data(contentsOf: URL(filePath: file)))
      for index in bytes.indices where index >= 100 { bytes[index] = 0x5a }
      try Data(bytes).write(to: URL(filePath: file))
      unsafe chmod(file, 0o600)
    }
    let run = try await scene.baton("run", "a.flow.yaml")
    #expect(run.code == 2, "\(run)")
    #expect(scene.count("/pay") == sent)
  }

  // MARK: - a disk that fills

  /// Runs a command of ours that may make no file larger than `limit` kibibytes.
  private func limited(_ limit: Int, _ arguments: String) async throws -> (code: Int32, out: String, err: String) {
    let binary = try #require(Executable.path)
    try scene.workspace.write(
      "limited.sh",
      """
      #!/bin/bash
      (ulimit -f \(limit); exec "\(binary)" \(arguments)) > out.txt 2> err.txt
      echo $? > code.txt

      """, mode: 0o755)
    try scene.workspace.write(
      "limited.flow.yaml",
      """
      steps:
        - uses: exec
          with:
            run: [./limited.sh]
            env: { HOME: "\(scene.workspace.path)", BATON_TRIGGER_DIR: "\(scene.workspace.path)/\(Self.folder)", LC_ALL: C.UTF-8 }

      """)
    // The one that starts it keeps its own records elsewhere.
    let outer = try await scene.baton(
      "run", "limited.flow.yaml", "--allow-exec", environment: ["BATON_STATE_DIR": "\(scene.workspace.path)/outer"])
    #expect(outer.code == 0, "\(outer)")
    let code = try #require(Int32(try scene.workspace.read("code.txt").filter { $0.isNumber }))
    return (code, try scene.workspace.read("out.txt"), try scene.workspace.read("err.txt"))
  }

  /// At most what is written down has left, wherever the disk is full.
  @Test(arguments: [1, 24, 56, 72, 104])
  func nothingLeavesWithoutItsRecord(_ limit: Int) async throws {
    try scene.flow(Self.payments)
    let ended = try await limited(limit, "run a.flow.yaml --json")
    let sent = scene.count("/pay")
    #expect(ended.code == 2 || ended.code == 3 || (ended.code == 0 && sent == 8), "\(ended)")
    if ended.code == 2 {
      #expect(sent == 0)
    } else {
      #expect(ended.err.contains("recorded") || ended.out.contains("config.journal"), "\(ended)")
    }
    guard sent > 0 else { return }
    // On a disk that has room again.
    let run = try await scene.run()
    let story = try await scene.story(run)
    let begun = story["steps"]?.items.count { $0["action"]?.text?.hasPrefix("POST") == true } ?? 0
    #expect(begun >= sent, "\(sent) have left: \(story)")
    guard ended.code != 0 else { return }
    let resumed = try await scene.baton("resume", run)
    if resumed.code == 4 {
      #expect(scene.count("/pay") == sent)
      #expect(try await scene.baton("resolve", run, "--delivered", "--reason", "seen").code == 0)
      #expect(try await scene.baton("resume", run).code == 0)
    } else {
      #expect(resumed.code == 0, "\(resumed)")
    }
    #expect(scene.count("/pay") == 8, "each once")
    #expect(Set(scene.bodies("/pay")).count == 8)
  }

  /// It was answered, and that could not be kept: a later run could not know it, and so nobody may count on it.
  @Test func whatMayHappenOnceAndCannotBeKept() async throws {
    var codes: Set<Int32> = []
    for limit in stride(from: 36, through: 64, by: 4) {
      try scene.flow("steps:\n  - id: pay\n    post: /pay\n    effect: once\n")
      let before = scene.count("/pay")
      let ended = try await limited(limit, "run a.flow.yaml")
      codes.insert(ended.code)
      let sent = scene.count("/pay") - before
      let isOpen = try await scene.baton("runs", "--unresolved").code == 1
      #expect(isOpen == (ended.code == 4), "\(limit): \(ended)")
      switch ended.code {
      case 4:
        #expect(sent == 1)
        #expect((ended.out + ended.err).contains("cannot be written down"), "\(ended)")
      case 0: #expect(sent == 1)
      default:
        #expect(ended.code == 2 || ended.code == 3, "\(ended)")
        #expect(sent == 0, "\(ended)")
      }
      try FileManager.default.removeItem(atPath: "\(scene.workspace.path)/.local")
    }
    #expect(codes.isSuperset(of: [0, 4]), "a disk as full as that was among them")
  }

  /// The same of the ledger, which is another file.
  @Test(arguments: [8, 28, 36, 44, 52, 60])
  func anEmergencyThatCannotBeKept(_ limit: Int) async throws {
    try scene.flow(TestText.emergency)
    scene.reply(Self.route, .answer(answer("202 Accepted", #"{"alert_id": "al_1"}"#)))
    let ended = try await limited(limit, "run a.flow.yaml")
    let sent = scene.count(Self.route)
    #expect(sent <= 1)
    #expect([0, 2, 3, 4].contains(ended.code), "\(ended)")
    #expect((ended.code == 0) <= (sent == 1), "\(ended)")
    if ended.code == 2 || ended.code == 3 { #expect(sent == 0, "\(ended)") }
    // Whatever the end was, with room again the second run sends nothing that the first one has sent.
    let again = try await scene.baton("run", "a.flow.yaml")
    #expect(again.code == 0 || again.code == 4, "\(again)")
    #expect(scene.count(Self.route) == 1, "\(ended) \(again)")
  }
}

extension Bool {
  /// Whether the one follows from the other.
  fileprivate static func <= (one: Bool, other: Bool) -> Bool { !one || other }
}
