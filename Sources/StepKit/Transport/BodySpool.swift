import Synchronization

/// Takes the bytes of a body that is too large to hold.
///
/// Conformers keep true: `write` appends, and comes from one thread at a time, a transport's own; what is not kept is gone
/// when the spool is released, however the process ends.
package protocol BodySpool: AnyObject, Sendable {
  /// The bytes written so far.
  var count: Int { get }

  /// Appends the bytes.
  /// - Throws: `config.file` with why it cannot, such as a full disk.
  func write(_ bytes: Span<UInt8>) throws(StepFailure)

  /// Makes what was written a file, whole or not at all, in the place of one that stands there. Called once, after the
  /// last `write`.
  /// - Throws: `config.file` with the path and the reason, as `FilePort.write` does.
  func keep(as path: String) async throws(StepFailure)
}

/// Opens a spool when the first body outgrows memory; each answer has one of its own.
package typealias OpenSpool = @Sendable () throws(StepFailure) -> any BodySpool

extension FilePort {
  /// Where a body goes that is to become one of these files. By default into memory, for files that are there as well.
  package func spool() throws(StepFailure) -> any BodySpool { MemorySpool(self) }
}

/// Holds the bytes and writes them in the end: for file ports that do not reach a disk.
private final class MemorySpool: BodySpool {
  private let files: any FilePort
  private let bytes = Mutex<[UInt8]>([])

  init(_ files: any FilePort) { self.files = files }

  var count: Int { bytes.withLock { $0.count } }

  func write(_ piece: Span<UInt8>) {
    unsafe piece.withUnsafeBufferPointer { piece in bytes.withLock { unsafe $0.append(contentsOf: piece) } }
  }

  func keep(as path: String) async throws(StepFailure) { try await files.write(bytes.withLock { $0 }, to: path) }
}

extension HTTPReply {
  /// Makes the body a file, as `save: PATH` has it, whether it was held or spooled.
  /// - Throws: `config.file` with the path and the reason.
  package func keepBody(as path: String, in files: any FilePort) async throws(StepFailure) {
    if let spool { try await spool.keep(as: path) } else { try await files.write(bytes, to: path) }
  }
}
