/// Reading and writing JSON (RFC 8259) as `Value`: order kept, numbers exact.
package enum JSON {
  /// What a reader accepts and how far it goes.
  package struct ReadOptions: Hashable, Sendable {
    /// What becomes of a name that stands twice in one object.
    package enum DuplicateNames: Hashable, Sendable {
      /// An error that names both places, since the two readers of one text may see different values.
      case refused
      /// The last one is the value, in the place of the first.
      case lastWins
    }

    package var duplicateNames: DuplicateNames
    /// How many arrays and objects may stand in each other.
    package var maximumDepth: Int

    package init(duplicateNames: DuplicateNames = .refused, maximumDepth: Int = 128) {
      self.duplicateNames = duplicateNames
      self.maximumDepth = maximumDepth
    }

    /// What flows read: each name once, 128 levels.
    package static let strict = ReadOptions()
    /// As RFC 8259 §4 tolerates it: of two equal names the last counts.
    package static let tolerant = ReadOptions(duplicateNames: .lastWins)
  }

  /// The value of one JSON text in UTF-8; a byte order mark before it is skipped.
  ///
  /// An integral number without fraction or exponent that fits int64 is `.int`; one whose shortest double reads back
  /// as the same number is `.double`; any other keeps its lexeme as `.decimal`.
  /// - Throws: `JSONError` with the byte offset of the first mistake.
  package static func parse(_ bytes: [UInt8], options: ReadOptions = .strict) throws(JSONError) -> Value {
    try JSONReader.read(bytes.span, options: options)
  }

  /// The value of one JSON text; offsets in errors are UTF-8.
  /// - Throws: `JSONError` with the byte offset of the first mistake.
  package static func parse(_ text: String, options: ReadOptions = .strict) throws(JSONError) -> Value {
    try parse(Array(text.utf8), options: options)
  }
}

/// Why a text is not the JSON that was asked for.
package struct JSONError: Error, Hashable, Sendable {
  /// Lower case, no full stop.
  package var message: String
  /// The byte at which reading stopped.
  package var offset: Int
  /// Where the first of two equal names stands; nil for any other mistake.
  package var firstOffset: Int?

  package init(_ message: String, at offset: Int, firstOffset: Int? = nil) {
    self.message = message
    self.offset = offset
    self.firstOffset = firstOffset
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "\(message) (byte \(offset))" }
}
