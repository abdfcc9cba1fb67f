package import Values

/// A typed step.
///
/// Conformers keep true: `run` does what `about` says and nothing else; every request goes through `ports.http`;
/// an answer that was not expected is thrown, never swallowed; no value read from a `Secret` reaches `ports.log`.
/// The exam that every handler passes is `StepExam` of the Steps tests.
package protocol StepHandler: Sendable {
  associatedtype Input: DescribedRecord
  associatedtype Output: DescribedRecord

  static var about: About { get }
  /// The errors it declares; beside them it may raise what its requests raise.
  static var errors: [StepError] { get }
  static var example: Example { get }

  /// Whether a step with this input signs a user in; asked only of handlers whose `about.signsIn` is true. Nil
  /// where it depends on values that are not known before the run.
  static func signsIn(_ literals: ValueMap) -> Bool?

  /// The input's shape where other input or the connection's settings decide it, such as the variables of a call
  /// flow by its name. `literals` holds the members of `with` that are known; `settings` those of the connection.
  static func refine(_ shape: RecordShape, literals: ValueMap, settings: ValueMap) -> RecordShape

  /// The outputs' shape where the input decides it, such as the type of a prompt's answer by its kind.
  static func refineOutput(_ shape: RecordShape, literals: ValueMap) -> RecordShape

  static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output
}

extension StepHandler {
  package static var errors: [StepError] { [] }
  package static func signsIn(_ literals: ValueMap) -> Bool? { about.signsIn }
  package static func refine(_ shape: RecordShape, literals: ValueMap, settings: ValueMap) -> RecordShape { shape }
  package static func refineOutput(_ shape: RecordShape, literals: ValueMap) -> RecordShape { shape }
}

/// A handler whose types are erased; listing many of them builds no shape.
package struct AnyStep: Sendable {
  package let about: About
  package let errors: [StepError]
  package let example: Example
  /// The shape of `with`.
  package let input: @Sendable () -> RecordShape
  /// The shape of the outputs.
  package let output: @Sendable () -> RecordShape
  package let signsIn: @Sendable (ValueMap) -> Bool?
  package let refine: @Sendable (_ literals: ValueMap, _ settings: ValueMap) -> RecordShape
  package let refineOutput: @Sendable (_ literals: ValueMap) -> RecordShape
  /// What its input and outputs are described by.
  package let records: [any DescribedRecord.Type]
  /// Runs it with input that passed `input`'s (refined) validation; answers the outputs as a map.
  package let run: @Sendable (ValueMap, Ports) async throws(StepFailure) -> ValueMap

  package init<Handler: StepHandler>(_ handler: Handler.Type) {
    about = Handler.about
    errors = Handler.errors
    example = Handler.example
    records = [Handler.Input.self, Handler.Output.self]
    input = { Handler.Input.recordShape }
    output = { Handler.Output.recordShape }
    signsIn = { Handler.signsIn($0) }
    refine = { Handler.refine(Handler.Input.recordShape, literals: $0, settings: $1) }
    refineOutput = { Handler.refineOutput(Handler.Output.recordShape, literals: $0) }
    run = { (input: ValueMap, ports: Ports) async throws(StepFailure) -> ValueMap in
      // Whatever it does with its secrets, somebody may say them aloud: a server, a program, an error.
      ports.http.hide(Value.map(input).secretTexts)
      let output = try await RunningStep.named(ports.stepID) { () async throws(StepFailure) in
        try await Handler.run(Handler.Input(valid: input), ports).encoded
      }
      ports.http.hide(Value.map(output).secretTexts)
      return output
    }
  }
}
