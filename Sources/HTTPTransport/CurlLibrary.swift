import CLibCurl
import Glibc

/// libcurl, loaded on first need and never unloaded.
package enum CurlLibrary {
  /// Nil once libcurl is loaded, else why it is not; the first reader loads it, which takes some 10 ms.
  package static let failure: String? = load(named: "libcurl.so.4")

  /// Loads a libcurl by its name for the dynamic linker and returns why that failed, or nil. Not to be called
  /// beside `failure`, except with a name that cannot be loaded.
  package static func load(named name: String) -> String? {
    stopKeyLog()
    var reason = [CChar](repeating: 0, count: 512)
    if unsafe clibcurl_load(name, &reason, reason.count) { return nil }
    let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "libcurl cannot be used (\(text)); install `libcurl4`"
  }

  /// Unsets `SSLKEYLOGFILE`: initialising, libcurl would open that file to write every session's keys into it,
  /// readable by all.
  package static func stopKeyLog() {
    // Only where it is set: changing the environment is not safe beside another thread that reads it.
    if unsafe getenv("SSLKEYLOGFILE") != nil { unsafe unsetenv("SSLKEYLOGFILE") }
  }
}
