import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox {
  /// `/v1/rain/user` and `/v1/rain/password-reset`.
  enum UserRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.post, "/v1/rain/user", register),
      SandboxRoute(.post, "/v1/rain/password-reset", resetPassword),
    ]

    @Sendable private static func register(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      _ = try state.tokens.rapidSOSUser("client", of: call.request, at: world.now, state.switches)
      var fields = try BodyFields(call.request)
      let username = fields.text("username", lengths: 7...150)
      let password = fields.text("password", lengths: 8...150)
      let email = fields.email("email")
      try fields.check()
      guard state.user(named: username) == nil else {
        throw Refusal.detail("User with username `\(username)` already exists.", status: 400)
      }
      let id = state.addUser(username: username, password: password, email: email, world: &world)
      // Assumed: 201: nobody states which of 200 and 201.
      return .json(
        [
          "id": .int(id), "username": .string(username), "email": .string(email), "created": .string(world.now.pythonISOFormat),
          "modified": .null,
        ], status: state.switches.createStatus)
    }

    // Assumed: Which address gets 404.
    @Sendable private static func resetPassword(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      _ = try state.tokens.rapidSOSUser("client", of: call.request, at: world.now, state.switches)
      var fields = try BodyFields(call.request)
      let email = fields.email("email")
      try fields.check()
      if state.users.contains(where: { $0.email == email }) {
        state.addReset(of: email)
      } else if state.switches.revealsUnknownEmail {
        throw Refusal.notFound
      }
      return .json([:])
    }
  }
}

extension Timestamp {
  /// Such as `2024-11-21T09:00:01.050989+00:00`, as Python's `datetime.isoformat` writes it: six decimals, or none for
  /// a whole second.
  fileprivate var pythonISOFormat: String {
    let whole = Timestamp(seconds: seconds).text.dropLast()
    let microseconds = String(nanoseconds / 1000)
    guard nanoseconds >= 1000 else { return "\(whole)+00:00" }
    return "\(whole).\(String(repeating: "0", count: 6 - microseconds.count))\(microseconds)+00:00"
  }
}
