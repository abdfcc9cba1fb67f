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
  /// What lasts between runs; empty where the flow declares none.
  package let state: [StatePlan]
  /// A text over `inputs` that parts one state of the flow from another; nil is one for all.
  package let stateKey: DataPlan?
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
  /// What `set` has set: a map.
  package let vars = 6
  /// What lasts between runs: a map.
  package let state = 7
  /// The request of a plain step, in its own modifiers.
  package let request = 8
  /// Alias → the settings of a connection that are not secret.
  package let connections = 9
  package static let firstOfSteps = 10
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
  /// The item of a `for_each`, inside it.
  package var item: Int { first + 4 }
  /// `loop` inside a `for_each` or `repeat`: a map of `index`, `key`, and the carried values.
  package var loop: Int { first + 5 }
  package static let count = 6
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

/// One value that lasts between runs.
package struct StatePlan: Sendable {
  package let name: Located<String>
  package let schema: Schema
  package let type: ValueType
  /// What it is before the first run has set it.
  package let fallback: Value
}

package struct ConnectionPlan: Sendable {
  package let alias: String
  package let system: SystemDescription
  /// A map; its text values may be templates over `inputs` and `secrets`.
  package let settings: DataPlan
  /// Whether the flow that calls this one lends it; such a flow does not run by itself.
  package let isBorrowed: Bool
  package let place: Place
  /// Its settings as far as they are known before the run: what is written out as it stands, and a made-up text for each
  /// text that only the run tells. Of other kinds only what is written out is there.
  package let assumed: ValueMap
  /// The classes of token that it has; nil where only the run tells: nobody knows what is lent, or what an expression gives.
  package let tokenClasses: [TokenClass]?

  init(alias: String, system: SystemDescription, settings: DataPlan, isBorrowed: Bool, place: Place) {
    (self.alias, self.system, self.settings, self.isBorrowed, self.place) = (alias, system, settings, isBorrowed, place)
    let shape = system.settings()
    assumed = settings.assumed(as: shape)
    let classes = system.tokens?.classes(assumed) ?? []
    let mayHaveMore = system.tokens != nil && (isBorrowed || settings.hasUnknownRecord(of: shape))
    tokenClasses = classes.isEmpty && mayHaveMore ? nil : classes
  }
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
  /// Where `time` is stated.
  package var timePlace: Place?
}

/// A `prompt` step whose answer must come from somewhere.
package struct PromptPlan: Hashable, Sendable {
  package let stepID: String
  package let place: Place
  /// Whether the sandbox's outbox may answer.
  package let readsOutbox: Bool
  package let isSecret: Bool
}
