import Glibc
import Journal

/// Where a user's records lie: the journal of runs in the state directory, and the ledger of triggers, of which a host
/// has one for each user whatever directory a command is given.
enum RecordPlaces {
  /// `$BATON_STATE_DIR`, else `baton` in `$XDG_STATE_HOME`, else in `~/.local/state` (XDG Base Directory 0.8).
  static func state() throws(FileFailure) -> String {
    if let own = variable("BATON_STATE_DIR") { return own }
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return FileAccess.joined(state, "baton") }
    guard let home = variable("HOME") else {
      throw FileFailure(message: "there is no place for what runs leave behind; name a folder in `BATON_STATE_DIR`")
    }
    return FileAccess.joined(home, ".local/state/baton")
  }

  /// `$BATON_TRIGGER_DIR`, else `.local/state/baton` in the home that the system has for the user: a variable that two
  /// shells set differently must not part what may happen once.
  static func triggers() throws(FileFailure) -> String {
    if let own = variable("BATON_TRIGGER_DIR") { return own }
    guard let entry = unsafe getpwuid(geteuid()), let home = unsafe entry.pointee.pw_dir, unsafe home[0] != 0 else {
      throw FileFailure(message: "there is no place for the ledger of emergencies; name a folder in `BATON_TRIGGER_DIR`")
    }
    return unsafe FileAccess.joined(String(cString: home), ".local/state/baton")
  }

  private static func variable(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    let value = unsafe String(cString: text)
    return value.isEmpty ? nil : value
  }
}

extension SQLiteRunJournal {
  /// The journal of this user's runs.
  static func standard() async throws(JournalError) -> SQLiteRunJournal {
    try await open(in: try StateDirectory(placed: RecordPlaces.state))
  }
}

extension SQLiteTriggerLedger {
  /// The ledger of this user's triggers on this host.
  static func standard() async throws(JournalError) -> SQLiteTriggerLedger {
    try await open(in: try StateDirectory(placed: RecordPlaces.triggers))
  }
}

extension StateDirectory {
  /// - Throws: also why there is no such place.
  init(placed place: () throws(FileFailure) -> String) throws(JournalError) {
    let path: String
    do throws(FileFailure) {
      path = try place()
    } catch {
      throw JournalError(.notFound, error.message)
    }
    try self.init(path)
  }
}
