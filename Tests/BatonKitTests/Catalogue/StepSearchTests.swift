import StepKit
import Steps
import Testing

@testable import BatonKit

/// Words find steps by their names, summaries, fields and error codes.
@Suite struct StepSearchTests {
  private func names(_ words: String...) -> [String] {
    StepSearch(words).matches(in: SampleCatalogue.catalogue).map(\.step.about.name)
  }

  @Test(arguments: [
    ("order", ["shop/order"]), ("shop", ["shop/order", "shop/sign-in"]), ("customer", ["shop/sign-in"]), ("SKU", ["shop/order"]),
    ("sold-out", ["shop/order"]), ("lin", ["shop/order"]), ("writes", ["note"]), ("banana", []),
  ])
  func oneWord(_ word: String, _ expected: [String]) {
    #expect(names(word) == expected)
  }

  /// `note` is a step's name, and a field of another step.
  @Test func aNameStandsBeforeAField() {
    #expect(names("note") == ["note", "shop/order"])
  }

  @Test func everyWordMustBeFound() {
    #expect(names("shop", "signs") == ["shop/sign-in"])
    #expect(names("shop signs") == ["shop/sign-in"])
    #expect(names("shop", "writes") == [])
  }

  @Test func aMatchSaysWhereAWordIsThatNobodySees() {
    let places = StepSearch(["sku", "sold", "order"]).matches(in: SampleCatalogue.catalogue).first?.places
    #expect(places == ["input `sku`", "error `shop.sold_out`"])
  }

  @Test(arguments: [
    (["shop/odrer"], ["did you mean `shop/order`?"]), (["sign-im"], ["did you mean `shop/sign-in`?"]), (["shpo"], ["did you mean `shop`?"]),
    (["zzzzzz"], ["`baton steps` lists them all"]),
    (["shop", "ordr"], ["`shop` alone finds 2 steps", "nothing has `ordr`: did you mean `shop/order`?"]),
  ])
  func whoFindsNothingIsHelped(_ words: [String], _ help: [String]) {
    #expect(StepSearch(words).matches(in: SampleCatalogue.catalogue).isEmpty)
    #expect(StepSearch(words).help(in: SampleCatalogue.catalogue) == help)
  }

  /// Whatever is shipped is found by its own name, first.
  @Test(arguments: StepCatalogue.standard.stepNames)
  func everyStepIsFoundByItsName(_ name: String) {
    #expect(StepSearch([name]).matches(in: .standard).first?.step.about.name == name)
  }
}
