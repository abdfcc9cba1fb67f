import FlowEvents
import Glibc
import Journal
import Values

/// What the probe can do.
enum Job: String, CaseIterable {
  /// The life of one trigger: FOLDER KEY LAST; kills itself once the state LAST is stored.
  case trigger
  /// The same for an attempt that was intended before: FOLDER KEY LAST.
  case send
  /// Intends a key with all others, and sends to FOLDER/received if it may: FOLDER KEY BODY.
  case race
  /// Intends a key and holds it until its input is closed: FOLDER KEY.
  case hold
  /// Appends durable entries to a run until it is COUNT, each followed by one that nobody waits for, then kills itself: FOLDER COUNT.
  case runs
  /// Appends entries that nobody waits for, reads them back, and kills itself: FOLDER COUNT.
  case unsynced
  /// The same for entries that are written and not synced, and not read back: FOLDER COUNT.
  case written
  /// Appends large entries until it fails, and what then: FOLDER.
  case fill
  /// Opens the seal of the folder with all others, and seals a text: FOLDER TEXT CONTEXT.
  case seal
  /// Says whether the folder outlasts a restart: FOLDER.
  case durable
  /// Tells how many commits there are in a second: FOLDER.
  case bench

  func run(in folder: String, _ words: [String]) async throws(JournalError) {
    let directory = try StateDirectory(folder)
    switch self {
    case .trigger, .send: try await trigger(directory, key: words[0], last: words.count > 1 ? words[1] : "")
    case .race: try await race(directory, key: words[0], body: words[1])
    case .hold: try await hold(directory, key: words[0])
    case .runs: try await runs(directory, count: Int(words[0]) ?? 0)
    case .unsynced: try await unsynced(directory, count: Int(words[0]) ?? 0)
    case .written: try await written(directory, count: Int(words[0]) ?? 0)
    case .fill: try await fill(directory)
    case .seal:
      umask(0)
      waitForStart()
      say(try JournalSeal(in: directory, environmentKey: nil).seal(words[0], for: words[1]))
    case .durable:
      try directory.requireDurable()
      say("durable")
    case .bench: try await bench(directory)
    }
  }

  /// `acknowledged` by default; `resolved_delivered` goes by way of `unknown`.
  private func trigger(_ directory: StateDirectory, key: String, last: String) async throws(JournalError) {
    func passed(_ state: String) {
      say(state)
      if state == last { kill(getpid(), SIGKILL) }
    }
    let ledger = try await SQLiteTriggerLedger.open(in: directory)
    passed("opened")
    let answer =
      self == .send ? try await ledger.resume(.probe(key), .probe("body")) : try await ledger.intend(.probe(key), .probe("body"))
    guard case .reserved(let attempt) = answer else { return say("refused") }
    passed("intended")
    if last == "not_sent" {
      try await ledger.record(.notSent(reason: "refused"), of: attempt)
      return passed("not_sent")
    }
    do throws(JournalError) {
      try ledger.markSent(attempt)
    } catch {
      say("error \(error.code.rawValue)")
      say(ledger.maySend(attempt) ? "sent after all" : "again \(attempt.refusal?.code.rawValue ?? "?")")
      return
    }
    passed("sent")
    guard ["unknown", "resolved_delivered"].contains(last) else {
      try await ledger.record(.acknowledged(outputs: "{}"), of: attempt)
      return passed("acknowledged")
    }
    try await ledger.record(.unknown(reason: "timeout"), of: attempt)
    passed("unknown")
    _ = try await ledger.resolve(attempt.id, .delivered, by: "ada", reason: "seen")
    passed("resolved_delivered")
  }

