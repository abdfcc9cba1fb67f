import StepKit
import Testing
import Values

@Suite("Validation against a shape")
struct ShapeViolationTests {
  @Test("reports every violation with its place, in the order of the fields")
  func all() {
    let map = ValueMap.of([
      "order_id": "A", "speed": "instant", "amount": 0.5, "note": 4, "token": 1, "items": [["sku": "nut"], ["size": 3]], "Labels": [:],
    ])
    #expect(
      messages(map) == [
        "`order_id` must have at least 3 characters, not 1",
        "`speed` must be one of `slow`, `fast`",
        "`amount` must be an integer, not double",
        "`note` must be a string, not int",
        "`token` must be a string, not int",
        "`items[1].sku` is missing",
        "unknown key `items[1].size`",
        "`labels` is missing",
        "unknown key `Labels`; the nearest known one is `labels`",
      ])
  }

  @Test("lets unknown members of an answer through")
  func answers() {
    var map: ValueMap = .order
    map["new_in_version_2"] = true
    #expect(Order.recordShape.violations(in: map, unknown: .ignored).isEmpty)
    #expect(messages(map) == ["unknown key `new_in_version_2`"])
  }

  @Test("keeps a rule's number readable")
  func rules() {
    var map: ValueMap = .order
    map["amount"] = 0
    #expect(messages(map) == ["`amount` must be at least 1"])
  }

  @Test("refuses a secret where the type would forget that it is one")
  func secrecy() {
    var map: ValueMap = .order
    map["order_id"] = .secret("A-17")
    map["items"] = [["sku": .secret("nut")]]
    map["labels"] = ["shelf": .secret("4")]
    map["token"] = .secret("s3cr3t")
    #expect(
      messages(map) == [
        "`order_id` does not take a secret", "`items[0].sku` does not take a secret", "`labels.shelf` does not take a secret",
      ])
  }

  @Test(
    "takes a secret, and a plain value, where one is declared",
    arguments: [
      (Shape.secret(.string(TextRules())), Value.secret("x"), true),
      (.secret(.string(TextRules())), "x", true),
      (.secret(.string(TextRules(minLength: 2))), .secret("x"), false),
      (.nullable(.secret(.string(TextRules()))), .secret("x"), true),
      (.nullable(.secret(.string(TextRules()))), .secret(.null), true),
      (.nullable(.string(TextRules())), .secret("x"), false),
      (.secret(.map(.string(TextRules()))), .secret(["a": .secret("x")]), true),
      (.map(.secret(.any)), ["a": .secret(1)], true),
      (.any, .secret("x"), true),
      (.list(.any), .secret(["x"]), false),
    ] as [(Shape, Value, Bool)])
  func declared(shape: Shape, value: Value, isTaken: Bool) {
    #expect(shape.violations(in: value).isEmpty == isTaken)
  }

  @Test(
    "reads numbers as providers write them",
    arguments: [
      (Value.int(4), true), ("4.25", true), (.decimal("0.1000000000000000000001"), true), ("north", false), (true, false), (.null, false),
    ] as [(Value, Bool)])
  func numberOrText(value: Value, isTaken: Bool) {
    #expect(Shape.numberOrText.violations(in: value).isEmpty == isTaken)
  }

  @Test(
    "asserts formats",
    arguments: [
      (TextFormat.email, "ada@example.test", true), (.email, "ada@example", false), (.email, "a b@example.test", false),
      (.phone, "(234) 567-8888", true), (.phone, "n/a", false), (.uri, "https://example.test", true), (.uri, "example", false),
    ])
  func formats(format: TextFormat, text: String, isTaken: Bool) {
    #expect(format.accepts(text) == isTaken)
  }

  @Test("the same shape gives the JSON Schema")
  func schema() {
    #expect(
      Loose.recordShape.jsonSchema.json()
        == #"{"type":"object","properties":{"id":{"type":"integer","description":"Its number."}},"required":["id"]}"#)
    #expect(
      Envelope.recordShape.jsonSchema.json()
        == #"{"type":"object","properties":{"body":{"anyOf":[{},{"type":"null"}],"description":"Whatever is sent."}},"additionalProperties":false}"#
    )
  }

  private func messages(_ map: ValueMap) -> [String] { Order.recordShape.violations(in: map).map(\.message) }
}
