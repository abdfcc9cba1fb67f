/// The texts that a redactor looks for, arranged so that most bytes of an output are dismissed by one look.
struct SecretPatterns: Sendable {
  /// All at least `prefixLength` long.
  private var patterns: Set<[UInt8]> = []
  /// By their first four bytes; the longest first.
  private var byPrefix: [UInt32: [[UInt8]]] = [:]
  /// Which pairs of bytes some pattern begins with, a bit each.
  private var pairs: [UInt64] = []
  /// The beginnings of one, two and three bytes, with their length above the bytes.
  private var shortPrefixes: Set<UInt32> = []
  private(set) var longest = 0

  private static let prefixLength = 4

  var isEmpty: Bool { patterns.isEmpty }

  mutating func insert(_ secret: String) {
    for form in SecretForms(of: secret).forms where patterns.insert(form).inserted { arrange(form) }
  }

  private mutating func arrange(_ form: [UInt8]) {
    if pairs.isEmpty { pairs = Array(repeating: 0, count: 1024) }
    let pair = Int(form[0]) << 8 | Int(form[1])
    pairs[pair >> 6] |= 1 << UInt64(pair & 63)
    for length in 1..<Self.prefixLength { shortPrefixes.insert(Self.key(of: form.span, from: 0, length: length)) }
    let key = Self.key(of: form.span, from: 0, length: Self.prefixLength)
    let place = byPrefix[key].map { known in known.firstIndex { $0.count < form.count } ?? known.count } ?? 0
    byPrefix[key, default: []].insert(form, at: place)
    longest = max(longest, form.count)
  }

  /// What begins at one byte of a text.
  enum Finding {
    case nothing
    /// So many bytes are a secret.
    case secret(Int)
    /// The text ends too soon to tell.
    case unfinished
  }

  func finding(in text: Swift.Span<UInt8>, at offset: Int, isEnd: Bool) -> Finding {
    let left = text.count - offset
    guard left >= 2 else {
      return !isEnd && shortPrefixes.contains(Self.key(of: text, from: offset, length: left)) ? .unfinished : .nothing
    }
    let pair = Int(text[offset]) << 8 | Int(text[offset + 1])
    guard pairs[pair >> 6] >> UInt64(pair & 63) & 1 == 1 else { return .nothing }
    guard left >= Self.prefixLength else {
      return !isEnd && shortPrefixes.contains(Self.key(of: text, from: offset, length: left)) ? .unfinished : .nothing
    }
    guard let candidates = byPrefix[Self.key(of: text, from: offset, length: Self.prefixLength)] else { return .nothing }
    for candidate in candidates {
      let compared = min(candidate.count, left)
      guard !(isEnd && candidate.count > left) else { continue }
      guard (Self.prefixLength..<compared).allSatisfy({ candidate[$0] == text[offset + $0] }) else { continue }
      // The longest comes first: one that may still go on decides later.
      return candidate.count > left ? .unfinished : .secret(candidate.count)
    }
    return .nothing
  }

  private static func key(of text: Swift.Span<UInt8>, from offset: Int, length: Int) -> UInt32 {
    var key: UInt32 = 0
    for index in offset..<offset + length { key = key << 8 | UInt32(text[index]) }
    // Lengths up to three leave the top byte free to tell them apart.
    return length < prefixLength ? key | UInt32(length) << 24 : key
  }
}
