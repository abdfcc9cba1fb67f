import Glibc
import HTTPTransport

/// What a process may begin before it knows its command's arguments.
public enum Startup {
  private static let sending: Set = ["run", "test"]

  /// Shuts its memory, which holds secrets, to core dumps and to debuggers of the same user, and loads libcurl, which costs more
  /// than all of the rest, on a thread of its own where the command will need it.
  public static func begin(arguments: [String]) {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    // The limit alone does not hold where the system pipes dumps to a program (core(5)).
    _ = ProcessControl.call(ProcessControl.setDumpable, 0)
    guard let command = arguments.dropFirst().first, sending.contains(command) else { return }
    CurlTransport.shared.preload()
  }
}

/// prctl(2), which Swift does not import, because it is variadic.
enum ProcessControl {
  static let getDumpable: CInt = 3
  static let setDumpable: CInt = 4

  /// Its result, or -1 where there is no such function.
  static func call(_ option: CInt, _ value: CUnsignedLong = 0) -> CInt {
    // On x86-64 and arm64 Linux, integers go to a variadic function as they go to any other.
    typealias Function = @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
    guard let found = unsafe dlsym(nil, "prctl") else { return -1 }
    return unsafe unsafeBitCast(found, to: Function.self)(option, value, 0, 0, 0)
  }
}
