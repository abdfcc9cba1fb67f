import FoundationEssentials
import TestKit
import Testing

@Suite("Shipped flows pass the checker as they are")
struct ShippedFlowTests {
  @Test(arguments: ["http/health", "rapidsos/onboarding", "rapidsos/emergency"])
  func `without any finding`(name: String) throws {
    let url = URL(filePath: ProjectRoot.path).appending(path: "flows/\(name).flow.yaml")
    let checked = Checked(String(decoding: try Data(contentsOf: url), as: UTF8.self))
    #expect(checked.plan != nil)
    #expect(checked.text == "no findings\n")
  }
}
