import FoundationEssentials
import Steps
import StepKit
import TestKit
import Testing

@testable import BatonKit

/// What stands in `docs/steps` is what the steps declare; `BATON_RECORD=1` writes it anew.
@Suite struct StepsDocsTests {
  private static let folder = ProjectRoot.path + "docs/steps/"
  private static let files = CatalogueMarkdown(.standard).files

  @Test(arguments: files.map(\.name))
  func theCommittedPageIsTheGeneratedOne(_ name: String) throws {
    let page = try #require(Self.files.first { $0.name == name })
    let file = URL(filePath: Self.folder + name)
    if ProcessInfo.processInfo.environment["BATON_RECORD"] == "1" { try Data(page.text.utf8).write(to: file) }
    let committed = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(committed == page.text, "record it with BATON_RECORD=1")
  }

  @Test func noPageIsLeftOver() throws {
    #expect(try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted() == Self.files.map(\.name))
  }

  @Test(arguments: files.map(\.name))
  func everyLinkLeadsSomewhere(_ name: String) throws {
    let page = try #require(Self.files.first { $0.name == name })
    var known: [String: Set<String>] = [:]
    for target in links(in: page.text) {
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let file = parts[0].isEmpty ? name : String(parts[0])
      if known[file] == nil {
        let text = try Self.files.first { $0.name == file }?.text ?? String(contentsOf: URL(filePath: Self.folder + file), encoding: .utf8)
        known[file] = anchors(of: text)
      }
      if parts.count == 2 { #expect(known[file]?.contains(String(parts[1])) == true, "\(target)") }
    }
  }

  @Test func everyStepAndEveryErrorHasAPlace() throws {
    let index = try #require(Self.files.first { $0.name == "README.md" }).text
    for name in StepCatalogue.standard.stepNames {
      #expect(index.contains("[`\(name)`]("), "\(name)")
      for error in StepCatalogue.standard.step(name)?.errors ?? [] { #expect(index.contains("`\(error.code)`"), "\(error.code)") }
    }
  }

  /// What stands in the parentheses of `[text](target)`.
  private func links(in text: String) -> [String] {
    text.split(separator: "](").dropFirst().compactMap { $0.split(separator: ")", maxSplits: 1).first.map(String.init) }
  }

  /// Of headings, as GitHub makes them, and those that are written out.
  private func anchors(of text: String) -> Set<String> {
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
      String(
        line.drop { $0 == "#" || $0 == " " }.lowercased().compactMap {
          $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil
        })
    }
    let written = text.split(separator: "<a id=\"").dropFirst().compactMap { $0.split(separator: "\"").first.map(String.init) }
    return Set(headings + written)
  }
}
