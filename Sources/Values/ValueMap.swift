/// A map that keeps the order in which its keys came. Text keys compare by code points, and an int equals the uint
/// of the same number (CEL's rule for keys).
package struct ValueMap: Sendable {
  package enum Key: Sendable {
    case string(String)
    case int(Int64)
    case uint(UInt64)
    case bool(Bool)
  }

  package typealias Element = (key: Key, value: Value)

  package private(set) var entries: [Element] = []
  /// Where each key stands in `entries`; built only past `indexedFrom` entries, since a short scan is faster.
  private var index: [Key: Int]?
  private static let indexedFrom = 9

  package init() {}

  /// Later ones of the same key win.
  package init(members elements: KeyValuePairs<String, Value>) {
    for (key, value) in elements { self[key] = value }
  }

  package var count: Int { entries.count }
  package var isEmpty: Bool { entries.isEmpty }

  package mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

  package func position(of key: Key) -> Int? {
    if let index { return index[key] }
    return entries.firstIndex { $0.key == key }
  }

  package func position(of key: String) -> Int? {
    if let index { return index[.string(key)] }
    return entries.firstIndex { $0.key.isText(key) }
  }

  /// Assigning nil removes the key; a new key goes to the end.
  package subscript(_ key: Key) -> Value? {
    get { position(of: key).map { entries[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): entries[position].value = value
      case (let position?, nil):
        entries.remove(at: position)
        rebuildIndex()
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  package subscript(_ key: String) -> Value? {
    get { position(of: key).map { entries[$0].value } }
    set { self[.string(key)] = newValue }
  }

  package func mapValues(_ transform: (Value) throws -> Value) rethrows -> ValueMap {
    var copy = self
    for position in copy.entries.indices { copy.entries[position].value = try transform(copy.entries[position].value) }
    return copy
  }

  private mutating func append(_ key: Key, _ value: Value) {
    entries.append((key, value))
    if index != nil {
      index?[key] = entries.count - 1
    } else if entries.count >= Self.indexedFrom {
      rebuildIndex()
    }
  }

  private mutating func rebuildIndex() {
    guard entries.count >= Self.indexedFrom else { return index = nil }
    var built: [Key: Int] = [:]
    built.reserveCapacity(entries.count)
    for (position, entry) in entries.enumerated() { built[entry.key] = position }
    index = built
  }
}

extension ValueMap: Sequence {
  package func makeIterator() -> IndexingIterator<[Element]> { entries.makeIterator() }
}

/// Maps are equal without regard to order.
extension ValueMap: Hashable {
  package static func == (a: ValueMap, b: ValueMap) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
  }

  package func hash(into hasher: inout Hasher) {
    var combined = 0
    for (key, value) in entries {
      var own = Hasher()
      own.combine(key)
      own.combine(value)
      combined ^= own.finalize()
    }
    hasher.combine(combined)
  }
}

extension ValueMap.Key: Hashable {
  package static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.string(let x), .string(let y)): x.isSameText(as: y)
    case (.int(let x), .int(let y)): x == y
    case (.uint(let x), .uint(let y)): x == y
    case (.int(let x), .uint(let y)), (.uint(let y), .int(let x)): x >= 0 && x.magnitude == y
    case (.bool(let x), .bool(let y)): x == y
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text):
      var text = text
      text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .int(let number): hasher.combine(number)
    // The same bits as the int it may equal.
    case .uint(let number): hasher.combine(Int64(bitPattern: number))
    case .bool(let flag): hasher.combine(flag)
    }
  }

  package func isText(_ text: String) -> Bool {
    if case .string(let own) = self { own.isSameText(as: text) } else { false }
  }

  package var text: String {
    switch self {
    case .string(let text): text
    case .int(let number): String(number)
    case .uint(let number): String(number)
    case .bool(let flag): String(flag)
    }
  }

  package var value: Value {
    switch self {
    case .string(let text): .string(text)
    case .int(let number): .int(number)
    case .uint(let number): .uint(number)
    case .bool(let flag): .bool(flag)
    }
  }
}

extension String {
  /// Whether both have the same code points; `==` would take canonically equivalent texts for the same.
  package func isSameText(as other: String) -> Bool {
    // The count is known without a walk, and mostly decides.
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
