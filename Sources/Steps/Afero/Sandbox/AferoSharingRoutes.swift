import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox {
  /// Who may use an account, and who is asked to.
  enum SharingRoutes {
    static let all: [SandboxRoute<State>] = [
      route(.get, "/accountUserSummary") { _, caller, state, _ throws(SandboxReply) in
        let invitations = state.invitations.filter { $0.accountID == caller.accountID }.map(value)
        return .json(["users": .list(users(caller.accountID, state)), "invitations": .list(invitations)])
      },
      route(.get, "/userAccountAccess") { _, caller, state, _ throws(SandboxReply) in .json(.list(users(caller.accountID, state))) },
      route(.delete, "/userAccountAccess/{userId}", .own) { call, caller, state, _ throws(SandboxReply) in
        let position = state.access.firstIndex { $0.accountID == caller.accountID && $0.userID == call["userId"] }
        guard let position else { throw Refusal.notFound }
        // Assumed: Nobody locks themselves out.
        guard call["userId"] != caller.userID else { throw Refusal.forbidden }
        state.access.remove(at: position)
        return empty()
      },
      route(.post, "/invitations", .own, invite),
      route(.delete, "/invitations/{id}", .own) { call, caller, state, _ throws(SandboxReply) in
        let position = state.invitations.firstIndex { $0.id == call["id"] && $0.accountID == caller.accountID }
        guard let position else { throw Refusal.notFound }
        state.invitations.remove(at: position)
        return empty()
      },
    ]

    @Sendable private static func invite(
      _ call: SandboxCall, _ caller: Caller, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try read(call.request, invitation)
      // Assumed: What the body says of who asks must be so.
      for (name, expected) in [("sourceAccountId", caller.accountID), ("sourceUserId", caller.userID)]
      where body[name]?.stringValue != expected {
        throw Refusal.validation(name, "must be who asks", body[name]?.stringValue ?? "")
      }
      let email = body["targetEmail"]?.stringValue ?? ""
      let id = "inv-\(world.nextID(of: "afero.invitation"))"
      if state.invitations.count == 1000 { state.invitations.removeFirst() }
      state.invitations.append(.init(id: id, accountID: caller.accountID, email: email, created: world.now.milliseconds))
      let text = body["customMessage"]?.stringValue ?? "You are invited to share an account."
      world.post(SandboxMessage(.mail, to: email, subject: "Invitation", text: text, code: id))
      // Assumed: The status of an empty answer.
      return empty()
    }

    private static func users(_ account: String, _ state: State) -> [Value] {
      state.access.filter { $0.accountID == account }.compactMap { access in
        guard let user = state.users.first(where: { $0.id == access.userID }) else { return nil }
        return [
          "userId": .string(user.id), "firstName": .string(user.firstName), "lastName": .string(user.lastName),
          "credentialId": .string(user.credentialID),
          "userAccountAccess": [
            "accountId": .string(account), "userId": .string(user.id), "privileges": access.privileges,
            "startAccessTimestamp": .int(access.start), "endAccessTimestamp": .int(access.end),
          ],
        ]
      }
    }

    private static func value(_ invitation: State.Invitation) -> Value {
      [
        "value": .string(invitation.id), "credentialId": .string(invitation.email), "accountId": .string(invitation.accountID),
        "type": "ACCOUNT_INVITE", "createdTimestamp": .int(invitation.created),
        // Assumed: As long as in the documented example.
        "expiresTimestamp": .int(invitation.created + 600_000_000), "tokenParams": "{}",
      ]
    }
  }
}
