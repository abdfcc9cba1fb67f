import Reporters
import StepKit
import Values

/// How long a test takes for whoever waits for it.
struct WallWatch {
  private let startedAt = SystemClock().now()
  private let start = SystemClock().elapsed()

  /// Until now.
  var wall: TestRun.Wall { TestRun.Wall(startedAt: startedAt, duration: SystemClock().elapsed() - start) }
}
