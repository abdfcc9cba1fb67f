import StepKit
import Values

@testable import BatonKit

/// A catalogue of one system, made for these tests.
enum SampleCatalogue {
  static let catalogue = StepCatalogue(
    systems: [
      SystemDescription(
        name: "shop", title: "Shop API", settings: { Settings.recordShape }, tokens: nil,
        steps: [AnyStep(Order.self), AnyStep(SignIn.self)],
        hosts: ["shop.example.test"])
    ],
    builtIn: [AnyStep(Note.self)])

  struct Settings: DescribedRecord {
    let baseURL: String
    let apiKey: Secret<String>

    init(_ field: inout Fields) {
      baseURL = field("base_url", "The API, such as `https://shop.example.test/v1`.", format: .uri)
      apiKey = field("api_key", "The key.")
    }
  }

  struct Nothing: DescribedRecord {
    init(_ field: inout Fields) {}
  }

  enum Order: StepHandler {
    static let about = About("shop/order", "Orders something.", effect: .unsafe, token: .user)
    static let errors = [
      StepError("shop.sold_out", "there is none left", help: "order another"),
      StepError("shop.lost", "nobody knows", isRejected: false),
    ]
    static let example = Example(
      with:
        #"{"sku": "mug-1", "count": 2, "to": "ada@example.test", "note": "no: #1", "lines": [{"text": "12"}, {"text": "yes"}], "tags": []}"#,
      outputs: #"{"id": "*"}"#)

    enum Speed: String, Choice { case slow, fast }

    struct Line: DescribedRecord {
      let text: String

      init(_ field: inout Fields) { text = field("text", "What it says.", maxLength: 9) }
    }

    struct Input: DescribedRecord {
      let sku: String
      let count: Int
      let to: String?
      let note: Secret<String>?
      let lines: [Line]?
      let tags: [String]
      let speed: Speed
      let extra: Value?

      init(_ field: inout Fields) {
        sku = field("sku", "The article.", minLength: 1, maxLength: 20)
        count = field("count", "How many.", minimum: 1, maximum: 9.5)
        to = field("to", "Who gets it.", format: .email)
        note = field("note", "For nobody else.")
        lines = field("lines", "What stands on it.")
        tags = field("tags", "Its tags.", default: [])
        speed = field("speed", "How fast.", default: .slow)
        extra = field("extra", "Anything.")
      }
    }

    struct Output: DescribedRecord {
      let id: String
      let rest: FurtherMembers

      init(_ field: inout Fields) {
        id = field("id", "Its id.")
        rest = field.further()
      }
    }

    static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      throw StepFailure("shop.lost", title: "not here")
    }
  }

  enum SignIn: StepHandler {
    static let about = About("shop/sign-in", "Signs a customer in.", effect: .idempotent, signsIn: true)
    static let example = Example(with: "{}", outputs: "{}")
    typealias Input = Nothing
    typealias Output = Nothing

    static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      throw StepFailure("shop.lost", title: "not here")
    }
  }

  /// Belongs to no system, and means something else by each of its words.
  enum Note: StepHandler {
    static let about = About("note", "Writes something down.", effect: .read)
    static let example = Example(with: #"{"kind": "text"}"#, outputs: "{}")

    enum Kind: String, Choice { case text, number }

    struct Input: DescribedRecord {
      let kind: Kind
      let value_: Value

      init(_ field: inout Fields) {
        kind = field("kind", "What it is.")
        value_ = field("value", "The thing.")
      }
    }

    typealias Output = Nothing

    static func refine(_ shape: RecordShape, literals: ValueMap, settings: ValueMap) -> RecordShape {
      literals["kind"]?.stringValue == "number" ? shape.replacing("value", with: .number(NumberRules(maximum: 5))) : shape
    }

    static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      throw StepFailure("shop.lost", title: "not here")
    }
  }

  /// The page of a step of this catalogue.
  static func page(_ name: String) -> StepPage? { catalogue.step(name).map { StepPage($0, in: catalogue) } }
}
