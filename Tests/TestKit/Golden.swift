import FoundationEssentials
package import Testing

/// Compares what a user sees with the recorded text in `Tests/<…>/Goldens/NAME`; `BATON_RECORD=1` records it anew.
package func expectGolden(
  _ actual: String, _ name: String, testFile: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(filePath: testFile).resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "Goldens")
  let file = folder.appending(path: name)
  if ProcessInfo.processInfo.environment["BATON_RECORD"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(actual.utf8).write(to: file)
    return
  }
  guard let recorded = try? Data(contentsOf: file) else {
    Issue.record("no golden \(name); record it with BATON_RECORD=1 and review it", sourceLocation: sourceLocation)
    return
  }
  #expect(actual == String(decoding: recorded, as: UTF8.self), "golden \(name)", sourceLocation: sourceLocation)
}
