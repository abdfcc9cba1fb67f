package import StepKit
import Values

extension SecureNode {
  /// One number of a snapshot with the label that a ringing phone shows.
  package struct SnapshotEntry: Hashable, Sendable {
    let number: String
    let label: String
  }

  /// What a phone's call directory is loaded from: numbers in ascending order, each with its label.
  struct Snapshot: Sendable {
    /// What a call directory takes.
    static let most = 5000

    let entries: [SnapshotEntry]
    /// Items without a digit or without a name, and those of a number that is there already.
    let skipped: Int
    /// Items beyond the most.
    let leftOut: Int

    /// Built from the whole directory: what a sync of changes brings would lose all others.
    init(_ directory: [Item]) {
      var seen: Set<String> = []
      let all = directory.compactMap(Self.entry).filter { seen.insert($0.number).inserted }
      let sorted = all.sorted { a, b in
        (a.number.utf8.count, a.number) < (b.number.utf8.count, b.number)
      }
      entries = Array(sorted.prefix(Self.most))
      skipped = directory.count - all.count
      leftOut = sorted.count - entries.count
    }

    private static func entry(_ item: Item) -> SnapshotEntry? {
      let digits = item.phoneNumberE164.filter { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, !item.brandName.isEmpty else { return nil }
      let reason = stated(item.callReason)
      return SnapshotEntry(number: digits, label: reason.map { "\(item.brandName) (\($0))" } ?? item.brandName)
    }

    func bytes(version: Int) -> [UInt8] {
      Array((["version": .int(Int64(version)), "entries": entries.value] as Value).json().utf8)
    }
  }

  /// What `current.json` says: which snapshot is in use, and how it is known again.
  struct SnapshotPointer: Sendable {
    let version: Int
    let snapshotPath: String
    let validatorPath: String
    let sha256: String
    let count: Int
    let createdAt: String
    let sinceCursor: String?
  }

  /// The files of snapshots in a folder. There are two places for a snapshot, and the one that is in use is never written:
  /// until the pointer has moved, the snapshot before it is whole.
  struct SnapshotFolder {
    static let pointerName = "current.json"
    let path: String
    let files: any FilePort

    /// What `current.json` says.
    /// - Throws: `config.file` where there is none, `securenode.snapshot_corrupt` where it cannot be read as one.
    func pointer() async throws(StepFailure) -> SnapshotPointer {
      let bytes = try await files.read(place(of: Self.pointerName))
      guard let value = try? JSON.parse(bytes), SnapshotPointer.shape.violations(in: value, unknown: .ignored).isEmpty else {
        throw snapshotCorrupt.local(detail: "`\(place(of: Self.pointerName))` is no pointer to a snapshot")
      }
      return SnapshotPointer(valid: value)
    }

    /// Writes a snapshot and its validator, looks at both again, and moves the pointer last.
    func commit(_ snapshot: Snapshot, at now: String, since: String?) async throws(StepFailure) -> SnapshotPointer {
      // What cannot be read is not in use either.
      let current = try? await pointer()
      let slot = current?.snapshotPath == "snapshot-a.json" ? "b" : "a"
      let version = (current?.version ?? 0) + 1
      let bytes = snapshot.bytes(version: version)
      let pointer = SnapshotPointer(
        version: version, snapshotPath: "snapshot-\(slot).json", validatorPath: "validator-\(slot).json", sha256: HashDigest.sha256(bytes),
        count: snapshot.entries.count, createdAt: now, sinceCursor: since)
      try await files.write(bytes, to: place(of: pointer.snapshotPath))
      try await files.write(Array(pointer.validator.json().utf8), to: place(of: pointer.validatorPath))
      _ = try await entries(of: pointer)
      try await files.write(Array((pointer.value.json(indent: 2) + "\n").utf8), to: place(of: Self.pointerName))
      return pointer
    }

    /// The entries that a pointer leads to, once checksum and count are what it says.
    /// - Throws: `securenode.snapshot_corrupt`, `config.file`.
    func entries(of pointer: SnapshotPointer) async throws(StepFailure) -> [SnapshotEntry] {
      for name in [pointer.snapshotPath, pointer.validatorPath] where name.contains("/") {
        throw snapshotCorrupt.local(detail: "the pointer leads to `\(name)`, out of its folder")
      }
      let bytes = try await files.read(place(of: pointer.snapshotPath))
      let validator = try? JSON.parse(try await files.read(place(of: pointer.validatorPath)))
      guard HashDigest.sha256(bytes) == pointer.sha256, validator == pointer.validator else {
        throw snapshotCorrupt.local(detail: "the checksum of `\(place(of: pointer.snapshotPath))` is another one than was written")
      }
      guard let list = (try? JSON.parse(bytes))?["entries"], [SnapshotEntry].shape.violations(in: list).isEmpty,
        list.listValue?.count == pointer.count
      else {
        throw snapshotCorrupt.local(detail: "`\(place(of: pointer.snapshotPath))` does not hold \(pointer.count) entries")
      }
      return [SnapshotEntry](valid: list)
    }

    func place(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
  }
}

extension SecureNode.SnapshotPointer {
  /// What stands beside a snapshot.
  fileprivate var validator: Value { ["version": .int(Int64(version)), "sha256": .string(sha256), "count": .int(Int64(count))] }
}

extension SecureNode.SnapshotEntry: DescribedRecord {
  package init(_ field: inout Fields) {
    number = field("number", "The digits of the number, its country's first.")
    label = field("label", "What is shown: the brand's name, and in brackets why it calls.")
  }
}

extension SecureNode.SnapshotPointer: DescribedRecord {
  init(_ field: inout Fields) {
    // One that nothing could follow is none of ours.
    version = field("version", "", minimum: 1, maximum: 1e15)
    snapshotPath = field("snapshot_path", "")
    validatorPath = field("validator_path", "")
    sha256 = field("sha256", "")
    count = field("count", "")
    createdAt = field("created_at", "")
    sinceCursor = field("since_cursor", "")
  }
}
