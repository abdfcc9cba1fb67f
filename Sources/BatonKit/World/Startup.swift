import Glibc
import HTTPTransport

/// What a process may begin before it knows its command's arguments.
public enum Startup {
  private static let sending: Set = ["run", "test"]

  /// Rules out core dumps, which would hold secrets, and loads libcurl, which costs more than all of the rest, on a thread of its own where the command will need it.
  public static func begin(arguments: [String]) {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    guard let command = arguments.dropFirst().first, sending.contains(command) else { return }
    CurlTransport.shared.preload()
  }
}
