package import StepKit

extension Oya {
  /// A step that sends one request and reads its answer; nearly all of OYA's own are no more than that.
  package protocol Operation: StepHandler {
    static var host: Host { get }
    /// Which answers are which of the errors that it declares.
    static var refusals: [RefusalRule] { get }
    static func call(_ input: Input) throws(StepFailure) -> HTTPCall
    /// - Throws: `decode` where the answer has another shape.
    static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output
  }

  /// The output of a step that gives none.
  package struct Nothing: DescribedRecord {
    init() {}
    package init(_ field: inout Fields) {}
  }
}

extension Oya.Operation {
  package static var host: Oya.Host { .api }
  package static var refusals: [RefusalRule] { Oya.customerRefusals }
  package static var errors: [StepError] { refusals.errors }

  package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output { try Output.read(reply) }

  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    let reply = try await host.send(try call(input), ports)
    guard reply.isSuccess else { throw Oya.failure(reply, refusals) }
    return try output(reply, of: input)
  }
}

extension Oya.Operation where Output == Oya.Nothing {
  package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output { Oya.Nothing() }
}

extension Oya {
  /// A value of a flow as one segment of a path.
  /// - Throws: `schema.input` for what would name another path.
  static func segment(_ text: String, _ field: String) throws(StepFailure) -> String {
    guard let segment = PercentEncoding.pathSegment(text) else {
      throw StepFailure("schema.input", title: "the input cannot be used", detail: "`\(field)` stands in a path, and `\(text)` cannot")
    }
    return segment
  }
}
