import Diagnostics
import Journal
import Reporters
import Values

/// `baton show RUN`: one run told from its records, and what to do next.
public struct ShowCommand: Sendable {
  /// A run's id, or a beginning of it that no other has.
  public var run: String
  public var printsJSON: Bool
  /// Where a redacted archive goes, for handing the run to others.
  public var bundle: String?
  /// Of this program, as the archive names it.
  public var version: String

  public init(run: String, printsJSON: Bool = false, bundle: String? = nil, version: String) {
    self.run = run
    self.printsJSON = printsJSON
    self.bundle = bundle
    self.version = version
  }

  /// 0, or 2 where there is no such run or the archive cannot be written.
  public func execute(_ terminal: Terminal) async -> Int {
    await Answer.give(on: terminal, isRedacted: printsJSON) { records async throws(RecordsRefusal) in
      try await answer(records, style: terminal.style(.output))
    }
  }

  func answer(_ records: Records, style: ConsoleStyle) async throws(RecordsRefusal) -> Answer {
    let id = try await records.runID(named: run)
    guard let story = try await records.reading(id)?.story else { throw RecordsRefusal(.unknownName, "there is no run `\(run)`") }
    if let bundle {
      let archive = RunBundle(story: story, version: version, now: records.now)
      do throws(FileFailure) { try FileAccess.write(archive.text, to: bundle, isPrivate: true) } catch { throw RecordsRefusal(error) }
      if bundle.hasPrefix("/dev/") { return Answer(output: "") }
      let names = archive.files.map(\.name).joined(separator: ", ")
      return Answer(output: "wrote \(shownText(bundle)): \(names)\nsecrets are hidden in it; look through it before you hand it on\n")
    }
    return Answer(
      output: printsJSON ? RecordsJSON.text(RecordsJSON.value(of: story)) : story.text(style: style, now: records.now))
  }
}
