import Glibc

/// Who gives a command.
enum OperatorName {
  /// The name of the process's real user; behind `sudo` also who called it.
  static func current(_ environment: [String: String]) -> String {
    var name = "user \(getuid())"
    if let entry = unsafe getpwuid(getuid()), let known = unsafe entry.pointee.pw_name { name = unsafe String(cString: known) }
    guard let caller = environment["SUDO_USER"], !caller.isEmpty, caller != name else { return name }
    return "\(name) (sudo by \(caller))"
  }
}
