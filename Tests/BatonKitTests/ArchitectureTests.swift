import FoundationEssentials
import Glibc
import TestKit
import Testing

/// A module imports only what its entry in Package.swift names: SwiftPM lets an undeclared transitive import pass.
@Suite struct ArchitectureTests {
  @Test func everyImportIsDeclared() throws {
    let declared = try Manifest.read()
    var undeclared: [String] = []
    for (target, allowed) in declared {
      for (file, module) in imports(of: target) where !allowed.contains(module) && !Self.toolchain.contains(module) {
        undeclared.append("\(file) imports \(module)")
      }
    }
    #expect(declared.count > 15)
    #expect(undeclared.sorted() == [])
  }

  @Test func eachCLibraryHasOneOwner() throws {
    let owners = ["CLibYAML": "YAMLTree", "CLibCurl": "HTTPTransport", "CRE2": "CEL"]
    for (library, owner) in owners {
      let users = try Manifest.read().filter { $0.value.contains(library) }.map(\.key)
      #expect(users == [owner], "\(library)")
    }
  }

  /// Nothing links full Foundation and its ICU.
  @Test func nothingImportsFoundation() throws {
    for target in try Manifest.read().keys {
      #expect(imports(of: target).filter { $0.module == "Foundation" }.map(\.file) == [])
    }
  }

  private static let toolchain: Set = ["Swift", "Synchronization", "Glibc", "FoundationEssentials", "Dispatch", "_Concurrency"]

  private func imports(of target: String) -> [(file: String, module: String)] {
    let folder = ProjectRoot.path + "Sources/" + target
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    var found: [(file: String, module: String)] = []
    for name in files where name.hasSuffix(".swift") {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
      for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let position = words.firstIndex(of: "import"), position <= 1, words.count > position + 1 else { continue }
        guard position == 0 || ["package", "public", "internal", "private", "@testable"].contains(String(words[0])) else { continue }
        found.append(("\(target)/\(name)", String(words[position + 1])))
      }
    }
    return found
  }
}

/// The targets of Package.swift and what each names, read from its text: `swift package` would wait for the lock that
/// `swift test` holds.
private enum Manifest {
  static func read() throws -> [String: Set<String>] {
    let text = String(decoding: try Data(contentsOf: URL(filePath: ProjectRoot.path + "Package.swift")), as: UTF8.self)
    var targets: [String: Set<String>] = [:]
    for entry in try #require(text.firstRange(of: "targets: [\n    //")).upperBound.entries(of: text) {
      var names = quoted(entry)
      guard !names.isEmpty else { continue }
      let target = names.removeFirst()
      if entry.contains("httpTypes") { names.append("HTTPTypes") }
      targets[target] = Set(names)
    }
    return targets
  }

  private static func quoted(_ entry: Substring) -> [String] {
    entry.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}

extension String.Index {
  /// The parts of the text that start with `module(` or the executable's entry.
  fileprivate func entries(of text: String) -> [Substring] {
    let rest = text[self...]
    let starts = ["module(", "    .executableTarget(", "    .target(name: \"TestKit\"", "    tests("].flatMap {
      rest.ranges(of: $0).map(\.lowerBound)
    }.sorted()
    return zip(starts, starts.dropFirst() + [rest.endIndex]).map { rest[$0..<$1] }.filter {
      $0.hasPrefix("module(") || $0.hasPrefix("    .executableTarget(")
    }
  }
}
