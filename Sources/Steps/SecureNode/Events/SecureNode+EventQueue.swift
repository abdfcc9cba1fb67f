package import StepKit
import Values

extension SecureNode {
  /// An event that waits for its turn.
  package struct QueuedEvent: Sendable {
    let event: Event
    let queuedAt: String
  }

  /// Events that could not be reported, oldest first and each key once.
  struct EventQueue: Sendable {
    /// How many a run sends at most.
    static let batch = 50
    /// How long one waits before it is dropped.
    static let life: Int64 = 7 * 86_400

    private(set) var events: [QueuedEvent]

    init(_ events: [QueuedEvent]) {
      var seen: Set<String> = []
      self.events = events.filter { seen.insert($0.event.eventKey).inserted }
    }

    /// Of a key that waits already the first event stays.
    mutating func append(_ event: Event, at now: String) {
      guard !events.contains(where: { $0.event.eventKey == event.eventKey }) else { return }
      events.append(QueuedEvent(event: event.dated(now), queuedAt: now))
    }

    /// Takes out what has waited too long, and answers its keys. What bears no date that can be read stays.
    mutating func dropExpired(_ now: Timestamp) -> [String] {
      let expired = events.filter { queued in
        Timestamp(rfc3339: queued.queuedAt).map { now.seconds - $0.seconds > Self.life } ?? false
      }.map(\.event.eventKey)
      events.removeAll { expired.contains($0.event.eventKey) }
      return expired
    }

    mutating func removeFirst(_ count: Int) { events.removeFirst(count) }
  }

  /// `securenode/queue-event`
  package enum QueueEvent: StepHandler {
    package static let about = About(
      "securenode/queue-event", "Puts an event at the end of a queue, unless one of its key waits there; sends nothing.",
      effect: .idempotent)
    package static let example = Example(
      with: #"{"queue": [], "event": {"phone_number_e164": "+61412345678", "outcome": "missed", "event_key": "call_event:1"}}"#,
      outputs: """
        {"queue": [{"event": {"phone_number_e164": "+61412345678", "outcome": "missed", "event_key": "call_event:1",
        "displayed_at": "2024-11-21T01:00:00Z"}, "queued_at": "2024-11-21T01:00:00Z"}], "waiting": 1}
        """)

    package struct Input: Sendable {
      let queue: [QueuedEvent]
      let event: Event
    }

    package struct Output: Sendable {
      let queue: [QueuedEvent]
      let waiting: Int
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var queue = EventQueue(input.queue)
      queue.append(input.event, at: now(ports))
      return Output(queue: queue.events, waiting: queue.events.count)
    }
  }

  /// `securenode/flush-events`
  package enum FlushEvents: StepHandler {
    package static let about = About(
      "securenode/flush-events", "Reports the events of a queue in order, 50 at most, up to the first one that fails.", effect: .keyed)
    package static let errors = commonErrors
    package static let example = Example(
      with: """
        {"queue": [{"event": {"phone_number_e164": "+61412345678", "outcome": "displayed", "event_key": "call_event:1"},
        "queued_at": "2024-11-21T00:55:00Z"}]}
        """,
      outputs: #"{"queue": [], "waiting": 0, "sent": ["call_event:1"], "dropped": []}"#)

    package struct Input: Sendable { let queue: [QueuedEvent] }

    package struct Output: Sendable {
      let queue: [QueuedEvent]
      let waiting: Int
      let sent: [String]
      let dropped: [String]
      let failure: String?
      let config: Config?
    }

    /// A failure ends the run of the queue and not the step: what has been sent must leave the queue all the same.
    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var queue = EventQueue(input.queue)
      let dropped = queue.dropExpired(ports.clock.now())
      var sent: [String] = []
      var (failure, config): (String?, Config?)
      for queued in queue.events.prefix(EventQueue.batch) {
        do throws(StepFailure) {
          let report = try await report(queued.event, ports)
          sent.append(queued.event.eventKey)
          config = report.config ?? config
        } catch {
          guard error.isCatchable else { throw error }
          failure = error.code
          break
        }
      }
      queue.removeFirst(sent.count)
      return Output(queue: queue.events, waiting: queue.events.count, sent: sent, dropped: dropped, failure: failure, config: config)
    }
  }
}

extension SecureNode.QueuedEvent: DescribedRecord {
  package init(_ field: inout Fields) {
    event = field("event", "The event as it will be sent.")
    queuedAt = field("queued_at", "Since when it waits, in ISO 8601.")
  }
}

extension SecureNode.QueueEvent.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    queue = field("queue", "The queue as it was stored.", default: [])
    event = field("event", "What is to be reported later.")
  }
}

extension SecureNode.QueueEvent.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    queue = field("queue", "The queue from now on, to be stored.")
    waiting = field("waiting", "How many wait in it.")
  }
}

extension SecureNode.FlushEvents.Input: DescribedRecord {
  package init(_ field: inout Fields) { queue = field("queue", "The queue as it was stored.") }
}

extension SecureNode.FlushEvents.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    queue = field("queue", "The queue from now on, to be stored: without what was sent or dropped.")
    waiting = field("waiting", "How many wait in it.")
    sent = field("sent", "The keys of the events that were reported, in their order.")
    dropped = field("dropped", "The keys of those that had waited for more than seven days.")
    failure = field("failure", "The code of the error at which it stopped, such as `network.connect`.")
    config = field("config", "What the portal says of the account, where an answer had it.")
  }
}
