import FlowPlan
import StepKit
import Values

/// The JSON Schema of what `baton plan --json` prints. Objects are open: a later version may say more.
struct PlanSchema {
  var value: Value {
    let head: Value = [
      "$schema": .dialect, "title": "Baton plan",
      "description": "What a run of a flow would do, as far as it is known before the run. Secrets are hidden.",
    ]
    let members: Value = [
      "file": Self.text("The flow's file."), "sound": .flag("Whether the command exits 0: nothing that is known refuses the run."),
      "findings": Value.list(ofAny: .ref("finding")).described("What refuses the run, and what is worth a look."),
      "flow": Self.text("The flow's name; absent, as all that follows, where the flow is not sound by itself."),
      "environment": Value.object(
        ["name": ["type": "string"], "live": .flag("Whether it says `live: true`.")], required: ["name", "live"]
      )
      .orNull.described("The environment of `baton.yaml`; null where none is named."),
      "missing": Value.list(ofAny: .ref("finding")).described("Inputs, secrets, answers and settings that the run is not given yet."),
      "commands": Value.list(
        ofAny: .object(
          ["secret": ["type": "string"], "command": Self.texts("The program and its arguments.")], required: ["secret", "command"])
      ).described("Programs that a run starts for secrets; a plan does not."),
      "hosts": Value.list(ofAny: host).described("The hosts that a run may talk to."),
      "steps": Value.list(ofAny: .ref("step")).described("The steps, in the order of the flow."),
      "finally": Value.list(ofAny: .ref("step")).described("The steps under `finally`."),
      "worstCase": Value.ref("limits").described("What a run asks at most; tokens, repeats after a 401 and redirects are not counted."),
      "budget": Value.ref("limits").described("What the flow allows at most."),
      "emergencies": Value.list(ofAny: .ref("emergency")).described("The steps that set off an emergency response."),
    ]
    let schema = head.joined(with: .object(members, required: ["file", "sound", "findings"]))
    return schema.with("$defs", ["finding": finding, "step": step, "sends": sends, "limits": limits, "emergency": emergency])
  }

  private var host: Value {
    .object(
      [
        "host": Self.text("With its port where that is not the usual one, or `⟨…⟩` where only the run knows."),
        "allowed": ["description": "Null where only the run knows.", "type": ["boolean", "null"]],
        "loopback": .flag("Whether it is this machine."), "usedBy": Self.texts("Aliases of connections, and ids of steps."),
      ], required: ["host", "allowed", "loopback", "usedBy"])
  }

  private var limits: Value {
    .object(
      [
        "requests": ["description": "Null is without a bound.", "type": ["integer", "null"], "minimum": 0],
        "timeMs": Self.milliseconds("Null is without a bound."),
      ], required: ["requests", "timeMs"])
  }

  /// As `baton check --format json` has it.
  private var finding: Value {
    .object(
      [
        "kind": ["type": "string"], "severity": .choice(["error", "warning", "failure"]), "message": ["type": "string"],
        "file": ["type": ["string", "null"]], "line": ["type": ["integer", "null"]],
      ], required: ["kind", "severity", "message"])
  }

  private var step: Value {
    .object(
      [
        "id": Self.text("Its id, or its position, such as `steps[3]`, where it has none."),
        "action": Self.text("`GET https://api.example.test/health`, `rapidsos/register`, `group`; `⟨…⟩` stands for what is not known yet."),
        "file": ["type": "string"], "line": ["type": "integer", "minimum": 1],
        "mayNotRun": .flag("Whether a run may pass without it."),
        "if": Self.text("Its condition; absent where it has none."),
        "sends": Value.ref("sends").described("Absent where it sends nothing."),
        "notes": Self.texts("What else it does, for people."),
        "bodies": .list(
          ofAny: .object(
            [
              "kind": .choice(BodyOutline.Kind.allCases.map(\.rawValue)), "title": Self.text("When its steps run, for people."),
              "steps": .list(ofAny: .ref("step")),
            ], required: ["kind", "title", "steps"])),
      ], required: ["id", "action", "file", "line", "mayNotRun", "notes", "bodies"])
  }

  private var sends: Value {
    .object(
      [
        "connection": ["description": "The alias of its connection.", "type": ["string", "null"]],
        "baseUrl": ["description": "Where that leads.", "type": ["string", "null"]],
        "requests": Value.list(
          ofAny: .object(["method": ["type": "string"], "url": ["type": "string"]], required: ["method", "url"])
        ).described("Its requests, where they are known: those of typed steps often are not."),
        "effect": Value.choice(Effect.allCases.map(\.rawValue)).described("Whether it may be sent again."),
        "token": Value.choice(TokenClass.allCases.map(\.rawValue)).described("Which token of its connection it carries."),
        "emergency": .flag("Whether it sets off an emergency response."),
        "attemptTimeoutMs": Self.milliseconds("For one request."), "timeoutMs": Self.milliseconds("For the step; null is no limit."),
        "mostRequests": ["description": "With retries and polls; null is without a bound.", "type": ["integer", "null"]],
      ],
      required: ["connection", "baseUrl", "requests", "effect", "token", "emergency", "attemptTimeoutMs", "timeoutMs", "mostRequests"])
  }

  private var emergency: Value {
    .object(
      [
        "step": ["type": "string"], "file": ["type": "string"], "line": ["type": "integer", "minimum": 1],
        "live": .flag("Whether somebody real answers: everywhere but on loopback."),
        "address": ["description": "The base URL that it goes to; null where only the run knows.", "type": ["string", "null"]],
        "key": Value.object(
          ["text": Self.text("The `dedupe_key`, with `⟨…⟩` for what is not known yet."), "known": .flag("Whether all of it is known.")],
          required: ["text", "known"]),
        "validForMs": Self.milliseconds("From its confirmation to its first byte."),
        "verifiedBy": Value.choice(OutlineJSON.Verification.allCases.map(\.rawValue)).described("How to find out what became of it."),
        "unverifiable": ["description": "Why nobody can find out, in the author's words.", "type": ["string", "null"]],
        "with": ["description": "What it is given, with `⟨…⟩` for what is not known yet.", "type": "object"],
        "gate": Value.list(ofAny: condition).described("What must hold before the run; empty where it is not live."),
      ],
      required: ["step", "file", "line", "live", "address", "key", "validForMs", "verifiedBy", "unverifiable", "with", "gate"])
  }

  private var condition: Value {
    .object(
      [
        "condition": .choice(LiveCondition.Name.allCases.map(\.rawValue)),
        "met": ["description": "Null where only the run can tell.", "type": ["boolean", "null"]], "text": Self.text("What is so."),
        "help": Self.texts("How to mend it."),
      ], required: ["condition", "met", "text", "help"])
  }

  private static func text(_ about: String) -> Value { ["description": .string(about), "type": "string"] }
  private static func texts(_ about: String) -> Value { ["description": .string(about), "type": "array", "items": ["type": "string"]] }
  private static func milliseconds(_ about: String) -> Value {
    ["description": .string(about), "type": ["integer", "null"], "minimum": 0]
  }
}

extension Value {
  /// A list of any length.
  fileprivate static func list(ofAny item: Value) -> Value { ["type": "array", "items": item] }

  fileprivate var orNull: Value { ["anyOf": [self, ["type": "null"]]] }
}
