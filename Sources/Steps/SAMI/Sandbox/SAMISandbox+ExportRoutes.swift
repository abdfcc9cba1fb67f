import HTTPTypes
import SandboxKit
import StepKit
import Values

extension SAMISandbox {
  /// A file with many messages that somebody has asked for.
  struct Export: Sendable {
    /// Whose messages.
    struct Selection: Sendable {
      let uids: [String]
      let sdids: [String]
      let sdtids: [String]

      func has(_ message: Message) -> Bool {
        message.sdid != nil && (uids.isEmpty || uids.contains(message.uid)) && (sdids.isEmpty || sdids.contains(message.sdid ?? ""))
          && (sdtids.isEmpty || sdtids.contains(message.sdtid ?? ""))
      }
    }

    let id: String
    let aid: String?
    let uid: String
    let selection: Selection
    let startDate: Int64
    let endDate: Int64
    let isDescending: Bool
    let format: String
    let hasHeaders: Bool
    let requested: Timestamp
    var isServed = false
    var isAnnounced = false

    /// Assumed: A day.
    func expiration(_ switches: Switches) -> Timestamp { requested.advanced(by: switches.exportTime + .seconds(86_400)) }

    func status(at now: Timestamp, _ switches: Switches) -> String {
      if now < requested.advanced(by: switches.exportTime) {
        return now < requested.advanced(by: switches.exportTime / 2) ? "Received" : "InProgress"
      }
      if switches.exportFails { return "Failure" }
      if now >= expiration(switches) { return "Expired" }
      return isServed ? "Served" : "Success"
    }
  }

  /// `/messages/export`
  enum ExportRoutes {
    private static let callers: Set<Principal.Kind> = [.user, .app]

    static var all: [SandboxRoute<State>] {
      [
        route(.post, "/messages/export", callers) { call, state, world throws(SandboxReply) in try create(call, &state, &world) },
        route(.get, "/messages/export/history", callers) { call, state, world throws(SandboxReply) in
          let query = try query(call.request, SAMIPage.fields() + [Field("trialId", .text, least: 1)])
          let exports = query["trialId"] == nil ? state.exports.filter { isOf(call.principal, $0) } : []
          let now = world.now
          return .json(
            SAMIPage(query).reply(exports, "exports") { export in
              var map = describe(export, state, at: now).mapValue ?? ValueMap()
              map["request"] = [
                "requestDate": .int(export.requested.milliseconds), "startDate": .int(export.startDate), "endDate": .int(export.endDate),
                "order": export.isDescending ? "desc" : "asc", "format": .string(export.format),
              ]
              return .map(map)
            })
        },
        route(.get, "/messages/export/{id}/status", callers) { call, state, world throws(SandboxReply) in
          let position = try position(call, state)
          announce(position, &state, &world)
          return .json(describe(state.exports[position], state, at: world.now))
        },
        route(.get, "/messages/export/{id}/result", callers) { call, state, world throws(SandboxReply) in
          let position = try position(call, state)
          let export = state.exports[position]
          // Assumed: One that is not ready is not there.
          guard ["Success", "Served"].contains(export.status(at: world.now, state.switches)) else { throw Refusal.notFound }
          state.exports[position].isServed = true
          let file = file(export, state)
          var headers: HTTPFields = [.contentType: "application/x-compressed"]
          headers[.contentDisposition] = "attachment; filename=\"\(export.id).tgz\""
          if let name = HTTPField.Name("x-sami-total-messages") { headers[name] = String(file.count) }
          return SandboxReply(status: 200, headers: headers, body: file.bytes)
        },
      ]
    }

    static let fields: [Field] = [
      Field("uids", .texts(30)), Field("sdids", .texts(30)), Field("sdtids", .texts(30)), Field("trialID", .text, least: 1),
      .moment("startDate", isRequired: true), .moment("endDate", isRequired: true), Field("order", .choice(["asc", "desc"])),
      Field("format", .choice(["json", "csv1"])), Field("csvHeaders", .flag), Field("url", .text, least: 1),
    ]

