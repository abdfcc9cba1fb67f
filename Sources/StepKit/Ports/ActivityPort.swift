/// Learns whether a run does anything but wait for its clock. Each `began` is followed by one `ended`; whoever sleeps
/// on a clock that listens here is not counted meanwhile, nor whoever waits for what another does.
package protocol ActivityPort: Sendable {
  /// Something is under way that is not a timer.
  func began()
  /// It is over.
  func ended()
}

/// Listens to nothing: for clocks that go on by themselves.
package struct NoActivity: ActivityPort {
  package init() {}
  package func began() {}
  package func ended() {}
}
