import FlowEvents
import FoundationEssentials
import Reporters
import Testing
import Values

@Suite("the redactor")
struct RedactorTests {
  static let secrets = [
    "hunter2hunter2", "p@ss/w+rd?=&<ü>'\"\\", "line one of it\nline two of it", "tab\tand\u{1B}[0m", "漢字のパスワード", "abcd", "%20%2F##[x",
    "::mask me::",
  ]

  @Test("finds a secret in every form", arguments: secrets)
  func forms(secret: String) throws {
    let redactor = Redactor(secrets: [secret])
    for (name, form) in try encodings(of: secret) {
      let hidden = redactor.redacted("before \(form) after")
      #expect(hidden == "before [secret] after", "\(name): \(form)")
    }
  }

  /// Encoded by others than the redactor: Foundation, and the writers of our own reports.
  private func encodings(of secret: String) throws -> [(String, String)] {
    let data = Data(secret.utf8)
    let base64 = data.base64EncodedString()
    let urlSafe = base64.replacing("+", with: "-").replacing("/", with: "_")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let foundation = String(decoding: try JSONEncoder().encode(secret), as: UTF8.self).dropFirst().dropLast()
    let json = String(Value.string(secret).json().dropFirst().dropLast())
    let percent = secret.utf8.map { Self.unreserved.contains($0) ? String(Character(Unicode.Scalar($0))) : Self.percent($0) }.joined()
    return [
      ("raw", secret), ("json", json), ("json of Foundation", String(foundation)),
      ("json in json", String(Value.string(json).json().dropFirst().dropLast())),
      ("json, slashes plain", String(decoding: try encoder.encode(secret), as: UTF8.self).dropFirst().dropLast().description),
      ("base64", base64), ("base64 without padding", base64.replacing("=", with: "")), ("url-safe base64", urlSafe),
      ("url-safe base64 without padding", urlSafe.replacing("=", with: "")), ("percent", percent), ("percent, small", lowercased(percent)),
      ("form", percent.replacing("%20", with: "+")), ("hex", data.map { hex($0) }.joined()),
      ("HEX", data.map { hex($0).uppercased() }.joined()), ("xml", xml(secret, quote: "&quot;", apostrophe: "&apos;")),
      ("html", xml(secret, quote: "&#34;", apostrophe: "&#39;")), ("xml text", xml(secret, quote: "\"", apostrophe: "'")),
    ]
  }

