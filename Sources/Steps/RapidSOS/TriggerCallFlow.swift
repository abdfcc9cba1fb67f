import HTTPTypes
package import StepKit
import Synchronization
package import Values

extension RapidSOS {
  /// `rapidsos/trigger-call-flow`
  package enum TriggerCallFlow: StepHandler {
    package static let about = About(
      "rapidsos/trigger-call-flow", "Starts an emergency call flow.", effect: .once, token: .client, isEmergency: true,
      reserves: [ReservedRoute("POST", "/v1/rem/trigger")])
    static let missingVariable = StepError(
      "rapidsos.missing_variable", "a variable of the call flow is missing", help: "`error.errors` names it where RapidSOS does")
    static let unknownCallFlow = StepError(
      "rapidsos.unknown_call_flow", "RapidSOS has no such call flow", help: "compare `call_flow` with the organisation's console")
    static let wrongToken = StepError("rapidsos.wrong_token", "the token is not one of the app")
    static let profileIncomplete = StepError(
      "rapidsos.profile_incomplete", "the caller has no name", help: "fill in `full_name` with `rapidsos/update-profile`")
    static let alreadyStarting = StepError(
      "rapidsos.already_starting", "another trigger of this connection is under way", help: "wait for its answer")
    package static let errors = [badNumber, missingVariable, unknownCallFlow, wrongToken, profileIncomplete, alreadyStarting]
    package static let example = Example(
      with: """
        {"call_flow": "kronos_contacts", "variables": {
          "location": {"latitude": 42.6526, "longitude": -73.7562, "uncertainty": 12.0},
          "user": {"full_name": "Dana Reyes", "phone_number": "(234) 567-8888"},
          "contacts": [{"full_name": "Ira Reyes", "phone_number": "(234) 567-0000"}],
          "company": "Kronos"}}
        """,
      outputs: #"{"alert_id": "*", "status": "accepted"}"#)

    package struct Input: Sendable {
      let callFlow: String
      let variables: NamedMembers<Value>
      let fallbackPhone: String?
    }

    /// A 2xx is success whatever its body: what cannot be read is absent.
    package struct Output: Sendable {
      let alertID: String?
      let status: String?
    }

    struct Wire: Sendable {
      let callflow: String
      let variables: Value
    }

    /// Types the variables by the call flow's name: the guide's own, or one that the connection describes.
    package static func refine(_ shape: RecordShape, literals: ValueMap, settings: ValueMap) -> RecordShape {
      let described = settings["call_flows"]?.exposed.mapValue ?? ValueMap()
      var names = described.map(\.key.text)
      if !names.contains(KronosVariables.callFlow) { names.insert(KronosVariables.callFlow, at: 0) }
      let named = shape.replacing("call_flow", with: .choice(names))
      guard let callFlow = literals["call_flow"]?.stringValue else { return named }
      if let source = described[callFlow] {
        // The settings were checked: what is there is a schema.
        guard let schema = try? SchemaShape(source) else { return named }
        return named.constraining("variables", by: .conforms(schema))
      }
      return callFlow == KronosVariables.callFlow ? named.replacing("variables", with: KronosVariables.shape) : named
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      guard let start = StartingTriggers.begin(on: ports.session) else {
        throw alreadyStarting.local(detail: "There is already an active call flow.")
      }
      defer { StartingTriggers.end(start) }
      var variables = input.variables.value
      if input.callFlow == KronosVariables.callFlow {
        variables = try KronosVariables.normalised(variables, fallback: input.fallbackPhone)
      }
      let reply = try await ports.http.send(.post, "/v1/rem/trigger", json: Wire(callflow: input.callFlow, variables: variables))
      guard reply.isSuccess else { throw failure(reply, [400: missingVariable, 403: wrongToken, 404: unknownCallFlow]) }
      return Output(alertID: reply.body["alert_id"]?.scalarText, status: reply.body["status"]?.scalarText)
    }
  }
}

extension RapidSOS.TriggerCallFlow.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    callFlow = field("call_flow", "The call flow's name: `kronos_contacts`, or one that the connection's `call_flows` describes.")
    variables = field("variables", "What the call flow needs, typed by its name.")
    fallbackPhone = field(
      "fallback_phone", "The verified number, called back where `kronos_contacts` gets no `user.phone_number`, or an empty one.")
  }
}

/// Connections whose trigger has not been answered yet: one at a time, as in RapidSOS's own client.
private enum StartingTriggers {
  private static let connections = Mutex<Set<ObjectIdentifier>>([])

  /// What `end` takes; nil where one is under way. The session stands for the connection, and lives until then.
  static func begin(on session: any SessionPort) -> AnyObject? {
    let object = session as AnyObject
    return connections.withLock { $0.insert(ObjectIdentifier(object)).inserted } ? object : nil
  }

  static func end(_ session: AnyObject) { _ = connections.withLock { $0.remove(ObjectIdentifier(session)) } }
}

extension RapidSOS.TriggerCallFlow.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    alertID = field("alert_id", "The alert's id at RapidSOS, where the answer has one.")
    status = field("status", "What RapidSOS says of it, where the answer does.")
  }
}

extension RapidSOS.TriggerCallFlow.Wire: DescribedRecord {
  init(_ field: inout Fields) {
    callflow = field("callflow", "")
    variables = field("variables", "")
  }
}
