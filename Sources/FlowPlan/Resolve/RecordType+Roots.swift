import Values

/// The types of the names that expressions read.
extension RecordType {
  static let inputsName = "the inputs"
  static let secretsName = "the secrets"

  /// `run`, before its end is known.
  static let run = RecordType(
    "`run` outside of `finally`", [Field("id", .string), Field("started", .timestamp), Field("environment", .string)])

  static let runInFinally = RecordType(
    "the run",
    run.fields + [Field("verdict", .string), Field("code", .nullable(.string)), Field("error", .nullable(.record(.error)))])

  /// `response` of a plain HTTP step.
  static func response(body: ValueType) -> RecordType {
    RecordType(
      "the response",
      [
        Field("status", .int), Field("headers", .map(.string, .string)), Field("body", body), Field("text", .string), Field("url", .string),
        Field("duration", .duration),
      ])
  }

  /// `request` of a plain HTTP step, as it was sent.
  static let request = RecordType(
    "the request", [Field("method", .string), Field("url", .string), Field("headers", .map(.string, .string)), Field("body", .dyn)])

  /// `error`, as language.md §3 has it.
  static let error = RecordType(
    "the error",
    [
      Field("code", .string), Field("tags", .list(.string)), Field("title", .string), Field("detail", .string), Field("step", .string),
      Field("line", .int), Field("attempt", .int), Field("sent", .string), Field("rejected", .bool),
      Field(
        "http",
        .nullable(
          .record(RecordType("the answer", [Field("status", .int), Field("headers", .map(.string, .string)), Field("body", .dyn)])))),
      Field("errors", .list(.record(RecordType("a problem", [Field("field", .string), Field("message", .string)])))), Field("cause", .dyn),
    ])
}
