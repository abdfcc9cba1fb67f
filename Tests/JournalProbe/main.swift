import Glibc
import Journal

// The other process of the journal's tests: it does one thing with a state directory, says on standard output what it
// has been told, line by line and unbuffered, and dies where it is asked to.

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 2, let job = Job(rawValue: words[0]) else {
  say("usage: journal-probe \(Job.allCases.map(\.rawValue).joined(separator: "|")) FOLDER [WORD…]")
  exit(2)
}
do throws(JournalError) {
  try await job.run(in: words[1], Array(words.dropFirst(2)))
} catch {
  say("error \(error.code.rawValue)")
  exit(1)
}

/// Writes a line at once.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

/// Waits until whoever started this closes its standard input.
func waitForStart() {
  var byte: UInt8 = 0
  while unsafe read(STDIN_FILENO, &byte, 1) > 0 {}
}
