import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox {
  /// `POST /v1/rem/trigger`.
  enum TriggerRoutes {
    static let all: [SandboxRoute<State>] = [SandboxRoute(.post, "/v1/rem/trigger", trigger)]

    // Assumed: Only `alert_id` is known of the answer; the refusals are not.
    @Sendable private static func trigger(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      _ = try state.tokens.rapidSOSUser("client", of: call.request, at: world.now, state.switches)
      var fields = try BodyFields(call.request)
      let name = fields.text("callflow")
      fields.allow("variables")
      try fields.check()
      guard let required = state.callFlows[name] else { throw Refusal.detail("Call flow `\(name)` not found.", status: 404) }
      let variables = call.request.json?["variables"] ?? .null
      try check(variables, required: required, state)
      if name == "kronos_contacts" { try checkTypes(variables) }

      let id = hexadecimal(world.nextID(of: "rapidsos.alert"))
      state.add(.init(id: "al_\(id)", callFlow: name, variables: variables, at: world.now))
      return .json(["alert_id": .string("al_\(id)"), "status": "accepted"], status: state.switches.triggerStatus)
    }

    private static func check(_ variables: Value, required: [String], _ state: State) throws(SandboxReply) {
      var errors = FieldErrors()
      for path in required {
        switch path.split(separator: ".").reduce(Optional(variables), { $0?[String($1)] }) {
        case nil, .null: errors.add(path, "Missing data for required field.")
        case .string(""): errors.add(path, "Missing data for required field.")
        case .some(let value) where isNumeric(path) && !isNumber(value): errors.add(path, "Not a valid number.")
        case .some: break
        }
      }
      if errors.map.isEmpty, variables.mapValue == nil {
        errors.add("variables", variables == .null ? "Missing data for required field." : "Invalid type.")
      }
      try errors.throwIfAny()
      guard state.switches.requiresVerifiedNumber, let number = variables["user"]?["phone_number"] else { return }
      guard let number = number.stringValue, state.isVerified(number) else {
        errors.add("user.phone_number", "Not a verified phone number.")
        throw Refusal.fields(errors)
      }
    }

    /// The types of the guide's own call flow; further members are let through.
    private static func checkTypes(_ variables: Value) throws(SandboxReply) {
      var errors = FieldErrors()
      if let uncertainty = variables["location"]?["uncertainty"] {
        BodyForm.numberOrText.check(uncertainty, at: "location.uncertainty", &errors)
      }
      for member in ["full_name", "phone_number"] {
        if let text = variables["user"]?[member] { BodyForm.text.check(text, at: "user.\(member)", &errors) }
      }
      if let company = variables["company"] { BodyForm.text.check(company, at: "company", &errors) }
      if let contacts = variables["contacts"] {
        BodyForm.list(.object([.init("full_name", .text, isRequired: true), .init("phone_number", .text, isRequired: true)]))
          .check(contacts, at: "contacts", &errors)
      }
      try errors.throwIfAny()
    }

    private static func isNumeric(_ path: String) -> Bool { path.hasPrefix("location.") }

    /// A number, or a text that is one: the guide's words say the first, its code sends the second.
    private static func isNumber(_ value: Value) -> Bool {
      switch value {
      case .int, .uint, .double, .decimal: true
      case .string(let text): BodyForm.isDecimal(text)
      default: false
      }
    }

    /// Four digits at least.
    private static func hexadecimal(_ number: Int64) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}
