import FlowEvents
import Reporters
import Testing

@Suite("the live console")
struct LiveConsoleReporterTests {
  /// What a terminal shows after `text`: its lines, the last without a line break.
  private func screen(_ text: String) -> [String] {
    var lines = [""]
    var column = 0
    var rest = Substring(text)
    while let first = rest.first {
      if rest.hasPrefix("\u{1B}[K") {
        lines[lines.count - 1] = String(lines[lines.count - 1].prefix(column))
        rest = rest.dropFirst(3)
        continue
      }
      rest = rest.dropFirst()
      switch first {
      case "\n", "\r\n":
        lines.append("")
        column = 0
      case "\r": column = 0
      default:
        var line = Array(lines[lines.count - 1])
        if column < line.count { line[column] = first } else { line.append(first) }
        lines[lines.count - 1] = String(line)
        column += 1
      }
    }
    return lines
  }

  private let cart = Sample.step("cart")
  private let register = Sample.step("register")

  @Test("shows the running step below the finished ones, with its seconds")
  func ticks() {
    let written = Written()
    var reporter = LiveConsoleReporter(write: written.sink)
    reporter.consume(Sample.started(cart, "POST /v1/carts"))
    #expect(screen(written.text) == ["… cart  POST /v1/carts"])
    reporter.tick(.milliseconds(3200))
    #expect(screen(written.text) == ["… cart  POST /v1/carts  3 s"])
    reporter.consume(.stepEnded(Sample.done(cart, "POST /v1/carts", ms: 4000)))
    #expect(screen(written.text) == ["✓ cart  POST /v1/carts  4 s", ""])
    reporter.consume(Sample.started(register, "shop/register"))
    reporter.tick(.milliseconds(5200))
    #expect(screen(written.text) == ["✓ cart  POST /v1/carts  4 s", "… register  shop/register  2 s"])
  }

  @Test("writes nothing where nothing changed")
  func unchanged() {
    let written = Written()
    var reporter = LiveConsoleReporter(write: written.sink)
    reporter.consume(Sample.started(cart, "POST /v1/carts"))
    reporter.tick(.milliseconds(1000))
    let count = written.all.count
    reporter.tick(.milliseconds(1400))
    #expect(written.all.count == count)
    reporter.tick(.milliseconds(2000))
    #expect(written.all.count == count + 1)
  }

  @Test("counts what runs beside it")
  func concurrent() {
    let written = Written()
    var reporter = LiveConsoleReporter(write: written.sink)
    reporter.consume(Sample.started(cart, "POST /v1/carts"))
    reporter.consume(Sample.started(register, "shop/register"))
    #expect(screen(written.text) == ["… register  shop/register  (and 1 more)"])
    reporter.consume(.stepEnded(Sample.done(register, "shop/register")))
    #expect(screen(written.text).last == "… cart  POST /v1/carts")
  }

  @Test("never lets the last line wrap", arguments: [10, 20, 40])
  func narrow(columns: Int) {
    let written = Written()
    var reporter = LiveConsoleReporter(columns: columns, write: written.sink)
    reporter.consume(Sample.started(cart, "GET /v1/漢字/and/a/long/path/that/goes/on/and/on"))
    reporter.tick(.seconds(12))
    let line = screen(written.text).last ?? ""
    #expect(line.reduce(0) { $0 + ($1.utf8.count > 2 ? 2 : 1) } <= columns)
    #expect(line.hasSuffix("12 s"))
  }

  @Test("makes room for a question and comes back")
  func room() {
    let written = Written()
    var reporter = LiveConsoleReporter(write: written.sink)
    reporter.consume(Sample.started(cart, "prompt"))
    reporter.makeRoom()
    #expect(screen(written.text) == [""])
    reporter.tick(.seconds(1))
    #expect(screen(written.text) == ["… cart  prompt  1 s"])
  }

  @Test("leaves the same text as the plain one", arguments: Sample.all)
  func same(sample: Sample) {
    let plain = Written.by({ ConsoleReporter(write: $0) }, sample)
    let live = Written.by({ LiveConsoleReporter(write: $0) }, sample)
    #expect(screen(live) == plain.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }
}
