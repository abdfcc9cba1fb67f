package import FoundationEssentials

/// Where the project and what stands beside it are found on disk.
package enum ProjectRoot {
  /// The folder that holds Package.swift.
  package static let path: String = {
    let real = URL(filePath: #filePath).resolvingSymlinksInPath()
    return real.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path()
  }()

  /// A file or folder of the third-party conformance data, or nil where it is absent.
  package static func conformance(_ relative: String) -> URL? {
    let url = URL(filePath: path).appending(path: "../shared/conformance/\(relative)")
    return FileManager.default.fileExists(atPath: url.path()) ? url : nil
  }
}
