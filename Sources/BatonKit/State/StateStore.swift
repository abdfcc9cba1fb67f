import Glibc
import Journal
import Values

/// What a flow keeps between runs, one file for each flow, environment and `state_key`.
///
/// A file is replaced whole: written beside, synced, renamed. The folder is the user's alone.
struct StateStore {
  /// Whose state it is.
  struct Key: Hashable {
    /// The flow's file, absolute and without links.
    let flow: String
    /// Empty where the run has no environment.
    let environment: String
    /// The text of `state_key`; empty where the flow has none.
    let key: String
  }

  struct Entry {
    let key: Key
    let values: ValueMap
    let file: String
  }

  let folder: String

  static func standard() throws(FileFailure) -> StateStore {
    StateStore(folder: FileAccess.joined(try RecordPlaces.state(), "state"))
  }

  /// The values as the last run left them; empty where there was none.
  func load(_ key: Key) throws(FileFailure) -> ValueMap {
    let path = path(of: key)
    guard FileAccess.exists(path) else { return ValueMap() }
    let entry = try entry(at: path)
    guard entry.key == key else { throw FileFailure(message: "`\(path)` holds the state of `\(entry.key.flow)`; remove it to begin anew") }
    return entry.values
  }

  /// Makes the folder, so that a run whose state has no place is refused before it sends anything.
  func prepare() throws(FileFailure) {
    // The folder around it is the user's alone from its first moment: the journal lies there too.
    do throws(JournalError) { _ = try StateDirectory(Project.folder(of: folder)) } catch { throw FileFailure(message: error.description) }
    try FileAccess.createFolders(above: FileAccess.joined(folder, "-"))
    var status = stat()
    guard unsafe stat(folder, &status) == 0, status.st_uid == geteuid() else {
      throw FileFailure(message: "the folder `\(folder)` belongs to another user; name one of yours in `BATON_STATE_DIR`")
    }
    guard unsafe chmod(folder, 0o700) == 0, unsafe access(folder, W_OK) == 0 else {
      throw FileFailure(message: "the folder `\(folder)` cannot be written: \(FileAccess.reason(errno))")
    }
  }

  func save(_ values: ValueMap, for key: Key) throws(FileFailure) {
    let path = path(of: key)
    try prepare()
    var document = ValueMap()
    document["flow"] = .string(key.flow)
    document["environment"] = .string(key.environment)
    document["key"] = .string(key.key)
    document["values"] = .map(values)
    try FileAccess.write(Value.map(document).json() + "\n", to: path, isPrivate: true)
  }

  func remove(_ file: String) throws(FileFailure) {
    guard unsafe unlink(file) == 0 || errno == ENOENT else {
      throw FileFailure(message: "`\(file)` cannot be removed: \(FileAccess.reason(errno))")
    }
  }

  /// Every state that is kept, sorted by its key, and what is wrong with the files that hold none.
  func entries() -> (sound: [Entry], broken: [FileFailure]) {
    var (sound, broken): ([Entry], [FileFailure]) = ([], [])
    for path in FileAccess.files(below: folder, ending: ".json") {
      do throws(FileFailure) { sound.append(try entry(at: path)) } catch { broken.append(error) }
    }
    sound.sort { ($0.key.flow, $0.key.environment, $0.key.key) < ($1.key.flow, $1.key.environment, $1.key.key) }
    return (sound, broken)
  }

  /// The file of a key that is there and holds no state; nil otherwise.
  func brokenFile(of key: Key) -> String? {
    let path = path(of: key)
    guard FileAccess.exists(path) else { return nil }
    do throws(FileFailure) { return try entry(at: path).key == key ? nil : path } catch { return path }
  }

  private func entry(at path: String) throws(FileFailure) -> Entry {
    guard !FileAccess.isLink(path) else {
      throw FileFailure(message: "`\(path)` is a link, and no state of a flow; remove it to begin anew")
    }
    let document: ValueMap?
    do {
      document = try JSON.parse(try FileAccess.read(path)).mapValue
    } catch let failure as FileFailure {
      throw failure
    } catch {
      document = nil
    }
    guard let document, let flow = document["flow"]?.stringValue, let values = document["values"]?.mapValue else {
      throw FileFailure(message: "`\(path)` is no state of a flow; remove it to begin anew")
    }
    let key = Key(flow: flow, environment: document["environment"]?.stringValue ?? "", key: document["key"]?.stringValue ?? "")
    return Entry(key: key, values: values, file: path)
  }

  /// The flow's name, for people, and a digest of the whole key, for certainty.
  private func path(of key: Key) -> String {
    let name = key.flow.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
    let plain = String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }.prefix(40))
    let digest = Self.digest("\(key.flow)\u{0}\(key.environment)\u{0}\(key.key)")
    return FileAccess.joined(folder, "\(plain)-\(digest).json")
  }

  /// FNV-1a, 64 bits: parts file names, and guards nothing.
  private static func digest(_ text: String) -> String {
    let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
