import HTTPTypes
import StepKit
import Testing
import Values

@Suite("The routes of an emergency")
struct EmergencyRoutesTests {
  private let routes = EmergencyRoutes(alarms, hosts: ["alarms": ["Proxy.Example.test.", "*.alarms.example.test"]])

  @Test(
    "are refused to every other request, however its URL is written",
    arguments: [
      "https://api.alarms.test/v1/alarm/trigger",
      "http://api.alarms.test:8443/v1/alarm/trigger?now=1#top",
      "https://API.Alarms.TEST/v1/alarm/trigger",
      "https://api.alarms.test./v1/alarm/trigger",
      "https://api.alarms.test../v1/alarm/trigger",
      // hosts that a flow or an environment names
      "https://proxy.example.test/v1/alarm/trigger",
      "https://eu.west.alarms.example.test/v1/alarm/trigger",
      // slashes and dots
      "https://api.alarms.test/v1/alarm/trigger/",
      "https://api.alarms.test//v1///alarm/trigger//",
      "https://api.alarms.test/v1/./alarm/x/../trigger",
      "https://api.alarms.test/v1/alarm/x/%2e%2e/trigger",
      "https://api.alarms.test/v1/alarm/x/%252e%252E/trigger",
      "https://api.alarms.test/v1/alarm/x/..;/trigger",
      "https://api.alarms.test/v1/alarm%5Ctrigger",
      // letters
      "https://api.alarms.test/v1/%61larm/trigge%72",
      "https://api.alarms.test/v1/%2561larm/trigger",
      "https://api.alarms.test/v1%2Falarm%2ftrigger",
      "https://api.alarms.test/V1/Alarm/TRIGGER",
      // what stands before, beside and behind
      "https://api.alarms.test/gateway/v1/alarm/trigger",
      "https://api.alarms.test/gateway%3Fa/v1/alarm/trigger",
      "https://api.alarms.test/v1;a=b/alarm/trigger;c=d",
      "https://api.alarms.test/v1/alarm/trigger%3Bc",
      "https://api.alarms.test/v1/alarm/trigger%3Fa=b/c",
      "https://api.alarms.test/v1/alarm/trigger%23top",
      "https://api.alarms.test/v1/alarm/trigger%00.json",
      "https://api.alarms.test/v1/alarm/trigger%20",
      // a name in the route is any one segment
      "https://api.alarms.test/v1/flows/%37/start",
    ])
  func refused(url: String) throws {
    let failure = try #require(routes.refusal(.post, WebAddress(url)))
    #expect(failure.code == "config.emergency_route" && !failure.isCatchable && failure.sent == .no)
    #expect(failure.detail.contains("`alarms/trigger`"))
  }

  @Test(
    "are no others",
    arguments: [
      "https://api.alarms.test/v1/alarm", "https://api.alarms.test/v1/alarm/trigger/log", "https://api.alarms.test/alarm/trigger",
      "https://api.alarms.test/v1/alarm/triggers", "https://api.alarms.test/v1/alarm/%74rigge", "https://api.alarms.test/v1/flows/start",
      "https://api.alarms.test/v1/flows/a/b/start", "https://api.alarms.test/?next=/v1/alarm/trigger",
      // hosts of nobody, or of a system without emergencies
      "https://example.test/v1/alarm/trigger", "https://api.alarms.test.example.test/v1/alarm/trigger",
      "https://notproxy.example.test/v1/alarm/trigger", "https://alarms.example.test/v1/alarm/trigger",
      "https://api.shop.test/v1/alarm/trigger",
      // the sandbox
      "http://127.0.0.1:8080/v1/alarm/trigger", "http://localhost/v1/alarm/trigger", "http://[::1]/v1/alarm/trigger",
    ])
  func free(url: String) throws {
    #expect(try routes.refusal(.post, WebAddress(url)) == nil)
  }

  @Test("are of one method, in whatever case a server may read it") func method() throws {
    let address = try WebAddress("https://api.alarms.test/v1/alarm/trigger")
    #expect(routes.refusal(.get, address) == nil && routes.refusal(.put, address) == nil)
    #expect(routes.refusal(try #require(HTTPRequest.Method("Post")), address) != nil)
  }

  @Test("are known by their system where no host is") func bySystem() {
    #expect(routes.owner(of: "POST", path: "/v1//alarm/Trigger/", ofSystem: "alarms") == "alarms/trigger")
    #expect(routes.owner(of: "POST", path: "/v1/alarm/trigger", ofSystem: "shop") == nil)
    #expect(routes.owner(of: "GET", path: "/v1/alarm/trigger", ofSystem: "alarms") == nil)
  }

  @Test("do not show the query, which may hold what is secret") func query() throws {
    let failure = routes.refusal(.post, try WebAddress("https://api.alarms.test/v1/alarm/trigger?key=hunter2"))
    #expect(failure?.detail.contains("hunter2") == false)
  }

  @Test("cost little, however long a path is") func hostile() throws {
    let path = "/%" + String(repeating: "25", count: 100_000) + "61"
    #expect(try routes.refusal(.post, WebAddress("https://api.alarms.test\(path)")) == nil)
  }
}

private let alarms = StepCatalogue(
  systems: [
    SystemDescription(
      name: "alarms", title: "Alarms", settings: { RecordShape([]) }, tokens: nil, steps: [AnyStep(Trigger.self)],
      hosts: ["api.alarms.test"]),
    SystemDescription(name: "shop", title: "A shop", settings: { RecordShape([]) }, tokens: nil, steps: [], hosts: ["api.shop.test"]),
  ], builtIn: [])

private enum Trigger: StepHandler {
  static let about = About(
    "alarms/trigger", "Sets off an alarm.", effect: .once, isEmergency: true,
    reserves: [ReservedRoute("POST", "/v1/alarm/trigger"), ReservedRoute("POST", "/v1/flows/{name}/start")])
  static let example = Example(with: "{}", outputs: "{}")

  struct Nothing: DescribedRecord {
    init(_ field: inout Fields) {}
  }

  static func run(_ input: Nothing, _ ports: Ports) async throws(StepFailure) -> Nothing { input }
}
