/// Processes that begin at one moment.
struct Racers: ~Copyable {
  private var probes: [RacerBox] = []

  private final class RacerBox {
    var probe: Probe?

    init(_ probe: consuming Probe) { self.probe = consume probe }
  }

  init(count: Int, words: [String]) throws {
    for _ in 0..<count { probes.append(RacerBox(try Probe(words))) }
  }

  consuming func finish() -> [Probe.End] {
    for box in probes { box.probe?.start() }
    return probes.compactMap { box in
      guard let probe = box.probe.take() else { return nil }
      return probe.finish()
    }
  }
}
