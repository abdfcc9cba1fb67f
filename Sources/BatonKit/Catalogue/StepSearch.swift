import SourceText
import StepKit
import Values

/// Steps by words: each of them must be found in a step's name, its summary, the names of its fields or its error codes.
struct StepSearch: Sendable {
  /// As they were typed.
  let words: [String]

  init(_ text: [String]) { words = text.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) } }

  /// A step, and where words were found that neither its name nor its summary shows.
  struct Match {
    let step: AnyStep
    fileprivate let score: Int
    let places: [String]
  }

  /// The best first.
  func matches(in catalogue: StepCatalogue) -> [Match] {
    guard !words.isEmpty else { return [] }
    let found = catalogue.stepNames.compactMap { catalogue.step($0) }.compactMap { match($0) }
    return found.sorted { ($1.score, $0.step.about.name) < ($0.score, $1.step.about.name) }
  }

  /// What to try instead, for a person who found nothing.
  func help(in catalogue: StepCatalogue) -> [String] {
    let names = catalogue.stepNames + catalogue.systems.map(\.name)
    if words.count == 1 {
      let nearest = nearestName(to: words[0], among: names) ?? nearestStep(words[0], in: catalogue)
      return [nearest.map { "did you mean `\($0)`?" } ?? "`baton steps` lists them all"]
    }
    return words.map { word in
      let count = StepSearch([word]).matches(in: catalogue).count
      if count > 0 { return "`\(word)` alone finds \(count == 1 ? "1 step" : "\(count) steps")" }
      let nearest = nearestStep(word, in: catalogue).map { ": did you mean `\($0)`?" } ?? ""
      return "nothing has `\(word)`\(nearest)"
    }
  }

  /// By the part behind the slash, and by the names of fields.
  private func nearestStep(_ word: String, in catalogue: StepCatalogue) -> String? {
    let steps = catalogue.stepNames.compactMap { catalogue.step($0) }
    let short = Dictionary(steps.map { ($0.shortName, $0.about.name) }, uniquingKeysWith: { first, _ in first })
    if let near = nearestName(to: word, among: short.keys.sorted()) { return short[near] }
    let fields = steps.reduce(into: Set<String>()) { $0.formUnion($1.input().allNames.union($1.output().allNames)) }
    return nearestName(to: word, among: fields.sorted())
  }

  private func match(_ step: AnyStep) -> Match? {
    var (score, places) = (0, [String]())
    for word in words {
      guard let hit = Self.best(of: word.folded, in: step) else { return nil }
      score += hit.score
      if let place = hit.place, !places.contains(place) { places.append(place) }
    }
    return Match(step: step, score: score, places: places)
  }

  /// Where one word is found best: whole names count for more than parts, and names for more than prose.
  private static func best(of word: String, in step: AnyStep) -> (score: Int, place: String?)? {
    let name = step.about.name.folded
    if name == word || step.shortName.folded == word { return (100, nil) }
    if name.split(whereSeparator: { $0 == "/" || $0 == "_" }).contains(word[...]) { return (80, nil) }
    if name.contains(word) { return (60, nil) }
    let fields = [("input", step.input()), ("output", step.output())]
    for (kind, shape) in fields {
      if let field = shape.fields.first(where: { $0.name.folded == word }) { return (50, "\(kind) `\(field.name)`") }
    }
    let summary = step.about.summary.lowercased()
    if summary.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains(word[...]) { return (40, nil) }
    if let code = step.errors.map(\.code).first(where: { $0.folded.contains(word) }) { return (30, "error `\(code)`") }
    if summary.folded.contains(word) { return (25, nil) }
    for (kind, shape) in fields {
      if let field = shape.fields.first(where: { $0.name.folded.contains(word) }) { return (20, "\(kind) `\(field.name)`") }
    }
    for (kind, shape) in fields {
      if let field = shape.innerNames.sorted().first(where: { $0.folded.contains(word) }) { return (10, "\(kind) `\(field)`") }
    }
    return nil
  }
}

extension AnyStep {
  /// Without its system.
  var shortName: String { about.name.split(separator: "/").last.map(String.init) ?? about.name }
}

extension String {
  /// `push-token` and `push_token` are the same to whoever looks for them.
  fileprivate var folded: String { String(lowercased().map { $0 == "-" ? "_" : $0 }) }
}
