import Reporters
import StepKit

/// Steps that the catalogue shows together: those of one system, or those that belong to none.
struct CatalogueGroup: Sendable {
  /// What a person types for it, and the name of its page.
  let name: String
  let title: String
  /// Nil for the built-in steps.
  let system: SystemDescription?
  /// Sorted by name.
  let steps: [AnyStep]

  static let builtIn = "built-in"

  /// How many steps it has, in words.
  var count: String { counted(steps.count, "step") }
}

extension StepCatalogue {
  /// The systems by name, then what is built in.
  var groups: [CatalogueGroup] {
    let ofSystems = systems.sorted { $0.name < $1.name }.map { system in
      CatalogueGroup(name: system.name, title: system.title, system: system, steps: system.steps.sortedByName)
    }
    return ofSystems + [CatalogueGroup(name: CatalogueGroup.builtIn, title: "Built in", system: nil, steps: builtIn.sortedByName)]
  }

  /// A system's own settings, and those that every system's connection takes.
  func settings(of system: SystemDescription) -> (own: [FieldRow], common: [FieldRow]) {
    let others = systems.filter { $0.name != system.name }.map { $0.settings() }
    let fields = system.settings().fields
    let common = others.isEmpty ? [] : fields.filter { field in others.allSatisfy { $0.field(field.name) == field } }
    return (RecordShape(fields.filter { !common.contains($0) }).rows(), RecordShape(common).rows())
  }

  /// The system whose connection a step goes over: `http` has one too, although it is built in.
  func system(of step: AnyStep) -> SystemDescription? { system(step.about.system ?? step.about.name) }
}

extension [AnyStep] {
  fileprivate var sortedByName: [AnyStep] { sorted { $0.about.name < $1.about.name } }
}
