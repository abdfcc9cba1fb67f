import HTTPTypes
import SandboxKit
import StepKit
import Values

extension SAMISandbox {
  /// `/messages`
  enum MessageRoutes {
    static let own: Set<Principal.Kind> = [.user, .device]

    static var all: [SandboxRoute<State>] {
      [
        route(.post, "/messages", [.user, .app, .device]) { call, state, world throws(SandboxReply) in try post(call, &state, &world) },
        route(.get, "/messages", own) { call, state, _ throws(SandboxReply) in try find(call, state) },
        route(.get, "/messages/last", own) { call, state, _ throws(SandboxReply) in try last(call, state) },
      ]
    }

    static let postFields = [
      Field("type", .choice(["message", "action"])), Field("sdid", .text, least: 1), Field("ddid", .text, least: 1),
      Field("data", .anything, isRequired: true), Field("ts", .integer), Field("token", .text, least: 1),
    ]

    static let findFields =
      [
        Field("sdid", .text, least: 1), .moment("startDate"), .moment("endDate"), Field("mid", .text, least: 1),
        Field("fieldPresence", .text, least: 1), Field("filter", .text, least: 1), Field("order", .choice(["asc", "desc"])),
        // Assumed: 1000.
        Field("count", .integer, least: 1, most: 1000), Field("offset", .text, least: 1), Field("uid", .text, least: 1),
      ]

    static let lastFields = [
      Field("sdids", .texts(nil), isRequired: true), Field("count", .integer, least: 1, most: 100), Field("fieldPresence", .text, least: 1),
    ]

    private static func post(_ call: Call, _ state: inout State, _ world: inout SandboxWorld) throws(SandboxReply) -> SandboxReply {
      guard call.request.body.count <= 10 * 1024 else { throw Refusal.tooLarge }
      let body = try body(call.request, postFields)
      let message = try state.accept(body, from: call.principal, &world)
      return .json(["data": ["mid": .string(message.mid)]])
    }

    private static func find(_ call: Call, _ state: State) throws(SandboxReply) -> SandboxReply {
      let query = try query(call.request, findFields)
      if let uid = query["uid"]?.stringValue { try state.checkUser(uid, call.principal) }
      let found = try matching(query, call, state)
      let count = Int(query["count"]?.intValue ?? 100)
      let start = try start(query["offset"]?.stringValue)
      let isDescending = query["order"] == "desc"
      let sorted = isDescending ? byTime(found).reversed() : byTime(found)
      let page = sorted.dropFirst(start).prefix(count)
      let isMore = sorted.count > start + page.count
      return .json(
        object([
          ("uid", call.principal.uid.map { .string($0) }), ("sdid", query["sdid"]), ("startDate", query["startDate"]),
          ("endDate", query["endDate"]), ("count", .int(Int64(count))), ("order", isDescending ? "desc" : "asc"),
          ("size", .int(Int64(page.count))),
          ("next", isMore ? .string(Base64URL.encoded(Array("{\"o\":\(start + page.count)}".utf8))) : nil),
          ("data", .list(page.map(\.value))),
        ]))
    }

    /// The four ways to ask.
    private static func matching(_ query: Value, _ call: Call, _ state: State) throws(SandboxReply) -> [Message] {
      if let mid = query["mid"]?.stringValue {
        guard let message = state.messages.first(where: { $0.mid == mid && $0.sdid != nil }) else { throw Refusal.notFound }
        if let sdid = message.sdid { _ = try state.device(sdid, for: call.principal) }
        return [message]
      }
      guard let sdid = query["sdid"]?.stringValue else { throw Refusal.invalid("sdid", "Required parameter") }
      _ = try state.device(sdid, for: call.principal)
      var found = state.messages.filter { $0.sdid == sdid }
      let presence = query["fieldPresence"]?.stringValue
      if presence == nil || query["filter"] != nil {
        guard let from = query["startDate"]?.intValue else { throw Refusal.invalid("startDate", "Required parameter") }
        guard let to = query["endDate"]?.intValue else { throw Refusal.invalid("endDate", "Required parameter") }
        found = found.filter { $0.ts >= from && $0.ts <= to }
      }
      if let presence { found = found.filter { $0.field(presence) != nil } }
      if let text = query["filter"]?.stringValue {
        guard let filter = MessageFilter(text) else { throw Refusal.invalid("filter", "Text field only") }
        found = found.filter(filter.matches)
      }
      return found
    }

