import StepKit
import Synchronization
import Values

/// Random numbers that are the same at each run of a case, so that what fails fails again.
final class SeededRandom: RandomPort {
  private let generator: Mutex<SeededGenerator>

  /// - Parameter text: decides the numbers.
  init(text: String) { generator = Mutex(SeededGenerator(stableHash(text))) }

  func bytes(_ count: Int) -> [UInt8] {
    generator.withLock { generator in (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
  }
}

/// FNV-1a of a text, the same on every machine.
func stableHash(_ text: String) -> UInt64 {
  text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}
