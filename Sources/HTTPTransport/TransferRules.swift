/// What holds for every transfer of one transport.
struct TransferRules: Sendable {
  /// An answer that has begun and then comes slower than this, for as long as `slowSeconds`, is given up.
  var slowestBytesPerSecond = 10
  var slowSeconds = 30
  /// How much of a body is held in memory before it goes to the request's spool.
  var mostBytesHeld = 4 << 20
  var weakening: Weakening = []
}

/// Parts of the defence against a second send that a test takes away, one by one: to see that libcurl does send again
/// without them, and that each of the others still holds. Everything else is built with none taken away.
struct Weakening: OptionSet, Sendable {
  let rawValue: Int

  /// What is sent once takes up an earlier request's connection.
  static let reuse = Weakening(rawValue: 1)
  /// A long body waits for a 100 (`Expect: 100-continue`).
  static let expect = Weakening(rawValue: 2)
  /// libcurl answers a 401 of its own accord.
  static let negotiation = Weakening(rawValue: 4)
  /// libcurl follows redirects of its own accord.
  static let following = Weakening(rawValue: 8)
  /// The pre-request hook lets the second send pass.
  static let secondSend = Weakening(rawValue: 16)
}
