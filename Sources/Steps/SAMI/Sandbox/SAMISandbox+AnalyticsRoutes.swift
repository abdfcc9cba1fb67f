import HTTPTypes
import SandboxKit
import StepKit
import Values

extension SAMISandbox {
  /// `/messages/presence` and `/messages/analytics`
  enum AnalyticsRoutes {
    static var all: [SandboxRoute<State>] {
      [
        route(.get, "/messages/presence") { call, state, _ throws(SandboxReply) in try presence(call, state) },
        route(.get, "/messages/analytics/aggregates") { call, state, world throws(SandboxReply) in
          let query = try query(call.request, aggregateFields)
          return try statistics(query, nil, call, state, at: world.now)
        },
        route(.get, "/messages/analytics/histogram") { call, state, world throws(SandboxReply) in
          let query = try query(call.request, aggregateFields + [intervalField])
          let interval = try interval(query, yearLimit: 366)
          return try statistics(query, interval, call, state, at: world.now)
        },
      ]
    }

    static let intervalField = Field("interval", .choice(Interval.allCases.map(\.rawValue)), isRequired: true)
    private static let period = [Field.moment("startDate", isRequired: true), .moment("endDate", isRequired: true)]
    static let presenceFields = [Field("sdid", .text, least: 1), intervalField] + period + [Field("fieldPresence", .text, least: 1)]
    static let aggregateFields = [.id("sdid"), .id("field")] + period

    enum Interval: String, CaseIterable, Sendable {
      case minute, hour, day, month, year

      /// The longest time that may be asked for, in days.
      func limit(years: Int) -> Double {
        switch self {
        case .minute: 1.0 / 24
        case .hour: 1
        case .day: 31
        case .month: 366
        case .year: Double(years)
        }
      }

      /// When the piece begins that a moment is in.
      func start(_ milliseconds: Int64) -> Int64 {
        let seconds = milliseconds / 1000
        switch self {
        case .minute: return seconds / 60 * 60_000
        case .hour: return seconds / 3600 * 3_600_000
        case .day: return seconds / 86_400 * 86_400_000
        case .month, .year:
          let date = CivilDate(daysSince1970: Int(seconds / 86_400))
          let first = CivilDate(year: date.year, month: self == .year ? 1 : date.month, day: 1)
          return Int64(first.daysSince1970) * 86_400_000
        }
      }
    }

    /// - Parameter yearLimit: the days of the longest time in years, which is not the same everywhere.
    private static func interval(_ query: Value, yearLimit: Int) throws(SandboxReply) -> Interval {
      let interval = query["interval"]?.stringValue.flatMap(Interval.init(rawValue:)) ?? .minute
      try check(query, days: interval.limit(years: yearLimit))
      return interval
    }

    // Assumed: How a time that is too long is refused, or one that runs backwards.
    private static func check(_ query: Value, days: Double) throws(SandboxReply) {
      let (from, to) = (query["startDate"]?.intValue ?? 0, query["endDate"]?.intValue ?? 0)
      let most = from + Int64(days * 86_400_000)
      if to < from { throw Refusal.invalid("endDate", "Minimum value \(from)") }
      if to > most { throw Refusal.invalid("endDate", "Maximum value \(most)") }
    }

    private static func presence(_ call: Call, _ state: State) throws(SandboxReply) -> SandboxReply {
      let query = try query(call.request, presenceFields)
      let interval = try interval(query, yearLimit: 3660)
      let sdid = query["sdid"]?.stringValue
      if let sdid { _ = try state.device(sdid, for: call.principal) }
      let (from, to) = (query["startDate"]?.intValue ?? 0, query["endDate"]?.intValue ?? 0)
      let field = query["fieldPresence"]?.stringValue
      let found = state.messages.filter { message in
        message.sdid != nil && (sdid == nil ? message.uid == call.principal.uid : message.sdid == sdid) && message.ts >= from
          && message.ts <= to && (field.map { message.field($0) != nil } ?? true)
      }
      let starts = Set(found.map { interval.start($0.ts) }).sorted()
      return .json(
        object([
          ("sdid", query["sdid"]), ("fieldPresence", query["fieldPresence"]), ("interval", .string(interval.rawValue.uppercased())),
          ("startDate", query["startDate"]), ("endDate", query["endDate"]), ("size", .int(Int64(starts.count))),
          ("data", .list(starts.map { ["startDate": .int($0)] })),
        ]))
    }

    private static func statistics(
      _ query: Value, _ interval: Interval?, _ call: Call, _ state: State, at now: Timestamp
    ) throws(SandboxReply) -> SandboxReply {
      if interval == nil { try check(query, days: 31) }
      let sdid = query["sdid"]?.stringValue ?? ""
      _ = try state.device(sdid, for: call.principal)
      let field = query["field"]?.stringValue?.lowercased() ?? ""
      let (start, end) = (query["startDate"]?.intValue ?? 0, query["endDate"]?.intValue ?? 0)
      // Both are cut to the minute, and the last minute is not counted yet.
      let (from, to) = (Interval.minute.start(start), min(Interval.minute.start(end), now.milliseconds - 60_000))
      let values = state.messages
        .filter { $0.sdid == sdid && $0.ts >= from && $0.ts <= to }
        .compactMap { message in message.field(field)?.number.map { (ts: message.ts, number: $0) } }
      let groups = Dictionary(grouping: values) { interval?.start($0.ts) ?? 0 }.sorted { $0.key < $1.key }
      return .json(
        object([
          ("sdid", .string(sdid)), ("startDate", .string(String(start))), ("endDate", .string(String(end))), ("field", .string(field)),
          ("interval", interval.map { .string($0.rawValue) }), ("size", .int(Int64(groups.count))),
          ("data", .list(groups.map { sums($0.value.map(\.number), ts: interval == nil ? nil : $0.key) })),
        ]))
    }

    /// Assumed: The variance is that of the whole, divided by the count.
    private static func sums(_ numbers: [Double], ts: Int64?) -> Value {
      let sum = numbers.reduce(0, +)
      let mean = sum / Double(numbers.count)
      let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
      return object([
        ("count", .int(Int64(numbers.count))), ("min", .double(numbers.min() ?? 0)), ("max", .double(numbers.max() ?? 0)),
        ("mean", .double(mean)), ("sum", .double(sum)), ("variance", .double(variance)), ("ts", ts.map { .int($0) }),
      ])
    }
  }
}
