import Glibc
import Journal
import Reporters
import Values

/// A run as files to hand to others: nothing in them is secret, or says where this user's home lies.
struct RunBundle {
  let story: RecordedStory
  let version: String
  let now: Timestamp
  var homes = RunBundle.homesOfUser

  var files: [TarArchive.File] {
    var files = [
      file("run.json", shortened(RecordsJSON.text(RecordsJSON.value(of: story)))),
      file("story.txt", shortened(story.text(style: ConsoleStyle(), now: now))),
      file("version.txt", "baton \(version)\n\(Self.system)\n"),
    ]
    files.insert(flow, at: 2)
    return files
  }

  /// The archive. All that is in it is UTF-8, and so is the whole.
  var text: String { String(decoding: TarArchive(files: files, folder: "baton-run-\(folderName)", at: now).bytes, as: UTF8.self) }

  private func file(_ name: String, _ text: String) -> TarArchive.File { .init(name: name, bytes: Array(text.utf8)) }

  /// An id is a few plain letters, unless somebody has changed the journal.
  private var folderName: String {
    String(
      String.UnicodeScalarView(
        story.run.id.unicodeScalars.filter { ("0"..."9").contains($0) || ("a"..."z").contains($0) || $0 == "-" }.prefix(32)))
  }

  // MARK: flow

  /// The text that ran, byte for byte; a note where it is another now.
  private var flow: TarArchive.File {
    let path = story.run.flow
    guard !path.isEmpty, let bytes = try? FileAccess.read(path) else {
      return note("the flow's file is not there any more")
    }
    // Behind a point stands the digest of the flows that it calls.
    guard story.flowDigest.prefix(while: { $0 != "." }) == ContentDigest.of(bytes) else {
      return note("the flow's file has changed since the run")
    }
    // What is no UTF-8 was no flow.
    guard String(validating: bytes, as: UTF8.self) != nil else { return note("the flow's file is not readable") }
    return .init(name: "flow.yaml", bytes: bytes)
  }

  private func note(_ text: String) -> TarArchive.File {
    file("flow.txt", "\(text): \(shortened(story.run.flow))\ndigest when it ran: \(story.flowDigest)\n")
  }

  // MARK: home

  /// The texts with every home folder as `~`.
  private func shortened(_ text: String) -> String {
    homes.reduce(text) { text, home in
      var shown = ""
      var rest = text[...]
      while let found = rest.firstRange(of: home) {
        // `/home/ada` is no part of `/home/adam`.
        let next = rest[found.upperBound...].unicodeScalars.first
        let isWhole = next.map { !($0.properties.isAlphabetic || ("0"..."9").contains($0) || "_-.".unicodeScalars.contains($0)) } ?? true
        shown += rest[..<found.lowerBound] + (isWhole ? "~" : home)
        rest = rest[found.upperBound...]
      }
      return shown + rest
    }
  }

  /// As the system has it, and as `HOME` says; the longest first.
  private static var homesOfUser: [String] {
    var homes: Set<String> = []
    if let entry = unsafe getpwuid(getuid()), let home = unsafe entry.pointee.pw_dir { homes.insert(unsafe String(cString: home)) }
    if let home = unsafe getenv("HOME") { homes.insert(unsafe String(cString: home)) }
    homes.formUnion(homes.map(FileAccess.resolved))
    let trimmed = homes.map { home in String(home.reversed().drop { $0 == "/" }.reversed()) }
    return Set(trimmed.filter { !$0.isEmpty }).sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
  }

  // MARK: version

  /// `Linux 6.1.0 x86_64`; never the name of the machine.
  private static var system: String {
    var names = utsname()
    guard unsafe uname(&names) == 0 else { return "unknown system" }
    return [text(&names.sysname), text(&names.release), text(&names.machine)].joined(separator: " ")
  }

  private static func text<T>(_ field: inout T) -> String {
    unsafe withUnsafeBytes(of: &field) { bytes in unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
