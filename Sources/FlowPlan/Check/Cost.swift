/// What steps ask of the world at most: requests and time. Sums and products stop at the largest number.
package struct Cost: Hashable, Sendable {
  /// Nil is without a bound.
  package var requests: Int?
  /// Whole milliseconds; nil is without a bound.
  var milliseconds: Int?

  /// From the first request to the end of the last; nil is without a bound.
  package var time: Duration? { milliseconds.map { .milliseconds($0) } }

  static let none = Cost(requests: 0, milliseconds: 0)

  init(requests: Int?, milliseconds: Int?) {
    self.requests = requests
    self.milliseconds = milliseconds
  }

  init(requests: Int = 0, time: Duration = .zero) {
    self.init(requests: requests, milliseconds: time.wholeMilliseconds)
  }

  /// One after the other.
  static func + (a: Cost, b: Cost) -> Cost {
    Cost(requests: both(a.requests, b.requests, sum), milliseconds: both(a.milliseconds, b.milliseconds, sum))
  }

  /// So many times over; nil is any number of times.
  static func * (a: Cost, count: Int?) -> Cost {
    Cost(requests: times(a.requests, count), milliseconds: times(a.milliseconds, count))
  }

  /// One of the two.
  func or(_ other: Cost) -> Cost {
    Cost(requests: Self.both(requests, other.requests, max), milliseconds: Self.both(milliseconds, other.milliseconds, max))
  }

  /// Both at a time.
  func beside(_ other: Cost) -> Cost {
    Cost(requests: (self + other).requests, milliseconds: Self.both(milliseconds, other.milliseconds, max))
  }

  /// No longer than this.
  func within(_ limit: Duration?) -> Cost {
    guard let limit = limit?.wholeMilliseconds else { return self }
    return Cost(requests: requests, milliseconds: milliseconds.map { min($0, limit) } ?? limit)
  }

  private static func both(_ a: Int?, _ b: Int?, _ join: (Int, Int) -> Int) -> Int? {
    guard let a, let b else { return nil }
    return join(a, b)
  }

  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? .max : sum
  }

  private static func times(_ a: Int?, _ count: Int?) -> Int? {
    // Nothing stays nothing, however often.
    if a == 0 || count == 0 { return 0 }
    guard let a, let count else { return nil }
    let (product, overflows) = a.multipliedReportingOverflow(by: count)
    return overflows ? .max : product
  }
}

extension Duration {
  /// Rounded up.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflows) = Int(seconds).multipliedReportingOverflow(by: 1000)
    let (sum, overflowsToo) = whole.addingReportingOverflow(Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    return overflows || overflowsToo ? .max : sum
  }
}