    /// Oldest first; of one time, by their arrival.
    private static func byTime(_ messages: [Message]) -> [Message] {
      messages.enumerated().sorted { ($0.element.ts, $0.offset) < ($1.element.ts, $1.offset) }.map(\.element)
    }

    /// `next` is opaque: `{"o": 100}`, in Base64.
    private static func start(_ next: String?) throws(SandboxReply) -> Int {
      guard let next else { return 0 }
      let offset = Base64URL.decoded(next).flatMap { try? JSON.parse($0) }?["o"]?.intValue.flatMap { Int(exactly: $0) }
      guard let offset, offset >= 0 else { throw Refusal.invalid("offset", "Text field only") }
      return offset
    }

    private static func last(_ call: Call, _ state: State) throws(SandboxReply) -> SandboxReply {
      let query = try query(call.request, lastFields)
      let text = query["sdids"]?.stringValue ?? ""
      let sdids = text.split(separator: ",").map(String.init)
      for sdid in sdids { _ = try state.device(sdid, for: call.principal) }
      let presence = query["fieldPresence"]?.stringValue
      // Assumed: 1.
      let count = Int(query["count"]?.intValue ?? 1)
      let found = state.messages
        .filter { message in
          sdids.contains(message.sdid ?? "") && (presence.map { message.field($0) != nil } ?? true)
        }
      let newest = byTime(found).reversed().prefix(count)
      return .json([
        "sdids": .string(text), "count": .int(Int64(count)), "size": .int(Int64(newest.count)), "data": .list(newest.map(\.value)),
      ])
    }
  }

  /// A filter of messages: `ecg:80` or `ecg:>=80`, several with commas between them.
  struct MessageFilter: Sendable {
    private let conditions: [(field: String, comparison: Comparison, operand: Value)]

    /// Nil for a text that is none.
    init?(_ text: String) {
      var conditions: [(field: String, comparison: Comparison, operand: Value)] = []
      for part in text.split(separator: ",") {
        let halves = part.split(separator: ":", maxSplits: 1)
        guard halves.count == 2 else { return nil }
        var operand = halves[1].drop { $0 == " " }
        let comparison = [Comparison.atLeast, .atMost, .notEqual, .more, .less].first { operand.hasPrefix($0.rawValue) }
        if let comparison { operand = operand.dropFirst(comparison.rawValue.count) }
        let value: Value = Double(operand).map { .double($0) } ?? .string(String(operand))
        conditions.append((String(halves[0]).filter { $0 != " " }.lowercased(), comparison ?? .equal, value))
      }
      guard !conditions.isEmpty else { return nil }
      self.conditions = conditions
    }

    func matches(_ message: Message) -> Bool {
      conditions.allSatisfy { condition in
        message.field(condition.field).map { condition.comparison.holds($0, condition.operand) } ?? false
      }
    }
  }

  /// How a field and an operand are compared, in filters and in rules.
  enum Comparison: String, Sendable {
    case atLeast = ">="
    case atMost = "<="
    case notEqual = "!="
    case more = ">"
    case less = "<"
    case equal = "="

    func holds(_ value: Value, _ operand: Value) -> Bool {
      if let a = value.number, let b = operand.number {
        switch self {
        case .atLeast: return a >= b
        case .atMost: return a <= b
        case .notEqual: return a != b
        case .more: return a > b
        case .less: return a < b
        case .equal: return a == b
        }
      }
      switch self {
      case .equal: return value == operand
      case .notEqual: return value != operand
      case .atLeast, .atMost, .more, .less: return false
      }
    }
  }
}

extension SAMISandbox.Message {
  /// The value of a field; names count without their case.
  func field(_ name: String) -> Value? {
    data.mapValue?.first { $0.key.text.lowercased() == name.lowercased() }?.value
  }
}
