import StepKit
import Values

/// What a step asks of its connection.
extension StepPage {
  /// In words, such as "`auth_url`; `redirect_uri` unless the step has it"; nil where any connection will do.
  var needsWords: String? {
    var groups: [(condition: NeededSetting.Condition, names: [String])] = []
    for need in step.about.needs {
      if let index = groups.firstIndex(where: { $0.condition == need.condition }), !need.isAlternative {
        groups[index].names.append(need.name)
      } else {
        groups.append((need.condition, [need.name]))
      }
    }
    guard !groups.isEmpty else { return nil }
    return groups.map { "\($0.names.joined(separator: " and "))\($0.condition.words(for: $0.names))" }.joined(separator: "; ")
  }

  /// For programs.
  var needsValue: Value {
    .list(
      step.about.needs.map { need in
        var map = ValueMap()
        switch need.what {
        case .setting(let name): map["setting"] = .string(name)
        case .tokens: map["tokens"] = true
        }
        switch need.condition {
        case .always: break
        case .unlessGiven(let input): map["unless_given"] = .string(input)
        case .onlyIf(let input, let value):
          var condition = ValueMap()
          condition[input] = value
          map["if"] = .map(condition)
        }
        return .map(map)
      })
  }

  /// A flow with the step, and a connection that has what the step needs; the step alone where any connection will do.
  func wholeExample(indent: Int) -> String {
    guard let system, !step.about.needs.isEmpty else { return example(indent: indent) }
    let margin = String(repeating: " ", count: indent)
    let head = system.connectionExample(for: [step]).split(separator: "\n").map { "\(margin)\($0)\n" }.joined()
    return head + "\(margin)steps:\n" + example(indent: indent + 2)
  }
}

extension NeededSetting {
  fileprivate var name: String {
    switch what {
    case .setting(let name): "`\(name)`"
    case .tokens: "tokens"
    }
  }

  /// Whether it has a condition that is its own.
  fileprivate var isAlternative: Bool {
    if case .unlessGiven = condition { true } else { false }
  }
}

extension NeededSetting.Condition {
  fileprivate func words(for names: [String]) -> String {
    switch self {
    case .always: ""
    case .unlessGiven(let input): " unless the step has \(names == ["`\(input)`"] ? "it" : "`\(input)`")"
    case .onlyIf(let input, let value): " where `\(input): \(value.stringValue ?? value.json())`"
    }
  }
}
