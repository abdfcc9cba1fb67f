import Diagnostics
import FlowSyntax
import JSONSchema
import SourceText
import Values

/// `expect.body`: its matchers are checked before the run, since a misspelt one would be compared as a text.
extension Resolver {
  private static let plainMatchers = ["$any", "$string", "$number", "$uuid", "$absent"]
  private static let keyedMatchers = ["$regex", "$between"]

  mutating func checkBody(_ body: DataSyntax) {
    if body.constant == "$any" {
      return report(
        .cannotFail, "`$any` as the whole body is true of every answer", at: body.span,
        help: ["say what the body must hold, or leave it out"])
    }
    checkMatchers(body)
  }

  private mutating func checkMatchers(_ data: DataSyntax) {
    switch data {
    case .scalar(let scalar):
      guard case .string(let text)? = scalar.constant, text.isMatcherName, !Self.plainMatchers.contains(text) else { return }
      if Self.keyedMatchers.contains(text) {
        return report(
          .invalidValue, "`\(text)` needs what it compares with", at: scalar.span,
          help: [text == "$regex" ? "such as `{ $regex: '^[a-z]+$' }`" : "such as `{ $between: [1, 10] }`"])
      }
      reportUnknownMatcher(Located(text, scalar.span))
    case .list(let items, _): for item in items { checkMatchers(item) }
    case .map(let entries, _):
      for entry in entries {
        if entry.key.value.isMatcherName { checkMatcher(entry, isAlone: entries.count == 1) } else { checkMatchers(entry.value) }
      }
    }
  }

  private mutating func checkMatcher(_ entry: DataSyntax.Entry, isAlone: Bool) {
    let name = entry.key
    guard Self.keyedMatchers.contains(name.value) else {
      if Self.plainMatchers.contains(name.value) {
        return report(.invalidValue, "`\(name.value)` stands in the place of a value", at: name.span, help: ["write `NAME: \(name.value)`"])
      }
      return reportUnknownMatcher(name)
    }
    guard isAlone else {
      return report(.invalidValue, "`\(name.value)` stands alone in its map", at: name.span, help: ["take the other keys out"])
    }
    if name.value == "$regex" { checkPattern(entry.value) } else { checkRange(entry.value) }
  }

  private mutating func reportUnknownMatcher(_ name: Located<String>) {
    reportUnknown(.unknownName, "matcher", name, among: Self.plainMatchers + Self.keyedMatchers)
  }

  private mutating func checkPattern(_ data: DataSyntax) {
    guard let value = data.constant else { return }
    guard case .string = value else {
      return report(.typeMismatch, "`$regex` takes a pattern as text", at: data.span, help: ["such as `{ $regex: '^[a-z]+$' }`"])
    }
    do throws(SchemaError) {
      _ = try Schema.compile(["pattern": value])
    } catch {
      report(.invalidValue, "this is no valid pattern: \(error.message)", at: data.span)
    }
  }

  private mutating func checkRange(_ data: DataSyntax) {
    guard case .list(let bounds, _) = data, bounds.count == 2 else {
      return report(.typeMismatch, "`$between` takes a list of two numbers", at: data.span, help: ["such as `{ $between: [1, 10] }`"])
    }
    let numbers = bounds.map { bound in bound.constant.map { $0.asNumber } }
    for (bound, number) in zip(bounds, numbers) {
      if case .some(nil) = number { report(.typeMismatch, "`$between` takes numbers", at: bound.span, label: "no number") }
    }
    if case .some(let low?) = numbers[0], case .some(let high?) = numbers[1], low > high {
      report(.cannotFail, "no number is between these two", at: data.span, help: ["put the smaller one first"])
    }
  }
}

extension String {
  /// `$word`: a text such as `$5` is none.
  fileprivate var isMatcherName: Bool {
    hasPrefix("$") && utf8.count > 1 && utf8.dropFirst().allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
  }
}

extension Value {
  fileprivate var asNumber: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}
