import FoundationEssentials
import Glibc

/// Writes a file in place, and returns how many bytes it has then.
func overwrite(_ path: String, _ bytes: Data) -> Int {
  let file = unsafe open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
  defer { close(file) }
  return unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
}
