/// Finds bytes in bytes; texts are compared by their UTF-8, since Swift compares by canonical equivalence.
///
/// Knuth, Morris and Pratt: linear in the sum of both lengths, whatever the texts; a hostile pair makes the naive way
/// quadratic.
struct ByteSearch {
  private let part: [UInt8]
  private let borders: [Int]

  init(_ part: [UInt8]) {
    self.part = part
    borders = Self.borders(of: part)
  }

  static func first(_ part: [UInt8], in whole: [UInt8], from start: Int = 0) -> Int? {
    ByteSearch(part).first(in: whole, from: start)
  }

  /// The offset of the first occurrence at or behind `start`.
  func first(in whole: [UInt8], from start: Int = 0) -> Int? { first(in: whole.span, from: start) }

  /// The offset of the first occurrence at or behind `start`.
  func first(in whole: Span<UInt8>, from start: Int = 0) -> Int? {
    let part = part.span
    let borders = borders.span
    guard start >= 0, part.count <= whole.count - start else { return nil }
    guard !part.isEmpty else { return start }
    var matched = 0
    for position in start..<whole.count {
      while matched > 0, whole[position] != part[matched] { matched = borders[matched - 1] }
      if whole[position] == part[matched] { matched += 1 }
      if matched == part.count { return position + 1 - matched }
    }
    return nil
  }

  /// Whether the part stands anywhere in the whole. In a short text it is tried at every place, which takes no memory.
  static func holds(_ whole: Span<UInt8>, _ part: Span<UInt8>) -> Bool {
    guard part.count <= whole.count else { return false }
    guard whole.count * part.count <= 1024 else {
      return ByteSearch(part.indices.map { part[$0] }).first(in: whole) != nil
    }
    for start in 0...whole.count - part.count where stands(part, in: whole, at: start) { return true }
    return false
  }

  /// Whether the part stands at this offset; an offset below zero has nothing.
  static func stands(_ part: Span<UInt8>, in whole: Span<UInt8>, at start: Int) -> Bool {
    guard start >= 0, part.count <= whole.count - start else { return false }
    for position in part.indices where whole[start + position] != part[position] { return false }
    return true
  }

  /// For each prefix, the length of the longest proper prefix that also ends it.
  private static func borders(of part: [UInt8]) -> [Int] {
    var borders = Array(repeating: 0, count: part.count)
    var length = 0
    for position in part.indices.dropFirst() {
      while length > 0, part[position] != part[length] { length = borders[length - 1] }
      if part[position] == part[length] { length += 1 }
      borders[position] = length
    }
    return borders
  }
}
