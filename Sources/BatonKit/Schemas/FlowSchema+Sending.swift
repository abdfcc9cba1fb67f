import FrontEnds
import Values

/// Sending again, finding out, and taking back: `retry`, `poll`, `idempotency_key`, `reconcile`, `undo`.
extension FlowSchema {
  var retry: Value {
    Value.closed([
      "attempts": ["description": "How many requests are sent in all; 3 unless stated.", "type": "integer", "minimum": 1],
      "when": Value.ref("codes").described(
        "The errors after which the request is sent again: `network`, `timeout.attempt`, `http.429`, `http.502`, `http.503` and `http.504` unless stated."
      ),
      "delay": Value.ref("durationOrTemplate").described(
        "The pause before the second request; 500ms unless stated. An expression may take it from the answer: `${{ duration(response.body.retry_in) }}`. `Retry-After` wins."
      ),
      "factor": ["description": "By what each further pause is longer; 2 unless stated.", "type": "number", "minimum": 1],
      "max_delay": Value.ref("duration").described("The longest pause; 30s unless stated."),
      "jitter": Value.choice(NativeKeys.jitters).described(
        "Whether pauses are drawn at random up to their length (`full`, unless stated) or kept (`none`)."),
    ]).described(
      "Sends a request again after an error that may pass. Nothing is retried unless this is stated; what may not be sent twice never is.")
  }

  var poll: Value {
    Value.closed(
      [
        "every": Value.ref("duration").described("The pause between an answer and the next request."),
        "timeout": Value.ref("duration").described("When it gives up; `timeout.poll` then."),
        "until": Value.ref("expression").described(
          "It is done once this is true, tested after each answer. CEL; it sees `response` and `outputs`."),
        "fail_if": Value.ref("expression").described("It fails at once where this is true, with `poll.failed`. CEL."),
        "tolerate": Value.ref("codes").described("Errors that are waited out as well, such as `http.404` of what is not there yet."),
      ], required: ["every", "timeout", "until"]
    ).described(
      "Sends the request until the answer is as wished: `poll: { every: 2s, timeout: 1m, until: response.body.state == 'ready' }`.")
  }

  var idempotencyKey: Value {
    let map: Value = .closed(
      [
        "value": Value.ref("templateText").described("The key: the same for the same wish, another for another."),
        "header": [
          "description": "The header that carries it; `Idempotency-Key` unless stated.", "type": "string",
          "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
        ],
      ], required: ["value"])
    return Value.whereMap(map, else: .ref("templateText")).described(
      "A key by which the server knows a request again, so that it may be sent twice: `idempotency_key: order-${{ inputs.order }}`, or `{ value, header }`. The step's effect is `keyed` then."
    )
  }

  var reconcile: Value {
    Value.closed(
      [
        "steps": Value.ref("steps").described("How to find out: steps that read, and that see `error`."),
        "delivered": Value.ref("expression").described(
          "What they found: true if the request took effect, false if it did not, null if they cannot tell. CEL, such as `steps.look_up.outputs.count > 0`."
        ),
        "outputs": Value.ref("outputs").described("Where it was delivered: the outputs of the step that are used later."),
      ], required: ["steps", "delivered"]
    ).described(
      "Finds out what became of a request that must not be sent twice where nobody knows whether it took effect. Found to be delivered, the step is `recovered`; where the look-up cannot tell, it stays `indeterminate`."
    )
  }

  var undo: Value {
    let map: Value = .closed(
      [
        "always": .flag("Whether they run after a run that passed, too: what a test made is gone again."),
        "steps": Value.ref("steps").described("What takes the step back."),
      ], required: ["steps"])
    return Value.whereMap(map, else: .ref("steps")).described(
      "Steps that take this one back. They run after a failure or a cancel, the last step's first, if this step succeeded: `undo: [ delete: \"/users/${{ steps.create.outputs.id }}\" ]`."
    )
  }
}
