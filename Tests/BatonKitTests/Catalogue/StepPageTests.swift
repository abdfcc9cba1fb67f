import Diagnostics
import SourceText
import StepKit
import Steps
import Testing
import Values
import YAMLTree

@testable import BatonKit

/// A step's page says all that its declaration holds.
@Suite struct StepPageTests {
  @Test func everythingOfAStepStandsOnItsPage() throws {
    let page = try #require(SampleCatalogue.page("shop/order"))
    #expect(
      page.text() == """
        shop/order
          Orders something.

          connection  Shop API: `baton steps shop` shows its settings
          effect      unsafe: doing it twice may do it twice; sent again only if nothing was sent, or the provider says that it did not act
          token       user, of whoever is signed in: by `shop/sign-in`

        inputs
          sku     string, 1–20 characters, required       The article.
          count   int, 1–9.5, required                    How many.
          to      string, an e-mail address, optional     Who gets it.
          note    secret string, optional                 For nobody else.
          lines   list of records, optional               What stands on it.
            text  string, at most 9 characters, required  What it says.
          tags    list of string, default []              Its tags.
          speed   slow | fast, default "slow"             How fast.
          extra   any value, optional                     Anything.

        outputs
          id  string, required  Its id.
          …   any value         Further members, as they are.

        errors, beside those of every request
          shop.sold_out  there is none left — order another
          shop.lost      nobody knows — the provider may have acted

        example
          - uses: shop/order
            with:
              sku: mug-1
              count: 2
              to: ada@example.test
              note: "no: #1"
              lines:
                - text: "12"
                - text: "yes"
              tags: []

        """)
  }

  @Test func aWordThatDecidesTheRestHasATableOfItsOwn() throws {
    let text = try #require(SampleCatalogue.page("note")).text()
    #expect(text.contains("\ninputs where `kind: number`\n  value  number, at most 5, required  The thing.\n"))
    #expect(!text.contains("kind: text`"))
  }

  @Test func aPageWrapsAtItsWidthAndLosesNothing() throws {
    let page = try #require(SampleCatalogue.page("shop/order"))
    let (wide, narrow) = (page.text(), page.text(TextLayout(width: 60)))
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 60 })
    #expect(wide.split(whereSeparator: \.isWhitespace) == narrow.split(whereSeparator: \.isWhitespace))
  }

  @Test func aSystemShowsWhatItsConnectionsNeed() throws {
    let group = try #require(SampleCatalogue.catalogue.groups.first { $0.name == "shop" })
    let text = SystemPage(group, in: SampleCatalogue.catalogue).text(TextLayout())
    #expect(text.contains("\n  base_url         string, a URL, required"))
    #expect(
      text.contains(
        """

        example
          connections:
            shop:
              base_url: https://shop.example.test/v1
              api_key: ${{ secrets.api_key }}
          secrets: [api_key]

        steps
          shop/order    Orders something.
          shop/sign-in  Signs a customer in.

        """))
  }

  @Test func theListHasAPartForEachSystem() {
    #expect(
      StepList.text(of: SampleCatalogue.catalogue.groups, TextLayout()) == """
        Shop API (shop, 2 steps)
          shop/order    Orders something.
          shop/sign-in  Signs a customer in.

        Built in (1 step)
          note          Writes something down.

        """)
  }
}

/// What holds for the page of every step that is shipped.
@Suite struct ShippedStepPagesTests {
  static let names = StepCatalogue.standard.stepNames

