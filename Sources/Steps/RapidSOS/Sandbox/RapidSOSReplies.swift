import SandboxKit
import Values

// The three envelopes of RapidSOS's errors.
extension SandboxReply {
  /// A text: most of what the application refuses.
  static func detail(_ text: String, status: Int) -> SandboxReply { .json(["detail": .string(text)], status: status) }

  /// Messages for each wrong field.
  static func fields(_ errors: FieldErrors) -> SandboxReply { .json(["detail": .map(errors.map)], status: 400) }

  /// The gateway's own refusal, before the application.
  static func fault(_ text: String, _ code: String) -> SandboxReply {
    .json(["fault": ["faultstring": .string(text), "detail": ["errorcode": .string(code)]]], status: 401)
  }

  static let notFound = detail("Not found.", status: 404)
  static let invalidAccessToken = fault("Invalid Access Token", "keymanagement.service.invalid_access_token")
  static let expiredAccessToken = fault("Access Token expired", "keymanagement.service.access_token_expired")
  // [assumed] The envelope is; the code is Apigee's, which the other faults come from.
  static let invalidClient = fault("Invalid client identifier", "oauth.v2.InvalidClientIdentifier")
  // [assumed] A token of the other class is told apart from a bad one.
  static let wrongTokenClass = detail("You do not have permission to perform this action.", status: 403)
}

/// Messages by field, in the order of the fields.
struct FieldErrors: Sendable {
  private(set) var map = ValueMap()

  mutating func add(_ field: String, _ message: String) {
    map[field] = .list((map[field]?.listValue ?? []) + [.string(message)])
  }

  func throwIfAny() throws(SandboxReply) {
    if !map.isEmpty { throw .fields(self) }
  }
}

/// Reads the fields of a JSON body and collects what is wrong with them.
///
/// [assumed] Only the messages on length and e-mail are known; they are those of marshmallow, so are these.
struct BodyFields: Sendable {
  private let body: Value
  private(set) var errors = FieldErrors()

  /// - Throws: 400 where the body is no JSON object.
  init(_ request: SandboxRequest) throws(SandboxReply) {
    guard let body = request.json, body.mapValue != nil else { throw .detail("Invalid input.", status: 400) }
    self.body = body
  }

  /// A text that has to be there; empty where it is not, which the errors then say.
  mutating func text(_ field: String, lengths: ClosedRange<Int> = 0...Int.max) -> String {
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
  mutating func phone(_ field: String) -> String {
    let earlier = errors.map[field]
    let text = text(field)
    let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isNumber = (10...15).contains(digits.utf8.count) && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if errors.map[field] == earlier, !isNumber { errors.add(field, "Not a valid phone number.") }
    return String(digits)
  }

  /// - Throws: 400 with everything that was wrong.
  func check() throws(SandboxReply) { try errors.throwIfAny() }

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
