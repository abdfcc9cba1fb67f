import FoundationEssentials
import Synchronization

/// Offsets of time zones: fixed ones such as `+05:30`, and IANA names from the system's zoneinfo files.
enum TimeZones {
  /// Seconds east of UTC at a moment; nil if there is no such zone.
  static func offset(of zone: String, at seconds: Int64) -> Int? {
    if zone == "UTC" || zone == "Z" || zone.isEmpty { return 0 }
    if let fixed = fixedOffset(zone) { return fixed }
    return named(zone)?.offset(at: seconds)
  }

  /// `[+-]hh:mm`, the sign left out for east.
  private static func fixedOffset(_ text: String) -> Int? {
    var bytes = Array(text.utf8)
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
    var digits: [Int] = []
    for position in [0, 1, 3, 4] {
      guard bytes[position].isDigit else { return nil }
      digits.append(Int(bytes[position] - 0x30))
    }
    let hours = digits[0] * 10 + digits[1]
    let minutes = digits[2] * 10 + digits[3]
    guard hours < 24, minutes < 60 else { return nil }
    return (hours * 60 + minutes) * (isNegative ? -60 : 60)
  }

  private static let known = Mutex<[String: ZoneInfo?]>([:])

  private static func named(_ name: String) -> ZoneInfo? {
    if let zone = known.withLock({ $0[name] }) { return zone }
    let zone = read(name)
    // Names come from flows and may come from data: what is kept is bounded.
    known.withLock { if $0.count < 700 { $0[name] = .some(zone) } }
    return zone
  }

  private static func read(_ name: String) -> ZoneInfo? {
    let isPlain = name.utf8.allSatisfy { $0.isNamePart || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    guard isPlain, name.utf8.first?.isNameStart == true,
      let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)")
    else { return nil }
    return ZoneInfo(Array(data))
  }
}

/// One zoneinfo file (RFC 9636, TZif): the offsets and the moments at which they change.
struct ZoneInfo: Sendable {
  private var transitions: [Int64] = []
  /// The offset that holds from each transition on.
  private var offsets: [Int] = []
  private var initialOffset = 0
  /// The rule for moments behind the last transition.
  private var rule: PosixZone?

  init?(_ bytes: [UInt8]) {
    guard var block = Header(bytes, at: 0) else { return nil }
    if block.version >= 2 {
      // The first block has 32-bit times; a second one with 64 bits follows.
      guard let second = Header(bytes, at: block.end(timeSize: 4)) else { return nil }
      block = second
    }
    let timeSize = block.version >= 2 ? 8 : 4
    guard block.end(timeSize: timeSize) <= bytes.count, block.typeCount > 0 else { return nil }
    let times = block.start + 44
    let indexes = times + block.timeCount * timeSize
    let types = indexes + block.timeCount
    func offset(ofType type: Int) -> Int {
      Int(Int32(truncatingIfNeeded: integer(bytes, at: types + type * 6, size: 4)))
    }
    initialOffset = offset(ofType: 0)
    for position in 0..<block.timeCount {
      let type = Int(bytes[indexes + position])
      guard type < block.typeCount else { return nil }
      transitions.append(integer(bytes, at: times + position * timeSize, size: timeSize))
      offsets.append(offset(ofType: type))
    }
    let footer = bytes[block.end(timeSize: timeSize)...].drop { $0 == 0x0A }.prefix { $0 != 0x0A }
    rule = PosixZone(String(decoding: footer, as: UTF8.self))
  }

  func offset(at seconds: Int64) -> Int {
    guard let last = transitions.last else { return rule?.offset(at: seconds) ?? initialOffset }
    if seconds >= last { return rule?.offset(at: seconds) ?? offsets[offsets.count - 1] }
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? initialOffset : offsets[low - 1]
  }

  private struct Header {
    let start: Int
    let version: Int
    let utcCount: Int
    let standardCount: Int
    let leapCount: Int
    let timeCount: Int
    let typeCount: Int
    let characterCount: Int

    init?(_ bytes: [UInt8], at start: Int) {
      guard start + 44 <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
      self.start = start
      let versionByte = bytes[start + 4]
      version = versionByte == 0 ? 1 : Int(versionByte) - 0x30
      let counts = (0..<6).map { Int(integer(bytes, at: start + 20 + $0 * 4, size: 4)) }
      guard counts.allSatisfy({ $0 >= 0 && $0 <= bytes.count }) else { return nil }
      (utcCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
      (timeCount, typeCount, characterCount) = (counts[3], counts[4], counts[5])
    }

    func end(timeSize: Int) -> Int {
      start + 44 + timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4) + standardCount
        + utcCount
    }
  }
}

/// A big-endian, signed integer.
private func integer(_ bytes: [UInt8], at start: Int, size: Int) -> Int64 {
  let value = bytes[start..<start + size].reduce(Int64(0)) { $0 << 8 | Int64($1) }
  return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : value
}
