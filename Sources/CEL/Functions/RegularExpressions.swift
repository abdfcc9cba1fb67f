import CRE2
import Synchronization
import Values

/// A compiled pattern in RE2's syntax; matching takes time linear in the text.
///
/// `@unchecked`: RE2 objects are immutable once compiled, and RE2 promises that matching is safe from several threads.
@safe final class Pattern: @unchecked Sendable {
  private let handle: OpaquePointer
  let groupCount: Int

  init(_ source: String) throws(Failure) {
    let bytes = Array(source.utf8)
    let compiled = unsafe bytes.withUnsafeBytes { buffer in
      unsafe cre2_compile(buffer.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count)
    }
    guard let compiled = unsafe compiled else { throw Failure("there is no memory for the pattern") }
    if let reason = unsafe cre2_error(compiled) {
      let text = unsafe String(cString: reason)
      unsafe cre2_free(compiled)
      throw Failure("the pattern is not valid: \(text)")
    }
    unsafe handle = compiled
    groupCount = Int(unsafe cre2_group_count(compiled))
  }

  deinit { unsafe cre2_free(handle) }

  /// The byte ranges of the first match at or behind `start`: the whole of it, then each group, nil for one that took no
  /// part. Nil where nothing matches.
  func find(in text: [UInt8], from start: Int = 0, groups: Int? = nil) -> [Range<Int>?]? {
    let count = groups.map { $0 + 1 } ?? groupCount + 1
    var ranges = Array(repeating: cre2_range(start: -1, end: -1), count: count)
    let isFound = unsafe text.withUnsafeBytes { buffer in
      unsafe cre2_find(handle, buffer.assumingMemoryBound(to: CChar.self).baseAddress, text.count, start, &ranges, Int32(count))
    }
    guard isFound else { return nil }
    return ranges.map { $0.start < 0 ? nil : Int($0.start)..<Int($0.end) }
  }

  func matches(_ text: String) -> Bool { find(in: Array(text.utf8), groups: -1) != nil }

  private static let compiled = Mutex<[String: Pattern]>([:])

  /// The compiled pattern of a source that an evaluation came upon; compiling a new one costs many steps.
  static func cached(_ source: String, _ meter: inout Meter) throws(Failure) -> Pattern {
    if let pattern = compiled.withLock({ $0[source] }) { return pattern }
    try meter.spend(steps: 4000 + 20 * source.utf8.count)
    return try cached(source)
  }

  /// The compiled pattern of a source, kept for the next time.
  static func cached(_ source: String) throws(Failure) -> Pattern {
    if let pattern = compiled.withLock({ $0[source] }) { return pattern }
    let pattern = try Pattern(source)
    compiled.withLock {
      // Patterns made from data must not pile up.
      if $0.count >= 256 { $0.removeAll() }
      $0[source] = pattern
    }
    return pattern
  }
}

/// `matches` and the regex extension.
enum RegularExpressions {
  static let functions: [Function] = [
    Function("matches", [.method(.string, .string, to: .bool), .global(.string, .string, to: .bool)]) {
      arguments, meter throws(Failure) in
      guard arguments.count == 2, case .string(let text) = arguments[0], case .string(let pattern) = arguments[1] else {
        throw .noOverload
      }
      return .bool(try Pattern.cached(pattern, &meter).matches(text))
    },
    Function("regex.extract", [.global(.string, .string, to: .optional(.string))]) { arguments, meter throws(Failure) in
      let (text, pattern) = try operands(arguments, &meter)
      guard let match = pattern.find(in: text) else { return .optional(nil) }
      guard let range = match.count > 1 ? match[1] : match[0] else { return .optional(nil) }
      return .optional(.string(String(decoding: text[range], as: UTF8.self)))
    },
    Function("regex.extractAll", [.global(.string, .string, to: .list(.string))]) { arguments, meter throws(Failure) in
      let (text, pattern) = try operands(arguments, &meter)
      var found: [Value] = []
      try matches(pattern, text, &meter) { match in
        if let range = match.count > 1 ? match[1] : match[0] { found.append(.string(String(decoding: text[range], as: UTF8.self))) }
      }
      return .list(found)
    },
    Function(
      "regex.replace",
      [.global(.string, .string, .string, to: .string), .global(.string, .string, .string, .int, to: .string)]
    ) { arguments, meter throws(Failure) in
      guard arguments.count >= 3, case .string(let text) = arguments[0], case .string(let source) = arguments[1],
        case .string(let replacement) = arguments[2]
      else { throw .noOverload }
      var limit = Int64(-1)
      if arguments.count == 4 {
        guard case .int(let count) = arguments[3] else { throw .noOverload }
        limit = count
      }
      return .string(
        try replace(Array(text.utf8), try Pattern.cached(source, &meter), Array(replacement.utf8), limit, &meter))
    },
  ]

