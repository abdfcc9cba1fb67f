import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox {
  /// `/v1/rain/caller-ids`: a PIN by SMS, and the proof that it came.
  enum CallerIDRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.post, "/v1/rain/caller-ids", requestPIN),
      SandboxRoute(.patch, "/v1/rain/caller-ids", validatePIN),
    ]

    @Sendable private static func requestPIN(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let user = try state.tokens.rapidSOSUser("user", of: call.request, at: world.now, state.switches)
      var fields = try BodyFields(call.request)
      let number = fields.phone("caller_id")
      try fields.check()
      // A new PIN takes the place of one that has not been used.
      let pin = state.switches.pin ?? world.digits(6)
      let status = state.switches.pinRequestStatus
      world.send(to: number, text: "Your RapidSOS verification code is \(pin).", code: pin)
      if let position = state.callerID(number, of: user) {
        state.callerIDs[position].pin = pin
        return answer(state.callerIDs[position].id, number, status: status)
      }
      return answer(state.addCallerID(number, of: user, pin: pin, isVerified: false, world: &world), number, status: status)
    }

    @Sendable private static func validatePIN(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let user = try state.tokens.rapidSOSUser("user", of: call.request, at: world.now, state.switches)
      var fields = try BodyFields(call.request)
      let number = fields.phone("caller_id")
      let pin = fields.text("validation_code")
      try fields.check()
      // Assumed: 404 for a number that was never asked for.
      guard let position = state.callerID(number, of: user) else { throw Refusal.notFound }
      // Assumed: A PIN is good once.
      guard state.callerIDs[position].pin == pin else { throw Refusal.detail("Validation code is invalid", status: 400) }
      if !state.switches.isPINReusable { state.callerIDs[position].pin = nil }
      state.callerIDs[position].isVerified = true
      return answer(state.callerIDs[position].id, number)
    }

    /// The number is echoed as digits, however it came.
    private static func answer(_ id: Int64, _ number: String, status: Int = 200) -> SandboxReply {
      .json(["caller_id": .string(number), "id": .int(id)], status: status)
    }
  }
}
