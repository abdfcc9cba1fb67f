import FlowEvents
import Reporters
import TestKit
import Testing

@Suite("the console shows a run")
struct ConsoleReporterTests {
  @Test("line by line", arguments: Sample.all)
  func plain(sample: Sample) throws {
    let text = Written.by({ ConsoleReporter(options: ConsoleOptions(isVerbose: true, isJournaled: true), write: $0) }, sample)
    try expectGolden(text, "console-\(sample.name).txt")
  }

  @Test("without requests unless asked")
  func quiet() throws {
    let text = Written.by({ ConsoleReporter(write: $0) }, .passed)
    #expect(!text.contains("https://"))
    #expect(text.contains("✓ cart  POST /v1/carts  201 12 ms\n"))
  }

  @Test("in ASCII where the locale is not UTF-8", arguments: Sample.all)
  func ascii(sample: Sample) {
    let options = ConsoleOptions(style: ConsoleStyle(isUTF8: false), isVerbose: true)
    let text = Written.by({ ConsoleReporter(options: options, write: $0) }, sample)
    #expect(text.unicodeScalars.filter { !$0.isASCII } == [])
  }

  @Test("in colour only if asked, and the text stays the same", arguments: Sample.all)
  func colour(sample: Sample) {
    let plain = Written.by({ ConsoleReporter(write: $0) }, sample)
    let coloured = Written.by({ ConsoleReporter(options: ConsoleOptions(style: ConsoleStyle(isColoured: true)), write: $0) }, sample)
    #expect(!plain.contains("\u{1B}"))
    #expect(coloured.contains("\u{1B}["))
    #expect(coloured.replacing(#/\x1B\[[0-9;]*m/#, with: "") == plain)
  }

  @Test("writes each event at once")
  func immediate() {
    let written = Written()
    var reporter = ConsoleReporter(write: written.sink)
    var count = 0
    for event in Sample.passed.events {
      reporter.consume(event)
      if case .stepEnded = event {
        #expect(written.all.count == count + 1)
      }
      count = written.all.count
      #expect(written.text.isEmpty || written.text.hasSuffix("\n"))
    }
  }

  @Test("and the tests of many files")
  func tests() throws {
    let written = Written()
    let reporter = ConsoleTestReporter(write: written.sink)
    for run in Sample.tests.runs { reporter.consume(run) }
    for refusal in Sample.tests.refusals { reporter.consume(refusal) }
    reporter.finish(Sample.tests)
    try expectGolden(written.text, "console-tests.txt")
  }
}
