import StepKit
import Steps
import Testing

@Suite("Who signs in on a connection, as messages name it")
struct WaysInTests {
  @Test(
    "the steps of its system, and one setting or two",
    arguments: [
      ("rapidsos", ["`rapidsos/authenticate`", "`username` and `password` in the connection's settings"]),
      ("oya", ["`oya/authorize-apple`", "`id_token` in the connection's settings"]), ("http", []), ("securenode", []),
    ])
  func ways(system: String, ways: [String]) throws {
    #expect(try #require(StepCatalogue.standard.system(system)).waysIn == ways)
  }

  @Test("one step stands for many")
  func many() throws {
    let sami = try #require(StepCatalogue.standard.system("sami"))
    #expect(sami.steps.count { $0.about.signsIn } > 3)
    #expect(sami.waysIn == ["a step such as `\(try #require(sami.steps.first { $0.about.signsIn }).about.name)`"])
  }
}
