import StepKit

/// The body of an answer as it comes in: held in memory, or, once it is long and has a spool, there.
struct ReceivedBody {
  /// Empty once there is a spool.
  private(set) var held: [UInt8] = []
  private(set) var spool: (any BodySpool)?

  var count: Int { spool?.count ?? held.count }

  /// - Throws: what the spool has to say.
  mutating func append(_ piece: Span<UInt8>, _ openSpool: OpenSpool?, mostHeld: Int) throws(StepFailure) {
    if let spool { return try spool.write(piece) }
    guard let openSpool, held.count + piece.count > mostHeld else {
      unsafe piece.withUnsafeBufferPointer { unsafe held.append(contentsOf: $0) }
      return
    }
    let spool = try openSpool()
    try spool.write(held.span)
    try spool.write(piece)
    held = []
    self.spool = spool
  }
}
