/// One pass over bytes that are known to be UTF-8.
///
/// The span travels as a parameter: a stored one would need lifetime annotations.
struct JSONReader {
  private var offset = 0
  private var depth = 0
  private let options: JSON.ReadOptions

  static func read(_ text: Span<UInt8>, options: JSON.ReadOptions) throws(JSONError) -> Value {
    do {
      _ = try UTF8Span(validating: text)
    } catch {
      throw JSONError("invalid UTF-8", at: error.byteOffsets.lowerBound)
    }
    var reader = JSONReader(options: options)
    return try reader.document(text)
  }

  private init(options: JSON.ReadOptions) { self.options = options }

  private mutating func document(_ text: Span<UInt8>) throws(JSONError) -> Value {
    // RFC 8259 §8.1: a byte order mark may be ignored.
    if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { offset = 3 }
    let value = try value(text)
    if next(text) != nil { throw JSONError("the text goes on after its value", at: offset) }
    return value
  }

  /// The next byte that is no white space, without taking it.
  @inline(__always)
  private mutating func next(_ text: Span<UInt8>) -> UInt8? {
    while offset < text.count {
      let byte = text[offset]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      offset += 1
    }
    return nil
  }

  private mutating func value(_ text: Span<UInt8>) throws(JSONError) -> Value {
    guard let first = next(text) else { throw JSONError("the text ends where a value should stand", at: offset) }
    switch first {
    case UInt8(ascii: "\""): return .string(try string(text))
    case UInt8(ascii: "{"): return try object(text)
    case UInt8(ascii: "["): return try array(text)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try JSONNumber.read(text, from: &offset)
    case UInt8(ascii: "t"): return try word("true", .bool(true), text)
    case UInt8(ascii: "f"): return try word("false", .bool(false), text)
    case UInt8(ascii: "n"): return try word("null", .null, text)
    default: throw JSONError("expected a value", at: offset)
    }
  }

  private mutating func word(_ word: StaticString, _ value: Value, _ text: Span<UInt8>) throws(JSONError) -> Value {
    let length = word.utf8CodeUnitCount
    guard offset + length <= text.count else { throw JSONError("expected `\(word)`", at: offset) }
    for index in 0..<length where unsafe text[offset + index] != word.utf8Start[index] {
      throw JSONError("expected `\(word)`", at: offset)
    }
    offset += length
    return value
  }

  private mutating func enter() throws(JSONError) {
    depth += 1
    if depth > options.maximumDepth { throw JSONError("more than \(options.maximumDepth) levels of nesting", at: offset) }
    offset += 1
  }

  private mutating func array(_ text: Span<UInt8>) throws(JSONError) -> Value {
    try enter()
    defer { depth -= 1 }
    var items: [Value] = []
    if next(text) == UInt8(ascii: "]") {
      offset += 1
      return .list(items)
    }
    while true {
      items.append(try value(text))
      switch next(text) {
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "]"):
        offset += 1
        return .list(items)
      default: throw JSONError("expected `,` or `]`", at: offset)
      }
    }
  }

  private mutating func object(_ text: Span<UInt8>) throws(JSONError) -> Value {
    try enter()
    defer { depth -= 1 }
    var map = ValueMap()
    if next(text) == UInt8(ascii: "}") {
      offset += 1
      return .map(map)
    }
    // Most objects have a handful of members; growing to them step by step costs more.
    map.reserveCapacity(8)
    let start = offset
    while true {
      try member(of: &map, objectStart: start, text)
      switch next(text) {
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "}"):
        offset += 1
        return .map(map)
      default: throw JSONError("expected `,` or `}`", at: offset)
      }
    }
  }

  private mutating func member(of map: inout ValueMap, objectStart: Int, _ text: Span<UInt8>) throws(JSONError) {
    guard next(text) == UInt8(ascii: "\"") else { throw JSONError("expected a name in double quotes", at: offset) }
    let nameOffset = offset
    let name = try string(text)
    guard next(text) == UInt8(ascii: ":") else { throw JSONError("expected `:`", at: offset) }
    offset += 1
    let value = try value(text)
    let count = map.count
    map[name] = value
    if map.count == count, options.duplicateNames == .refused {
      var search = self
      throw JSONError(
        "the name `\(name)` stands twice in one object", at: nameOffset,
        firstOffset: search.offset(ofName: name, from: objectStart, text))
    }
  }

  /// Where a name of the object first stands; reads again, since only errors ask.
  private mutating func offset(ofName name: String, from objectStart: Int, _ text: Span<UInt8>) -> Int? {
    offset = objectStart
    while next(text) != nil {
      let nameOffset = offset
      guard let other = try? string(text) else { return nil }
      if other.utf8.elementsEqual(name.utf8) { return nameOffset }
      guard next(text) != nil else { return nil }
      offset += 1
      guard (try? value(text)) != nil, next(text) != nil else { return nil }
      offset += 1
    }
    return nil
  }

  /// The string whose opening quote stands at `offset`.
  private mutating func string(_ text: Span<UInt8>) throws(JSONError) -> String {
    let start = offset + 1
    var end = start
    while end < text.count {
      let byte = text[end]
      if byte == UInt8(ascii: "\"") {
        offset = end + 1
        // The whole text is valid, and both ends stand beside ASCII.
        return unsafe String(copying: UTF8Span(unchecked: text.extracting(start..<end)))
      }
      if byte == UInt8(ascii: "\\") {
        let opening = offset
        offset = end
        return try JSONString.readEscaped(text, opening: opening, from: &offset)
      }
      if byte < 0x20 { throw JSONError("a control character in a string must be escaped", at: end) }
      end += 1
    }
    throw JSONError("the string is not closed", at: offset)
  }
}
