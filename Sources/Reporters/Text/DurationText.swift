import Values

extension Duration {
  /// Seconds with three decimals, as XML reports have them.
  var secondsWithMilliseconds: String {
    let (seconds, rest) = wholeMilliseconds.quotientAndRemainder(dividingBy: 1000)
    return "\(seconds).\(String(1000 + rest).dropFirst())"
  }
}

/// `1 step`, `2 steps`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
