package import StepKit
import Values

extension SecureNode {
  /// `securenode/write-snapshot`
  package enum WriteSnapshot: StepHandler {
    package static let about = About(
      "securenode/write-snapshot", "Writes what a phone's call directory is loaded from: checked first, and put in use last.",
      effect: .idempotent)
    package static let errors = [snapshotCorrupt]
    package static let example = Example(
      with: #"{"directory": [{"phone_number_e164": "+61412345678", "brand_name": "Harbour Clinic", "call_reason": "Reminder"}]}"#,
      outputs: """
        {"entries": 1, "skipped": 0, "left_out": 0, "sha256": "*", "labels": [{"number": "61412345678", "label": "Harbour Clinic (Reminder)"}]}
        """)

    package struct Input: Sendable {
      let directory: [Item]
      let folder: String?
      let sinceCursor: String?
    }

    package struct Output: Sendable {
      let entries: Int
      let skipped: Int
      let leftOut: Int
      let sha256: String
      let labels: [SnapshotEntry]?
      let version: Int?
      let path: String?
      let createdAt: String?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let snapshot = Snapshot(input.directory)
      guard let path = input.folder else {
        return Output(
          entries: snapshot.entries.count, skipped: snapshot.skipped, leftOut: snapshot.leftOut,
          sha256: HashDigest.sha256(snapshot.bytes(version: 1)), labels: snapshot.entries, version: nil, path: nil, createdAt: nil)
      }
      let folder = SnapshotFolder(path: path, files: ports.files)
      let pointer = try await folder.commit(snapshot, at: now(ports), since: stated(input.sinceCursor))
      return Output(
        entries: pointer.count, skipped: snapshot.skipped, leftOut: snapshot.leftOut, sha256: pointer.sha256, labels: nil,
        version: pointer.version, path: folder.place(of: pointer.snapshotPath), createdAt: pointer.createdAt)
    }
  }

  /// `securenode/read-snapshot`
  package enum ReadSnapshot: StepHandler {
    package static let about = About(
      "securenode/read-snapshot", "Reads the snapshot that is in use, and checks that it is what was written.", effect: .read)
    package static let errors = [snapshotCorrupt]
    package static let example = Example(with: #"{"folder": "out"}"#, outputs: #"{"found": false, "problem": "*", "entries": []}"#)

    package struct Input: Sendable { let folder: String }

    package struct Output: Sendable {
      let found: Bool
      let problem: String?
      let entries: [SnapshotEntry]
      let version: Int?
      let count: Int?
      let sha256: String?
      let createdAt: String?
      let sinceCursor: String?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let folder = SnapshotFolder(path: input.folder, files: ports.files)
      let pointer: SnapshotPointer
      do throws(StepFailure) {
        pointer = try await folder.pointer()
      } catch {
        guard error.code == "config.file" else { throw error }
        return Output(
          found: false, problem: error.detail, entries: [], version: nil, count: nil, sha256: nil, createdAt: nil, sinceCursor: nil)
      }
      return Output(
        found: true, problem: nil, entries: try await folder.entries(of: pointer), version: pointer.version, count: pointer.count,
        sha256: pointer.sha256, createdAt: pointer.createdAt, sinceCursor: pointer.sinceCursor)
    }
  }
}

extension SecureNode.WriteSnapshot.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    directory = field("directory", "All numbers that are stored, not only those that have changed.")
    folder = field(
      "folder", "Where it is written, from the flow's folder on, which must be there. Left out, it is only worked out: `labels` has it.",
      minLength: 1)
    sinceCursor = field("since_cursor", "The `synced_at` of the sync that it stands for.", constraint: .written(.timeOrEmpty))
  }
}

extension SecureNode.WriteSnapshot.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    entries = field("entries", "How many numbers it has; 5000 at most.")
    skipped = field("skipped", "How many items have no digits or no name, or a number that is there already.")
    leftOut = field("left_out", "How many were too many.")
    sha256 = field("sha256", "The checksum of the file, in hexadecimal.")
    labels = field("labels", "The numbers with their labels, where nothing is written.")
    version = field("version", "The number of this snapshot, one more than of the one before.")
    path = field("path", "The file that is in use from now on; `current.json` beside it says so.")
    createdAt = field("created_at", "When it was written, in ISO 8601.")
  }
}

extension SecureNode.ReadSnapshot.Input: DescribedRecord {
  package init(_ field: inout Fields) { folder = field("folder", "Where it was written, from the flow's folder on.", minLength: 1) }
}

extension SecureNode.ReadSnapshot.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    found = field("found", "Whether there is one.")
    problem = field("problem", "Why there is none.")
    entries = field("entries", "Its numbers with their labels, in ascending order.")
    version = field("version", "Its number.")
    count = field("count", "How many entries it has.")
    sha256 = field("sha256", "The checksum of its file, in hexadecimal.")
    createdAt = field("created_at", "When it was written, in ISO 8601.")
    sinceCursor = field("since_cursor", "The `synced_at` of the sync that it stands for.")
  }
}
