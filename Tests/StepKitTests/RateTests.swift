import StepKit
import Synchronization
import Testing
import Values

@Suite("The rate of a connection")
struct RateTests {
  @Test("is a count and its time", arguments: [("90/1m", 667), ("5/1s", 200), ("1/500ms", 500), ("2/1h", 1_800_000), ("999999/1ms", 0)])
  func read(text: String, milliseconds: Int) throws {
    let spacing = try #require(Rate(text)).spacing
    #expect((spacing / .milliseconds(1)).rounded() == Double(milliseconds))
    #expect(spacing > .zero)
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "90", "90/", "/1m", "90/m", "0/1m", "90/0m", "-1/1m", "+9/1m", "1.5/1s", "90/1d", "90 / 1m", "90/1m/2", "٩/1m", "9000000/1s",
    ])
  func refused(text: String) throws {
    #expect(Rate(text) == nil)
    let failure = #expect(throws: StepFailure.self) { try ConnectionEndpoint(settings: .of(["rate": .string(text)])) }
    #expect(failure?.detail.hasPrefix("`rate` must be a count and the time") == true)
  }

  /// Every system has it, with the rule that `check` holds it against.
  @Test("is a setting of every connection, as is how its requests are carried")
  func common() throws {
    let own = RecordShape([.init("region", "The region.", .string(TextRules()), isRequired: true)])
    let system = SystemDescription(name: "shop", title: "A shop", settings: { own }, tokens: nil, steps: [])
    #expect(system.settings().fields.map(\.name) == ["region", "proxy", "tls", "max_body", "connect_timeout", "rate", "token_store"])
    let wrong = system.settings().violations(in: .of(["region": "eu", "rate": "fast", "connect_timeout": "2", "max_body": "1 banana"]))
    #expect(wrong.map(\.path) == [[.member("max_body")], [.member("connect_timeout")], [.member("rate")]])
    let endpoint = try system.endpoint(.of(["region": "eu", "rate": "90/1m", "max_body": 10, "connect_timeout": "2s"]))
    #expect(endpoint.rate == Rate("90/1m"))
    #expect(endpoint.options.maxBodyBytes == 10)
    #expect(endpoint.options.connectTimeout == .seconds(2))
  }

  @Test("keeps a password that stands openly in the settings from being shown, and no short text")
  func openSecrets() throws {
    let shape = RecordShape(
      ["password", "pin", "nickname"].map {
        .init($0, "A text.", $0 == "nickname" ? .string(TextRules()) : .nullable(.secret(.string(TextRules()))), isRequired: false)
      })
    let system = SystemDescription(name: "shop", title: "A shop", settings: { shape }, tokens: nil, steps: [])
    let endpoint = try system.endpoint(.of(["password": "correct-horse", "pin": "test", "nickname": "horse-rider"]))
    #expect(endpoint.secrets == ["correct-horse"])
  }
}

@Suite("Secret texts of a value")
struct SecretTextTests {
  @Test("are the texts and numbers of what is marked, at any depth")
  func texts() {
    let value: Value = [
      "open": "seen", "pin": .secret(4829), "key": .secret("k"),
      "list": .list([.secret(["a": "x", "b": ["y", true, .null]]), "z"]), "raw": .secret(.bytes(Array("raw".utf8))),
      "noise": .secret(.bytes([0xFF])), "maybe": .optional(.secret("m")),
    ]
    #expect(value.secretTexts == ["4829", "k", "x", "y", "raw", "m"])
  }

  @Test("are lines where one is too long to be looked for in one piece")
  func long() {
    let lines = (0..<200).map { "line \($0) of a very long private key" }
    #expect(Value.secret(.string(lines.joined(separator: "\n"))).secretTexts == lines)
  }
}