  private static let unreserved = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  private static func percent(_ byte: UInt8) -> String { "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }

  private func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  private func lowercased(_ percent: String) -> String {
    percent.replacing(#/%[0-9A-F]{2}/#) { $0.output.lowercased() }
  }

  private func xml(_ text: String, quote: String, apostrophe: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: quote)
      .replacing("'", with: apostrophe)
  }

  @Test(
    "finds letters beyond ASCII as whoever shows them who has misread their bytes",
    arguments: [
      ("Latin-1", "ZÃ¼rich-StraÃ\u{9F}e â\u{82}¬7"), ("windows-1252", "ZÃ¼rich-StraÃŸe â‚¬7"),
      ("Latin-1 in JSON", #"Z\u00c3\u00bcrich-Stra\u00c3\u009fe \u00e2\u0082\u00ac7"#),
      ("windows-1252 in JSON", #"Z\u00C3\u00BCrich-Stra\u00C3\u0178e \u00E2\u201A\u00AC7"#),
      ("Latin-1 in JSON in JSON", #"Z\\u00c3\\u00bcrich-Stra\\u00c3\\u009fe \\u00e2\\u0082\\u00ac7"#),
      ("Latin-1 in a URL", "Z%C3%83%C2%BCrich-Stra%C3%83%C2%9Fe%20%C3%A2%C2%82%C2%AC7"),
      ("windows-1252 in a form", "Z%c3%83%c2%bcrich-Stra%c3%83%c5%b8e+%c3%a2%e2%80%9a%c2%ac7"),
      ("bytes", #"Z\xc3\xbcrich-Stra\xc3\x9fe \xe2\x82\xac7"#),
      ("numbers", "Z&#252;rich-Stra&#223;e &#8364;7"), ("digits", "Z&#xFC;rich-Stra&#xDF;e &#x20AC;7"),
      ("lost", "Z?rich-Stra?e ?7"),
    ])
  func misread(name: String, form: String) {
    expectHidden(form, "Zürich-Straße €7", name)
  }

  @Test(
    "finds what Latin-1 can write as Latin-1 too",
    arguments: [
      ("in a URL", "Z%FCrich-Stra%DFe%207"), ("in a form", "Z%fcrich-Stra%dfe+7"), ("bytes", #"Z\xfcrich-Stra\xdfe 7"#),
      ("read as UTF-8", "Z\u{FFFD}rich-Stra\u{FFFD}e 7"), ("read as UTF-8, in JSON", #"Z\ufffdrich-Stra\ufffde 7"#),
    ])
  func latin1(name: String, form: String) {
    expectHidden(form, "Zürich-Straße 7", name)
  }

  private func expectHidden(_ form: String, _ secret: String, _ name: String) {
    let redactor = Redactor(secrets: [secret])
    #expect(redactor.redacted("before \(form) after") == "before [secret] after", "\(name)")
    var cut = redactor
    let single = Array("a \(form) b\n".utf8).flatMap { cut.redact([$0]) } + cut.finish().utf8
    #expect(String(decoding: single, as: UTF8.self) == "a [secret] b\n", "\(name), byte by byte")
  }

  @Test("takes no marks of lost letters for a secret that has little else")
  func onlyMarks() {
    #expect(Redactor(secrets: ["пароль"]).redacted("??????") == "??????")
    #expect(
      Redactor(secrets: ["äöüßé1"]).redacted("\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}1") == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}1")
  }

  @Test("finds it inside a base64 text at each shift, as in the pair of `Basic`", arguments: secrets, ["u:", "us:", "use:", ""])
  func shifts(secret: String, before: String) {
    let redactor = Redactor(secrets: [secret])
    for after in ["", "1", "12", "123"] {
      let text = Data((before + secret + after).utf8).base64EncodedString()
      for shown in [text, text.replacing("+", with: "-").replacing("/", with: "_")] {
        let hidden = redactor.redacted("Authorization: Basic \(shown)")
        #expect(hidden.contains("[secret]"))
        #expect(!decodes(hidden, to: secret))
        // At most the two digits at each end that it shares with its neighbours are left of it.
        let left = hidden.utf8.count - "Authorization: Basic [secret]".utf8.count
        #expect(left <= (before.utf8.count + after.utf8.count + 2) / 3 * 4 + 4)
      }
    }
  }

  private func decodes(_ text: String, to secret: String) -> Bool {
    text.split(whereSeparator: { " []".contains($0) }).contains {
      Data(base64Encoded: String($0)).map { String(decoding: $0, as: UTF8.self).contains(secret) } ?? false
    }
  }

  @Test("finds it wherever the chunks are cut", arguments: secrets)
  func cuts(secret: String) throws {
    let fresh = Redactor(secrets: [secret])
    for (name, form) in try encodings(of: secret) {
      let text = "a \(form) b\n"
      let whole = fresh.redacted(text)
      let bytes = Array(text.utf8)
      for cut in 0...bytes.count {
        var redactor = fresh
        var output = redactor.redact(Array(bytes[..<cut])) + redactor.redact(Array(bytes[cut...]))
        output += redactor.finish().utf8
        #expect(String(decoding: output, as: UTF8.self) == whole, "\(name), cut at \(cut)")
      }
      var redactor = fresh
      let single = bytes.flatMap { redactor.redact([$0]) } + redactor.finish().utf8
      #expect(String(decoding: single, as: UTF8.self) == whole, "\(name), byte by byte")
    }
  }

  @Test("lets whole lines through at once")
  func prompt() {
    var redactor = Redactor(secrets: ["hunter22"])
    #expect(redactor.redact("the PIN is\n") == "the PIN is\n")
    #expect(redactor.redact("hunt\n") == "hunt\n")
    #expect(redactor.redact("my hunter") == "my ")
    #expect(redactor.redact("22s") == "[secret]s")
    #expect(redactor.redact("hun") == "")
    #expect(redactor.finish() == "hun")
    #expect(redactor.redact("x") == "x")
  }

  @Test("hides all of two secrets that overlap, and the longer of two that begin alike")
  func overlap() {
    #expect(Redactor(secrets: ["abcdef", "defghi"]).redacted("xabcdefghix") == "x[secret]x")
    #expect(Redactor(secrets: ["abcd", "abcdefgh"]).redacted("abcdefgh abcdefg") == "[secret] [secret]efg")
    #expect(Redactor(secrets: ["aaaa"]).redacted("aaaaaaaaa") == "[secret]")
    var redactor = Redactor(secrets: ["abcd", "abcdefgh"])
    #expect(redactor.redact("abcdef") == "")
    #expect(redactor.redact("gx") == "[secret]efgx")
  }

  @Test("does not look for what is shorter than four characters")
  func short() {
    let redactor = Redactor(secrets: ["", "1", "abc"])
    #expect(redactor.redacted("abc 1 YWJj") == "abc 1 YWJj")
  }

  @Test("learns of secrets on the way")
  func added() {
    var redactor = Redactor()
    #expect(redactor.redact("token-1") == "token-1")
    redactor.add(["token-1"])
    #expect(redactor.redact("token-1") + redactor.finish() == "[secret]")
  }

  @Test("hides each line of a key by itself")
  func lines() {
    let key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----\n"
    #expect(Redactor(secrets: [key]).redacted("  | MIIEvQIBADANBg") == "  | [secret]")
  }

  @Test("hides what a report shortens, before it is shortened")
  func shortened() {
    var report = Sample.errored.report
    let secret = "hunter2hunter2hunter2"
    report.steps[0].error?.body = .string(String(repeating: ".", count: 390) + secret)
    report.error = report.steps[0].error
    let sample = Sample(name: "cut", events: [.runEnded(report)])
    let text = Written.by({ ConsoleReporter(options: ConsoleOptions(redactor: Redactor(secrets: [secret])), write: $0) }, sample)
    #expect(text.contains(".[secret]"))
    #expect(!text.contains("hunter"))
    let xml = JUnitReport.text(of: TestReport(runs: [TestRun(report)]), redactor: Redactor(secrets: [secret]))
    #expect(!xml.contains("hunter"))
  }
}
