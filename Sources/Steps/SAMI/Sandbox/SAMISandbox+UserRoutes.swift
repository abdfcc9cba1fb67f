import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox {
  /// `/users`
  enum UserRoutes {
    static var all: [SandboxRoute<State>] {
      [
        route(.get, "/users/self") { call, state, _ throws(SandboxReply) in
          guard let uid = call.principal.uid, let user = state.user(uid) else { throw Refusal.userUnknown }
          return .json(["data": user.value])
        },
        route(.get, "/users/{id}/devices") { call, state, _ throws(SandboxReply) in
          let query = try query(call.request, SAMIPage.fields() + [Field("includeProperties", .flag)])
          try state.checkUser(call["id"], call.principal)
          let devices = state.devices.filter { $0.uid == call["id"] }
          return .json(SAMIPage(query).reply(devices, "devices") { $0.value(withProperties: query["includeProperties"] == true) })
        },
        route(.get, "/users/{id}/devicetypes") { call, state, _ throws(SandboxReply) in
          let query = try query(call.request, SAMIPage.fields() + [Field("includeShared", .flag)])
          try state.checkUser(call["id"], call.principal)
          let types = state.types.filter { $0.uid == call["id"] || query["includeShared"] == true && $0.isPublished }
          return .json(SAMIPage(query).reply(types, "deviceTypes", \.value))
        },
        route(.get, "/users/{id}/properties") { call, state, _ throws(SandboxReply) in
          let aid = try reference(call, state)
          guard let text = state.properties[call["id"]]?[aid] else { throw Refusal.notFound }
          return answer(call["id"], aid, text)
        },
        route(.delete, "/users/{id}/properties") { call, state, _ throws(SandboxReply) in
          let aid = try reference(call, state)
          guard state.properties[call["id"]]?.removeValue(forKey: aid) != nil else { throw Refusal.notFound }
          return answer(call["id"], aid, "")
        },
        route(.post, "/users/{id}/properties") { call, state, _ throws(SandboxReply) in try keep(call, &state) },
        route(.put, "/users/{id}/properties") { call, state, _ throws(SandboxReply) in try keep(call, &state) },
      ]
    }

    static let aid = Field("aid", .text, isRequired: true, least: 1, most: 36)
    static let keptFields = [Field("uid", .text, least: 1), aid, Field("properties", .text, isRequired: true, most: 10_000)]

    private static func reference(_ call: Call, _ state: State) throws(SandboxReply) -> String {
      let query = try query(call.request, [aid])
      return try check(call, query, state)
    }

    private static func check(_ call: Call, _ given: Value, _ state: State) throws(SandboxReply) -> String {
      try state.checkUser(call["id"], call.principal)
      let aid = given["aid"]?.stringValue ?? ""
      guard aid == call.principal.aid else { throw Refusal.forbidden("applications") }
      return aid
    }

    // Assumed: Both keep what is sent, whether or not there was something before.
    private static func keep(_ call: Call, _ state: inout State) throws(SandboxReply) -> SandboxReply {
      let body = try body(call.request, keptFields)
      let aid = try check(call, body, state)
      if let uid = body["uid"]?.stringValue, uid != call["id"] { throw Refusal.forbidden("users") }
      let text = body["properties"]?.stringValue ?? ""
      state.properties[call["id"], default: [:]][aid] = text
      return answer(call["id"], aid, text)
    }

    private static func answer(_ uid: String, _ aid: String, _ properties: String) -> SandboxReply {
      .json(["data": ["uid": .string(uid), "aid": .string(aid), "properties": .string(properties)]])
    }
  }
}
