package import JSONSchema
package import SourceText
package import StepKit
package import Values

/// A flow that is proven correct: every name bound to a slot, every expression compiled. Frozen.
package struct Plan: Sendable {
  package let file: SourceFile
  package let name: String
  package let inputs: [InputPlan]
  package let secrets: [Located<String>]
  package let connections: [ConnectionPlan]
  package let steps: [StepPlan]
  package let finally: [StepPlan]
  package let outputs: [OutputPlan]
  package let slots: Slots
  package let budget: BudgetPlan
  /// Every `prompt` step, in the order of the file.
  package let prompts: [PromptPlan]
}

/// Where the roots of expressions stand in a run's frame.
package struct Slots: Hashable, Sendable {
  package let inputs = 0
  package let secrets = 1
  package let run = 2
  /// In a step's own modifiers.
  package let outputs = 3
  package let response = 4
  /// In `on_error`.
  package let error = 5
  package static let firstOfSteps = 6
  /// All slots of the frame.
  package let count: Int
}

/// Where a step's results stand in the frame.
package struct StepSlots: Hashable, Sendable {
  package let first: Int

  package var outputs: Int { first }
  package var status: Int { first + 1 }
  package var response: Int { first + 2 }
  package var error: Int { first + 3 }
  package static let count = 4
}

package struct InputPlan: Sendable {
  package let name: Located<String>
  package let schema: Schema
  package let type: ValueType
  package let isRequired: Bool
  package let fallback: Value?
  /// `region` of `format: phone`; nil where the input is no phone.
  package let phoneRegion: String?
  /// Whether reports hide it (`secret: true` beside its type).
  package let isSecret: Bool
  /// For the prompt of a missing one.
  package let about: String
}

package struct ConnectionPlan: Sendable {
  package let alias: String
  package let system: SystemDescription
  /// A map; its text values may be templates over `inputs` and `secrets`.
  package let settings: DataPlan
  package let place: Place
}

package struct OutputPlan: Sendable {
  package let name: String
  package let value: DataPlan
  package let isSecret: Bool
  package let place: Place
}

/// The ceiling of a whole run; nil is none.
package struct BudgetPlan: Hashable, Sendable {
  package var time: Duration?
  package var requests: Int?
}

/// A `prompt` step whose answer must come from somewhere.
package struct PromptPlan: Hashable, Sendable {
  package let stepID: String
  package let place: Place
  /// Whether the sandbox's outbox may answer.
  package let readsSMS: Bool
  package let isSecret: Bool
}