  private static func operands(_ arguments: [Value], _ meter: inout Meter) throws(Failure) -> ([UInt8], Pattern) {
    guard arguments.count == 2, case .string(let text) = arguments[0], case .string(let source) = arguments[1] else {
      throw .noOverload
    }
    let pattern = try Pattern.cached(source, &meter)
    guard pattern.groupCount <= 1 else { throw Failure("the pattern has more than one group") }
    return (Array(text.utf8), pattern)
  }

  /// All matches from left to right, none overlapping another.
  private static func matches(
    _ pattern: Pattern, _ text: [UInt8], _ meter: inout Meter, _ use: ([Range<Int>?]) -> Void
  ) throws(Failure) {
    var start = 0
    while start <= text.count {
      // A search may have to look at all that is left, at every match anew.
      try meter.spend(steps: 4 + (text.count - start) >> 5)
      guard let match = pattern.find(in: text, from: start), let whole = match[0] else { return }
      use(match)
      start = whole.isEmpty ? whole.upperBound + scalarLength(text, whole.upperBound) : whole.upperBound
    }
  }

  private static func scalarLength(_ text: [UInt8], _ offset: Int) -> Int {
    var length = 1
    while offset + length < text.count, text[offset + length] & 0xC0 == 0x80 { length += 1 }
    return length
  }

  /// Replaces up to `limit` matches (all if negative); `\1` in the replacement is the first group, `\\` a backslash.
  private static func replace(
    _ text: [UInt8], _ pattern: Pattern, _ replacement: [UInt8], _ limit: Int64, _ meter: inout Meter
  ) throws(Failure) -> String {
    let parts = try self.parts(replacement, groupCount: pattern.groupCount)
    var result: [UInt8] = []
    var copied = 0
    var count: Int64 = 0
    var found: [[Range<Int>?]] = []
    try matches(pattern, text, &meter) { match in
      if limit < 0 || count < limit { found.append(match) }
      count += 1
    }
    for match in found {
      guard let whole = match[0] else { continue }
      let before = result.count
      result += text[copied..<whole.lowerBound]
      for part in parts {
        switch part {
        case .text(let bytes): result += bytes
        case .group(let number): if let range = match[number] { result += text[range] }
        }
      }
      try meter.spend(outputBytes: result.count - before)
      copied = whole.upperBound
    }
    result += text[copied...]
    return String(decoding: result, as: UTF8.self)
  }

  private enum Part {
    case text([UInt8])
    case group(Int)
  }

  private static func parts(_ replacement: [UInt8], groupCount: Int) throws(Failure) -> [Part] {
    var parts: [Part] = []
    var plain: [UInt8] = []
    var offset = 0
    while offset < replacement.count {
      guard replacement[offset] == UInt8(ascii: "\\") else {
        plain.append(replacement[offset])
        offset += 1
        continue
      }
      guard offset + 1 < replacement.count else { throw Failure("the replacement ends in a backslash") }
      let next = replacement[offset + 1]
      if next.isDigit {
        let group = Int(next - 0x30)
        guard group <= groupCount else { throw Failure("the pattern has no group \(group)") }
        parts += [.text(plain), .group(group)]
        plain = []
      } else if next == UInt8(ascii: "\\") {
        plain.append(next)
      } else {
        throw Failure("in a replacement, a backslash stands before a digit or a backslash")
      }
      offset += 2
    }
    return parts + [.text(plain)]
  }
}
