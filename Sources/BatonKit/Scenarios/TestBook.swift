import Reporters

/// The tests of many files as they come in, told in the order of the files and of their cases.
struct TestBook {
  private struct Page {
    /// How many tests the file has; nil until it is known.
    var expected: Int?
    var runs: [Int: TestRun] = [:]
    var refusal: Refusal?
    var told = 0
  }

  private var pages: [Page]
  /// The first file of which not all is told.
  private var current = 0
  private let console: ConsoleTestReporter
  /// In the order in which they were told.
  private(set) var runs: [TestRun] = []
  private(set) var refusals: [Refusal] = []
  private var remark: String?

  init(count: Int, console: ConsoleTestReporter) {
    pages = Array(repeating: Page(), count: count)
    self.console = console
  }

  mutating func expect(_ count: Int, of file: Int) {
    pages[file].expected = count
    tell(isEnd: false)
  }

  mutating func add(_ run: TestRun, of file: Int, at position: Int) {
    pages[file].runs[position] = run
    tell(isEnd: false)
  }

  /// A file that has no tests, since it was refused.
  mutating func add(_ refusal: Refusal, of file: Int) {
    pages[file].refusal = refusal
    pages[file].expected = 0
    tell(isEnd: false)
  }

  mutating func note(_ remark: String) { self.remark = remark }

  /// Nothing more comes: what is there is told, whatever is missing between.
  mutating func finish() {
    tell(isEnd: true)
    if let remark { console.remark(remark) }
  }

  private mutating func tell(isEnd: Bool) {
    while pages.indices.contains(current) {
      tellPage(isEnd: isEnd)
      guard isEnd || pages[current].told == pages[current].expected else { return }
      pages[current] = Page()
      current += 1
    }
  }

  private mutating func tellPage(isEnd: Bool) {
    if let refusal = pages[current].refusal {
      console.consume(refusal)
      refusals.append(refusal)
      pages[current].refusal = nil
    }
    while true {
      let position = isEnd ? pages[current].runs.keys.min() ?? -1 : pages[current].told
      guard let run = pages[current].runs.removeValue(forKey: position) else { return }
      console.consume(run)
      runs.append(run)
      pages[current].told += 1
    }
  }
}