  private func race(_ directory: StateDirectory, key: String, body: String) async throws(JournalError) {
    let ledger = try await SQLiteTriggerLedger.open(in: directory)
    waitForStart()
    switch try await ledger.intend(.probe(key), .probe(body)) {
    case .reserved(let attempt):
      guard ledger.maySend(attempt) else { return say("kept back") }
      let file = unsafe open(directory.path + "/received", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      let byte: [UInt8] = [1]
      _ = unsafe write(file, byte, 1)
      close(file)
      try await ledger.record(.acknowledged(outputs: "{}"), of: attempt)
      say("sent")
    case .spent: say("spent")
    case .conflict: say("conflict")
    case .busy: say("busy")
    case .expired: say("expired")
    }
  }

  private func hold(_ directory: StateDirectory, key: String) async throws(JournalError) {
    let ledger = try await SQLiteTriggerLedger.open(in: directory)
    let reservation = try await ledger.intend(.probe(key), .probe("body"))
    if case .reserved = reservation { say("held") } else { say("refused") }
    waitForStart()
    withExtendedLifetime(reservation) {}
  }

  private func runs(_ directory: StateDirectory, count: Int) async throws(JournalError) {
    let journal = try await SQLiteRunJournal.open(in: directory)
    try await journal.begin(.probe, .synced)
    say("0")
    for number in 1...count {
      try await journal.append([.probe(number)], to: "R", .synced)
      say("\(number)")
      // Written and not synced: what follows must sync again.
      try await journal.append([JournalEntry(.checkpoint, path: "\(number)", at: Timestamp(seconds: 0))], to: "R", .soon)
      _ = try await journal.runs(RunFilter(limit: 1))
    }
    kill(getpid(), SIGKILL)
  }

  private func unsynced(_ directory: StateDirectory, count: Int) async throws(JournalError) {
    let journal = try await SQLiteRunJournal.open(in: directory)
    try await journal.begin(.probe, .synced)
    for number in 1...count { try await journal.append([.probe(number)], to: "R", .soon) }
    say("\(try await journal.run("R")?.entries.count ?? 0)")
    kill(getpid(), SIGKILL)
  }

  private func written(_ directory: StateDirectory, count: Int) async throws(JournalError) {
    let journal = try await SQLiteRunJournal.open(in: directory)
    try await journal.begin(.probe, .written)
    for number in 1...count { try await journal.append([.probe(number)], to: "R", .written) }
    say("\(count)")
    kill(getpid(), SIGKILL)
  }

  private func fill(_ directory: StateDirectory) async throws(JournalError) {
    signal(SIGXFSZ, SIG_IGN)
    let journal = try await SQLiteRunJournal.open(in: directory)
    try await journal.begin(.probe, .synced)
    let filler = "\"" + String(repeating: "x", count: 20_000) + "\""
    for number in 1...1000 {
      do throws(JournalError) {
        try await journal.append(
          [JournalEntry(.ended, path: "\(number)", at: Timestamp(seconds: 0), outputs: filler)], to: "R", .synced)
        say("\(number)")
      } catch {
        say("error \(error.code.rawValue)")
        break
      }
    }
    let ledger = try await SQLiteTriggerLedger.open(in: directory)
    guard case .reserved(let attempt) = try await ledger.intend(.probe("K"), .probe("body")) else { return say("refused") }
    say(ledger.maySend(attempt) ? "sent" : "kept back \(attempt.refusal?.code.rawValue ?? "?")")
  }
}

extension TriggerKey {
  static func probe(_ key: String) -> TriggerKey { TriggerKey(environment: "live", system: "probe", key: key) }
}

extension TriggerRequest {
  static func probe(_ body: String) -> TriggerRequest {
    TriggerRequest(digest: body, idempotencyKey: nil, flow: "probe.flow.yaml", flowDigest: "f", operator: "ada", runID: "R")
  }
}

extension RunOpening {
  static let probe = RunOpening(
    id: "R", flow: "probe.flow.yaml", flowDigest: "f", environment: "live", startedAt: Timestamp(seconds: 0), operator: "ada",
    isSandbox: false, inputs: "{}")
}

extension JournalEntry {
  static func probe(_ number: Int) -> JournalEntry { JournalEntry(.ended, path: "\(number)", at: Timestamp(seconds: 0), outputs: "{}") }
}
