import FoundationEssentials
import StepKit
import Steps
import TestKit
import Testing

/// `docs/systems.md` lists every step of every system, and none besides.
@Suite struct SystemsDocTests {
  private static let systems = StepCatalogue.standard.systems.filter { !$0.steps.isEmpty }.map(\.name)

  private static func text() throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: ProjectRoot.path + "docs/systems.md")), as: UTF8.self)
  }

  /// The step in the first cell of each row, such as ``| `rapidsos/register` | … |``.
  private static func listed() throws -> [String] {
    try text().split(separator: "\n").compactMap { line in
      guard line.hasPrefix("| `"), let name = line.split(separator: "`").dropFirst().first, name.contains("/") else { return nil }
      return String(name)
    }
  }

  @Test func thereAreSystems() throws {
    #expect(!Self.systems.isEmpty)
    #expect(try Self.listed().count > Self.systems.count)
  }

  @Test(arguments: systems) func everyStepIsListedAndEveryListedOneExists(_ system: String) throws {
    let listed = try Self.listed().filter { $0.hasPrefix("\(system)/") }
    let known = try #require(StepCatalogue.standard.system(system)).steps.map(\.about.name).sorted()
    #expect(Set(known).subtracting(listed).sorted() == [], "not in docs/systems.md")
    #expect(Set(listed).subtracting(known).sorted() == [], "only in docs/systems.md")
    #expect(listed == listed.sorted() && Set(listed).count == listed.count)
  }

  @Test(arguments: systems) func everySystemHasItsPart(_ system: String) throws {
    #expect(try Self.text().contains("\n## \(system)\n"))
    #expect(try Self.text().contains("\n### Steps of \(system)\n"))
  }

  @Test func nothingIsListedOfASystemThatIsUnknown() throws {
    let known = Set(StepCatalogue.standard.systems.map(\.name))
    #expect(try Set(Self.listed().compactMap { $0.split(separator: "/").first.map(String.init) }).subtracting(known) == [])
  }
}