    private static func create(_ call: Call, _ state: inout State, _ world: inout SandboxWorld) throws(SandboxReply) -> SandboxReply {
      let body = try body(call.request, fields)
      func list(_ name: String) -> [String] { body[name]?.stringValue?.split(separator: ",").map(String.init) ?? [] }
      let selection = Export.Selection(uids: list("uids"), sdids: list("sdids"), sdtids: list("sdtids"))
      guard !selection.uids.isEmpty || !selection.sdids.isEmpty || body["trialID"] != nil else {
        throw Refusal.invalid("uids", "Required parameter")
      }
      if body["trialID"] != nil { throw Refusal.notFound }
      let (from, to) = (body["startDate"]?.intValue ?? 0, body["endDate"]?.intValue ?? 0)
      guard to >= from else { throw Refusal.invalid("endDate", "Minimum value \(from)") }
      guard to <= from + 31 * 86_400_000 else { throw Refusal.invalid("endDate", "Maximum value \(from + 31 * 86_400_000)") }
      for uid in selection.uids { try state.checkUser(uid, call.principal) }
      for sdid in selection.sdids { _ = try state.device(sdid, for: call.principal) }
      for sdtid in selection.sdtids where state.type(sdtid) == nil { throw Refusal.deviceTypeUnknown }
      let export = Export(
        id: newID("e", of: "export", &world) { id in state.exports.contains { $0.id == id } }, aid: call.principal.aid,
        uid: call.principal.uid ?? selection.uids.first ?? "",
        selection: selection, startDate: from, endDate: to, isDescending: body["order"] == "desc",
        format: body["format"]?.stringValue ?? "json", hasHeaders: body["csvHeaders"]?.boolValue ?? true, requested: world.now)
      state.exports.append(export)
      announce(state.exports.count - 1, &state, &world)
      return .json([
        "data": object([
          ("exportId", .string(export.id)), ("uids", body["uids"]), ("sdids", body["sdids"]), ("sdtids", body["sdtids"]),
          ("startDate", .int(from)), ("endDate", .int(to)), ("order", export.isDescending ? "desc" : "asc"),
          ("format", .string(export.format)),
        ])
      ])
    }

    private static func isOf(_ principal: Principal, _ export: Export) -> Bool {
      switch principal {
      case .user(let uid, _): export.uid == uid
      case .app(let aid): export.aid == nil || export.aid == aid
      case .device: false
      }
    }

    private static func position(_ call: Call, _ state: State) throws(SandboxReply) -> Int {
      guard let position = state.exports.firstIndex(where: { $0.id == call["id"] }) else { throw Refusal.notFound }
      guard isOf(call.principal, state.exports[position]) else { throw Refusal.forbidden("exports") }
      return position
    }

    /// The mail goes out where somebody first sees that the file is ready.
    private static func announce(_ position: Int, _ state: inout State, _ world: inout SandboxWorld) {
      let export = state.exports[position]
      guard !export.isAnnounced, export.status(at: world.now, state.switches) == "Success", let user = state.user(export.uid) else {
        return
      }
      state.exports[position].isAnnounced = true
      world.post(SandboxMessage(.mail, to: user.email, subject: "Your export is ready", text: "Export \(export.id) is ready."))
    }

    private static func describe(_ export: Export, _ state: State, at now: Timestamp) -> Value {
      let status = export.status(at: now, state.switches)
      let file = ["Success", "Served"].contains(status) ? file(export, state) : nil
      return object([
        ("exportId", .string(export.id)), ("status", .string(status)), ("md5", file.map { .string(HashDigest.md5($0.bytes)) }),
        ("expirationDate", file.map { _ in .int(export.expiration(state.switches).milliseconds) }),
        ("fileSize", file.map { .int(Int64($0.bytes.count)) }), ("totalMessages", file.map { .int(Int64($0.count)) }),
      ])
    }

    /// One file for each user or device that was asked for: `ID-TIME.json`.
    private static func file(_ export: Export, _ state: State) -> (bytes: [UInt8], count: Int) {
      let found = state.messages
        .filter { export.selection.has($0) && $0.ts >= export.startDate && $0.ts <= export.endDate }
        .sorted { export.isDescending ? $0.ts > $1.ts : $0.ts < $1.ts }
      let isByDevice = !export.selection.sdids.isEmpty
      let files = (isByDevice ? export.selection.sdids : export.selection.uids).map { id in
        let own = found.filter { isByDevice ? $0.sdid == id : $0.uid == id }
        let name = "\(id)-\(own.first?.ts ?? 0).\(export.format == "json" ? "json" : "csv")"
        return (name: name, bytes: export.format == "json" ? json(own) : csv(own, hasHeaders: export.hasHeaders))
      }
      return (SAMIArchive.bytes(files), found.count)
    }

    private static func json(_ messages: [Message]) -> [UInt8] {
      let value: Value = ["size": .int(Int64(messages.count)), "data": .list(messages.map(\.value))]
      return value.jsonBytes(secrets: .exposed)
    }

    /// Assumed: The order of the columns.
    private static func csv(_ messages: [Message], hasHeaders: Bool) -> [UInt8] {
      let rows = messages.map { message in
        let data = message.data.json().replacing("\"", with: "\"\"")
        return
          "\(message.mid),\(message.sdid ?? ""),\(message.sdtid ?? ""),\(message.uid),\(message.mv ?? 0),\(message.ts),\(message.cts),\"\(data)\""
      }
      return Array(((hasHeaders ? ["mid,sdid,sdtid,uid,mv,ts,cts,data"] : []) + rows).map { $0 + "\n" }.joined().utf8)
    }
  }
}
