package import FlowEvents

/// Turns what happens in one run into text, as it happens.
///
/// A reporter keeps the order of what it is told, performs no I/O of its own and reads no clock: its text goes to the
/// closure it was made with, in pieces that end with a line break unless it redraws a terminal's last line. Texts of
/// the world (answers, log lines, error details) leave it only as `inert` text.
package protocol Reporter: Sendable {
  mutating func consume(_ event: RunEvent)
}

/// Where the text of a reporter goes.
package typealias ReportSink = @Sendable (String) -> Void
