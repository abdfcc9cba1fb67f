import SandboxKit
import Values

extension RapidSOSSandbox {
  /// Reads the fields of a JSON body and collects what is wrong with them.
  ///
  /// Assumed: Only the messages on length and e-mail are known; they are those of marshmallow, so are these.
  struct BodyFields: Sendable {
    private let body: Value
    private(set) var errors = FieldErrors()
    private var known: Set<String> = []

    /// - Throws: 400 where the body is no JSON object.
    init(_ request: SandboxRequest) throws(SandboxReply) {
      guard let body = request.json, body.mapValue != nil else { throw Refusal.detail("Invalid input.", status: 400) }
      self.body = body
    }

    /// A text that has to be there; empty where it is not, which the errors then say.
    mutating func text(_ field: String, lengths: ClosedRange<Int> = 0...Int.max) -> String {
      known.insert(field)
      switch body[field] {
      case .string(let text):
        // Python's len counts code points.
        if !lengths.contains(text.unicodeScalars.count) {
          errors.add(field, "Length must be between \(lengths.lowerBound) and \(lengths.upperBound).")
        }
        return text
      case .null: errors.add(field, "Field may not be null.")
      case nil: errors.add(field, "Missing data for required field.")
      default: errors.add(field, "Not a valid string.")
      }
      return ""
    }

    mutating func email(_ field: String) -> String {
      let earlier = errors.map[field]
      let text = text(field)
      if errors.map[field] == earlier, !Self.isEmail(text) { errors.add(field, "Not a valid email address.") }
      return text
    }

    /// The digits of a phone number, with or without `+` before them.
    mutating func phone(_ field: String, takesPlus: Bool = true) -> String {
      let earlier = errors.map[field]
      let text = text(field)
      let digits = takesPlus && text.hasPrefix("+") ? text.dropFirst() : text[...]
      let isNumber =
        (10...15).contains(digits.utf8.count) && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      if errors.map[field] == earlier, !isNumber { errors.add(field, "Not a valid phone number.") }
      return String(digits)
    }

    mutating func hexadecimal(_ field: String) -> String {
      let earlier = errors.map[field]
      let text = text(field)
      let isHexadecimal = !text.isEmpty && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
      if errors.map[field] == earlier, !isHexadecimal { errors.add(field, "Not a valid token.") }
      return text
    }

    /// Names a field that is read elsewhere.
    mutating func allow(_ field: String) { known.insert(field) }

    /// - Throws: 400 with everything that was wrong.
    mutating func check() throws(SandboxReply) {
      // Assumed: What nobody reads is refused, as marshmallow does it.
      for (key, _) in body.mapValue ?? ValueMap() where !known.contains(key.text) { errors.add(key.text, "Unknown field.") }
      try errors.throwIfAny()
    }

    private static func isEmail(_ text: String) -> Bool {
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !text.contains(where: \.isWhitespace) else { return false }
      let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
      return labels.count >= 2
        && labels.allSatisfy { label in
          !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
        }
    }
  }
}
