import Values

/// The strings extension; positions count code points.
enum Strings {
  static let functions: [Function] = [
    Function("charAt", [.method(.string, .int, to: .string)]) { arguments, _ throws(Failure) in
      guard arguments.count == 2, case .string(let text) = arguments[0], case .int(let position) = arguments[1] else {
        throw .noOverload
      }
      let count = CodePoints.count(text)
      let index = try offset(position, upTo: count)
      return .string(slice(text, index, min(index + 1, count)))
    },
    Function("indexOf", [.method(.string, .string, to: .int), .method(.string, .string, .int, to: .int)]) {
      arguments, _ throws(Failure) in
      let (text, part, start) = try search(arguments)
      let from = try start.map { start throws(Failure) in try byteOffset(start, in: text) } ?? 0
      return .int(position(in: text, ByteSearch.first(Array(part.utf8), in: Array(text.utf8), from: from)))
    },
    Function("lastIndexOf", [.method(.string, .string, to: .int), .method(.string, .string, .int, to: .int)]) {
      arguments, _ throws(Failure) in
      let (text, part, start) = try search(arguments)
      let from = try start.map { start throws(Failure) in try byteOffset(start, in: text) } ?? text.utf8.count
      return .int(position(in: text, last(Array(part.utf8), in: Array(text.utf8), notAfter: from)))
    },
    Function("lowerAscii", [.method(.string, to: .string)]) { arguments, _ throws(Failure) in
      try mapped(arguments) { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    },
    Function("upperAscii", [.method(.string, to: .string)]) { arguments, _ throws(Failure) in
      try mapped(arguments) { (0x61...0x7A).contains($0) ? $0 & ~0x20 : $0 }
    },
    Function(
      "replace", [.method(.string, .string, .string, to: .string), .method(.string, .string, .string, .int, to: .string)], replace),
    Function("split", [.method(.string, .string, to: .list(.string)), .method(.string, .string, .int, to: .list(.string))], split),
    Function("substring", [.method(.string, .int, to: .string), .method(.string, .int, .int, to: .string)]) {
      arguments, _ throws(Failure) in
      guard arguments.count <= 3, case .string(let text) = arguments[0] else { throw .noOverload }
      let count = CodePoints.count(text)
      var bounds: [Int] = []
      for argument in arguments.dropFirst() {
        guard case .int(let position) = argument else { throw .noOverload }
        bounds.append(try offset(position, upTo: count))
      }
      guard let start = bounds.first else { throw .noOverload }
      let end = bounds.count > 1 ? bounds[1] : count
      guard start <= end else { throw Failure("the substring would end at \(end), before it starts at \(start)") }
      return .string(slice(text, start, end))
    },
    Function("trim", [.method(.string, to: .string)]) { arguments, _ throws(Failure) in
      guard arguments.count == 1, case .string(let text) = arguments[0] else { throw .noOverload }
      let scalars = text.unicodeScalars
      guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
        let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
      else { return .string("") }
      return .string(String(scalars[first...last]))
    },
    Function("join", [.method(.list(.string), to: .string), .method(.list(.string), .string, to: .string)]) {
      arguments, meter throws(Failure) in
      guard arguments.count <= 2, case .list(let items) = arguments[0] else { throw .noOverload }
      var separator = ""
      if arguments.count == 2 {
        guard case .string(let text) = arguments[1] else { throw .noOverload }
        separator = text
      }
      var joined = ""
      for (position, item) in items.enumerated() {
        guard case .string(let text) = item else { throw .noOverload }
        try meter.spend(outputBytes: text.utf8.count + separator.utf8.count)
        joined += position == 0 ? text : separator + text
      }
      return .string(joined)
    },
    Function("strings.quote", [.global(.string, to: .string)]) { arguments, _ throws(Failure) in
      guard arguments.count == 1, case .string(let text) = arguments[0] else { throw .noOverload }
      return .string(quoted(text))
    },
  ]

  private static func offset(_ position: Int64, upTo count: Int) throws(Failure) -> Int {
    guard position >= 0, position <= count else {
      throw Failure("position \(position) is out of range for a text of \(count) characters")
    }
    return Int(position)
  }

  private static func search(_ arguments: [Value]) throws(Failure) -> (String, String, Int64?) {
    guard arguments.count <= 3, arguments.count >= 2, case .string(let text) = arguments[0], case .string(let part) = arguments[1]
    else { throw .noOverload }
    guard arguments.count == 3 else { return (text, part, nil) }
    guard case .int(let start) = arguments[2] else { throw .noOverload }
    return (text, part, start)
  }

  private static func byteOffset(_ position: Int64, in text: String) throws(Failure) -> Int {
    CodePoints.byteOffset(of: try offset(position, upTo: CodePoints.count(text)), in: text)
  }

  private static func slice(_ text: String, _ start: Int, _ end: Int) -> String {
    CodePoints.slice(text, CodePoints.byteOffset(of: start, in: text), CodePoints.byteOffset(of: end, in: text))
  }

  private static func position(in text: String, _ byteOffset: Int?) -> Int64 {
    byteOffset.map { Int64(CodePoints.position(ofByte: $0, in: text)) } ?? -1
  }

  /// The last occurrence that starts at or before `limit`: the first one of the reversed texts.
  private static func last(_ part: [UInt8], in whole: [UInt8], notAfter limit: Int) -> Int? {
    let end = min(whole.count, limit + part.count)
    let found = ByteSearch.first(part.reversed(), in: whole[..<end].reversed())
    return found.map { end - $0 - part.count }
  }

  private static func mapped(_ arguments: [Value], _ change: (UInt8) -> UInt8) throws(Failure) -> Value {
    guard arguments.count == 1, case .string(let text) = arguments[0] else { throw .noOverload }
    return .string(String(decoding: text.utf8.map(change), as: UTF8.self))
  }

  private static let replace: Function.Implementation = { arguments, meter throws(Failure) in
    guard arguments.count == 3 || arguments.count == 4, case .string(let text) = arguments[0], case .string(let old) = arguments[1],
      case .string(let new) = arguments[2]
    else { throw .noOverload }
    let limit = try Strings.limit(arguments, at: 3)
    let pieces = try Strings.pieces(Array(text.utf8), Array(old.utf8), maximum: limit.map { $0 + 1 }, &meter)
    var result: [UInt8] = []
    for (position, piece) in pieces.enumerated() {
      if position > 0 { result += new.utf8 }
      result += piece
      try meter.spend(outputBytes: piece.count + new.utf8.count)
    }
    return .string(String(decoding: result, as: UTF8.self))
  }

  private static let split: Function.Implementation = { arguments, meter throws(Failure) in
    guard arguments.count == 2 || arguments.count == 3, case .string(let text) = arguments[0],
      case .string(let separator) = arguments[1]
    else { throw .noOverload }
    let limit = try Strings.limit(arguments, at: 2)
    if limit == 0 { return .list([]) }
    if separator.isEmpty {
      // Into its code points.
      let scalars = text.unicodeScalars
      try meter.spend(steps: 4 * text.utf8.count)
      guard let limit, limit < scalars.count else { return .list(scalars.map { .string(String($0)) }) }
      let head = scalars.prefix(limit - 1)
      return .list(head.map { .string(String($0)) } + [.string(String(scalars.dropFirst(limit - 1)))])
    }
    return .list(
      try pieces(Array(text.utf8), Array(separator.utf8), maximum: limit, &meter).map {
        .string(String(decoding: $0, as: UTF8.self))
      })
  }

  /// A limit of pieces or replacements; nil where there is none.
  private static func limit(_ arguments: [Value], at position: Int) throws(Failure) -> Int? {
    guard position < arguments.count else { return nil }
    guard case .int(let limit) = arguments[position] else { throw .noOverload }
    return limit < 0 ? nil : Int(min(limit, 1 << 40))
  }

  /// What stands between the occurrences of a separator; an empty one stands before each code point and at the end.
  private static func pieces(
    _ text: [UInt8], _ separator: [UInt8], maximum: Int?, _ meter: inout Meter
  ) throws(Failure) -> [ArraySlice<UInt8>] {
    let search = ByteSearch(separator)
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    var from = 0
    while pieces.count + 1 < maximum ?? .max, let found = search.first(in: text, from: from) {
      try meter.spend(steps: 4)
      pieces.append(text[start..<found])
      start = found + separator.count
      from = start
      if separator.isEmpty {
        guard found < text.count else { break }
        from = found + 1
        while from < text.count, text[from] & 0xC0 == 0x80 { from += 1 }
      }
    }
    return pieces + [text[start...]]
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{07}": result += "\\a"
      case "\u{08}": result += "\\b"
      case "\u{0C}": result += "\\f"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0B}": result += "\\v"
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
