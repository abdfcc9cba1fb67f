import StepKit
import Testing
import Values

@Suite("A record that describes itself once")
struct DescribedRecordTests {
  @Test("gives its shape: names, rules, fallbacks, what is required")
  func shape() {
    let fields = Order.recordShape.fields
    #expect(fields.map(\.name) == ["order_id", "speed", "amount", "note", "token", "items", "labels"])
    #expect(fields.map(\.isRequired) == [true, false, true, false, true, true, true])
    #expect(fields[0].shape == .string(TextRules(minLength: 3, maxLength: 8)))
    #expect(fields[1].fallback == "slow")
    #expect(fields[2].shape == .int(NumberRules(minimum: 1)))
    #expect(fields[4].shape == .secret(.string(TextRules())))
    #expect(!Order.recordShape.isOpen)
  }

  @Test("reads valid members and writes the same again, nil left out, secrets marked")
  func roundTrip() {
    let order = Order(valid: .order)
    #expect(order.orderID == "A-17")
    #expect(order.speed == .fast)
    #expect(order.token.exposed == "s3cr3t")
    #expect(order.items.map(\.sku) == ["nut", "bolt"])
    var expected: ValueMap = .order
    expected["token"] = .secret("s3cr3t")
    #expect(order.encoded == expected)
    #expect(order.encoded.map(\.key.text) == ["order_id", "speed", "amount", "token", "items", "labels"])
  }

  @Test("fills in what was left out")
  func fallback() {
    var map: ValueMap = .order
    map["speed"] = nil
    #expect(Order(valid: map).speed == .slow)
    #expect(Order(valid: map).note == nil)
  }

  @Test("keeps the further members of an open record")
  func open() {
    let map = ValueMap.of(["id": 7, "blood_type": ["A+"], "odd name": true])
    #expect(Loose.recordShape.isOpen)
    #expect(Loose.recordShape.violations(in: map).isEmpty)
    #expect(Loose(valid: map).further.members == ValueMap.of(["blood_type": ["A+"], "odd name": true]))
    #expect(Loose(valid: map).encoded == map)
  }

  @Test("tells a member that is null from one that is not there")
  func given() {
    let shape = Envelope.recordShape
    #expect(!shape.fields[0].isRequired)
    if case .something(.null) = Envelope(valid: ValueMap.of(["body": .null])).body {} else { Issue.record("null was lost") }
    if case .nothing = Envelope(valid: ValueMap()).body {} else { Issue.record("nothing became a value") }
  }

  @Test("passes the exam of described records")
  func exam() {
    expectDescribed(Order.self)
    expectDescribed(Loose.self)
    expectDescribed(Envelope.self)
  }

  @Test(
    "turns Swift's names into the names of flows",
    arguments: [
      ("callerID", "caller_id"), ("id", "id"), ("smsTo", "sms_to"), ("baseURL", "base_url"), ("line2", "line2"), ("value_", "value"),
    ])
  func names(label: String, name: String) {
    #expect(snakeCase(label) == name)
  }
}

/// What must hold for every described record: labels equal described names, and describing twice gives the same.
func expectDescribed<Record: DescribedRecord>(_: Record.Type, sourceLocation: SourceLocation = #_sourceLocation) {
  let placeholder = Record.placeholder
  let labels = Mirror(reflecting: placeholder).children.filter { !($0.value is FurtherMembers) }.compactMap(\.label).map(snakeCase)
  #expect(labels == Record.recordShape.fields.map(\.name), sourceLocation: sourceLocation)
  #expect(Record.placeholder.encoded == placeholder.encoded, sourceLocation: sourceLocation)
  #expect(Record(valid: placeholder.encoded).encoded == placeholder.encoded, sourceLocation: sourceLocation)
}

struct Order: Sendable {
  enum Speed: String, Choice { case slow, fast }

  let orderID: String
  let speed: Speed
  let amount: Int
  let note: String?
  let token: Secret<String>
  let items: [Item]
  let labels: NamedMembers<String>
}

extension Order: DescribedRecord {
  init(_ field: inout Fields) {
    orderID = field("order_id", "Its number.", minLength: 3, maxLength: 8)
    speed = field("speed", "How it travels.", default: .slow)
    amount = field("amount", "In cents.", minimum: 1)
    note = field("note", "For the packer.")
    token = field("token", "Of the buyer.")
    items = field("items", "What is bought.")
    labels = field("labels", "Free marks.")
  }
}

struct Item: Sendable { let sku: String }

extension Item: DescribedRecord {
  init(_ field: inout Fields) { sku = field("sku", "Its code.") }
}

struct Loose: Sendable {
  let id: Int
  let further: FurtherMembers
}

extension Loose: DescribedRecord {
  init(_ field: inout Fields) {
    id = field("id", "Its number.")
    further = field.further()
  }
}

struct Envelope: Sendable { let body: Given }

extension Envelope: DescribedRecord {
  init(_ field: inout Fields) { body = field("body", "Whatever is sent.") }
}

extension ValueMap {
  static var order: ValueMap {
    ValueMap.of([
      "order_id": "A-17", "speed": "fast", "amount": 250, "token": "s3cr3t", "items": [["sku": "nut"], ["sku": "bolt"]],
      "labels": ["shelf": "4"],
    ])
  }
}
