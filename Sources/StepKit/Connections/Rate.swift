import Synchronization

/// How fast the requests of a connection follow each other: `90/1m`.
package struct Rate: Hashable, Sendable {
  /// From the start of one request to that of the next, so that no `1m` sees more than 90.
  package let spacing: Duration

  /// Reads `COUNT/DURATION`; nil for what is none.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(wholeNumber: parts[0]), let interval = Duration(oneUnit: parts[1]) else { return nil }
    spacing = interval / count
  }
}

extension Duration {
  /// A whole number with its unit: `500ms`, `30s`, `5m`, `1h`; nil for anything else, and for none at all.
  init?(oneUnit text: Substring) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(wholeNumber: digits), let unit = Self.units[String(text.dropFirst(digits.count))] else { return nil }
    self = unit * count
  }

  private static let units: [String: Duration] = ["ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "h": .seconds(3600)]
}

extension Int {
  /// 1 to 999999, without a sign or a leading zero.
  fileprivate init?(wholeNumber text: Substring) {
    guard text.utf8.count <= 6, text.first != "0", text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text) else {
      return nil
    }
    self = number
  }
}

/// Gives the requests of one connection their turns, in the order in which they ask.
///
/// A turn is taken before it is waited for, so that no request overtakes another, however many wait at once.
final class Pacer: Sendable {
  /// When the next request may start, on the clock's `elapsed`.
  private let next = Mutex(Duration.zero)

  /// Returns when it is the caller's turn.
  func turn(_ rate: Rate, _ clock: any ClockPort) async throws(CancellationError) {
    let now = clock.elapsed()
    let turn = next.withLock { next in
      let turn = max(next, now)
      next = turn + rate.spacing
      return turn
    }
    guard turn > now else { return }
    do throws(CancellationError) {
      try await clock.sleep(for: turn - now)
    } catch {
      // Whoever is next need not wait for somebody who has gone.
      next.withLock { next in if next == turn + rate.spacing { next = turn } }
      throw error
    }
  }
}
