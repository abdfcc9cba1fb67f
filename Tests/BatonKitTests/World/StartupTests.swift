import Glibc
import Testing

@testable import BatonKit

/// What holds for a process from its first moment on.
@Suite struct StartupTests {
  /// Core dumps and debuggers of the same user would read secrets from memory.
  @Test func itsMemoryIsShut() async {
    await #expect(processExitsWith: .success) {
      guard ProcessControl.call(ProcessControl.getDumpable) == 1 else { exit(1) }
      Startup.begin(arguments: ["baton"])
      guard ProcessControl.call(ProcessControl.getDumpable) == 0 else { exit(2) }
      var limit = rlimit()
      guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0, limit.rlim_cur == 0, limit.rlim_max == 0 else {
        exit(3)
      }
    }
  }
}