  private func page(_ name: String) throws -> StepPage {
    StepPage(try #require(StepCatalogue.standard.step(name)), in: .standard)
  }

  /// Pasted below `steps:`, it is the example that the step's exam runs.
  @Test(arguments: names) func theExampleReadsBackAsItself(_ name: String) throws {
    let page = try page(name)
    let text = "steps:\n" + page.example(indent: 2)
    let document = YAMLParse.document(SourceFile(path: "a.yaml", text: text))
    #expect(document.diagnostics.map(\.message) == [])
    let step = try #require(document.root).value["steps"]?.listValue?.first
    #expect(step?["uses"] == .string(name))
    #expect((step?["with"] ?? [:]).json() == StepPage.parsed(page.step.example.with).json(), "\(text)")
  }

  @Test(arguments: names) func aProgramGetsWhatAPersonSees(_ name: String) throws {
    let page = try page(name)
    let (text, value) = (page.text(), page.value)
    for field in page.step.input().allNames.union(page.step.output().allNames) { #expect(text.contains("  \(field) "), "\(field)") }
    for error in page.step.errors { #expect(text.contains(error.code)) }
    #expect(value["errors"]?.listValue?.count == page.step.errors.count)
    #expect(value["inputs"]?["properties"]?.mapValue?.count == page.step.input().fields.count)
    #expect(value["name"] == .string(name))
  }

  static let needing = names.filter { StepCatalogue.standard.step($0)?.about.needs.isEmpty == false }

  @Test(arguments: needing) func whatAStepNeedsStandsOnItsPageAndInItsExample(_ name: String) throws {
    let page = try page(name)
    let needed = page.step.about.needs.compactMap { need in if case .setting(let name) = need.what { name } else { nil } }
    #expect(page.value["needs"]?.listValue?.count == page.step.about.needs.count)
    for setting in needed { #expect(page.text().contains("`\(setting)`")) }
    // A step of no system's goes over any connection.
    guard let system = page.system else { return }
    #expect(needed.filter { system.settings().field($0) == nil } == [], "there is no such setting")
    let flow = try #require(YAMLParse.document(SourceFile(path: "a.yaml", text: page.wholeExample(indent: 0))).root).value
    let given = try #require(flow["connections"]?[system.name]?.mapValue)
    #expect(needed.filter { given[$0] == nil } == [])
    #expect(flow["steps"]?.listValue?.first?["uses"] == .string(name))
  }

  /// What is copied from it takes every step of the system.
  @Test(arguments: StepCatalogue.standard.systems.filter { !$0.steps.isEmpty }.map(\.name))
  func theConnectionOfASystemsPageHasWhatItsStepsNeed(_ name: String) throws {
    let group = try #require(StepCatalogue.standard.groups.first { $0.name == name })
    let system = try #require(group.system)
    let text = system.connectionExample(for: group.steps)
    let flow = try #require(YAMLParse.document(SourceFile(path: "a.yaml", text: text)).root).value
    let given = try #require(flow["connections"]?[name]?.mapValue)
    for need in group.steps.flatMap(\.about.needs) {
      if case .setting(let setting) = need.what { #expect(given[setting] != nil, "\(setting)") }
    }
    #expect(system.settings().violations(in: given).filter { $0.reason == .missing } == [])
    #expect(SystemPage(group, in: .standard).text(TextLayout()).contains(text.split(separator: "\n").map { "  \($0)\n" }.joined()))
  }

  @Test func aTokenMayComeFromASetting() throws {
    #expect(try page("oya/get-customer").text().contains("by `oya/authorize-apple`, or `id_token` in the connection's settings"))
    #expect(try page("afero/list-devices").text().contains("`username` and `password` in the connection's settings"))
  }

  @Test func aPageSaysWhichStepsSignOut() throws {
    #expect(try page("ostelco/logout").text().contains("signs the user of its connection out\n"))
    #expect(try page("sami/logout").text().contains("signs the user of its connection out where `forget: true`\n"))
    #expect(try page("sami/logout").value["signs_out"] == true)
    #expect(try page("ostelco/login").value["signs_out"] == false)
  }

  @Test func aPageTellsWhenASettingIsNeeded() throws {
    #expect(try page("sami/authorize").needsWords == "`accounts_url`; `redirect_uri` unless the step has it")
    #expect(try page("sami/get-device-type").needsWords == "`accounts_url` and `client_secret` where `as: app`")
    #expect(try page("rapidsos/register").needsWords == nil)
  }
}
