import StepKit
import Values

extension Shape {
  /// The type, then its bounds.
  var words: [String] {
    switch self {
    case .any: ["any value"]
    case .string(let rules): ["string"] + rules.words
    case .int(let rules): ["int"] + rules.words
    case .number(let rules): ["number"] + rules.words
    case .bool: ["bool"]
    case .choice(let choices): [choices.joined(separator: " | ")]
    case .list(let element): ["list of \(element.inside)"]
    case .map(let member): ["map of \(member.inside)"]
    case .record: ["record"]
    case .nullable(let inner): inner.words
    case .secret(let inner): ["secret \(inner.words[0])"] + inner.words.dropFirst()
    case .numberOrText: ["number or text"]
    }
  }

  /// As the item of something, where null is worth a word.
  private var inside: String {
    switch self {
    case .nullable(let inner): "\(inner.inside) or null"
    case .record: "records"
    case .any, .string, .int, .number, .bool, .choice, .list, .map, .secret, .numberOrText: words.joined(separator: ", ")
    }
  }
}

extension TextRules {
  fileprivate var words: [String] {
    let length: String? =
      switch (minLength, maxLength) {
      case (let least?, let most?): least == most ? "\(least) characters" : "\(least)–\(most) characters"
      case (let least?, nil): "at least \(least) character\(least == 1 ? "" : "s")"
      case (nil, let most?): "at most \(most) characters"
      case (nil, nil): nil
      }
    let format: String? =
      switch self.format {
      case .email: "an e-mail address"
      case .uri: "a URL"
      case .phone: "a phone number"
      case .dateTime: "a time such as `2024-11-21T09:00:00Z`"
      case nil: nil
      }
    return [format, length].compactMap(\.self)
  }
}

extension NumberRules {
  fileprivate var words: [String] {
    let bounds: String? =
      switch (minimum, maximum) {
      case (let least?, let most?): "\(shown(least))–\(shown(most))"
      case (let least?, nil): "at least \(shown(least))"
      case (nil, let most?): "at most \(shown(most))"
      case (nil, nil): nil
      }
    return [bounds].compactMap(\.self)
  }

  private func shown(_ bound: Double) -> String { Value.double(bound).json() }
}

extension SchemaShape {
  /// The schema's own types.
  var typeWords: [String] {
    let types = source["type"]?.stringValue.map { [$0] } ?? (source["type"]?.listValue ?? []).compactMap(\.stringValue)
    let names = types.map { ["integer": "int", "boolean": "bool", "object": "map", "array": "list"][$0] ?? $0 }
    return [names.isEmpty ? "by its JSON Schema" : names.joined(separator: " or ")]
  }

  /// Bounds and pattern; what is rarer stands in `--json`.
  var boundWords: [String] {
    let bounds = [("minimum", "at least"), ("maximum", "at most")].compactMap { key, words in
      source[key].map { "\(words) \($0.json())" }
    }
    let pattern = source["pattern"]?.stringValue.map { ["like `\($0)`"] } ?? []
    return bounds + pattern
  }
}
