import SandboxKit
import Values

extension SAMISandbox {
  /// What a member of a body, or a pair of a query, may be: requests are checked by it, and it is their schema in the
  /// description.
  struct Field: Sendable {
    enum Kind: Sendable {
      case text
      case integer
      case flag
      case object
      case anything
      case choice([String])
      /// An address of HTTPS.
      case https
      /// Texts with commas between them, at most so many; nil is any number.
      case texts(Int?)
    }

    let name: String
    let kind: Kind
    var isRequired = false
    /// Of a text's length, or of a number.
    var least: Int?
    var most: Int?

    init(_ name: String, _ kind: Kind, isRequired: Bool = false, least: Int? = nil, most: Int? = nil) {
      self.name = name
      self.kind = kind
      self.isRequired = isRequired
      self.least = least
      self.most = most
      // Assumed: No number is larger than one that every JSON reader has exactly (RFC 8259 §6).
      if case .integer = kind { self.most = most ?? 9_007_199_254_740_991 }
    }

    /// An id that must be there.
    static func id(_ name: String) -> Field { Field(name, .text, isRequired: true, least: 1) }
    /// A moment, in milliseconds.
    static func moment(_ name: String, isRequired: Bool = false) -> Field {
      Field(name, .integer, isRequired: isRequired, least: 0, most: 4_102_444_800_000)
    }
  }
}

extension SAMISandbox.Field {
  /// Adds what is wrong with a value; nil is none.
  func check(_ value: Value?, _ problems: inout SAMISandbox.FieldProblems) {
    guard let value, value != .null else {
      // A null where something is wanted is none of it.
      if isRequired || value != nil { problems.add(name, value == nil || isRequired ? "Required parameter" : wrongType) }
      return
    }
    switch (kind, value) {
    case (.text, .string(let text)): checkBounds(text.unicodeScalars.count, "length", &problems)
    case (.integer, _):
      guard let number = value.intValue else { return problems.add(name, wrongType) }
      checkBounds(Int(number), "value", &problems)
    case (.choice(let known), .string(let text)): if !known.contains(text) { problems.add(name, wrongType) }
    case (.texts(let most), .string(let text)):
      let count = text.split(separator: ",", omittingEmptySubsequences: false).count
      if text.split(separator: ",").count != count { problems.add(name, "Required parameter") }
      if let most, count > most { problems.add(name, "Maximum value \(most)") }
    case (.https, .string(let text)):
      // Assumed: The words.
      if text.wholeMatch(of: /https:\/\/[\x21-\x7e]+/) == nil { problems.add(name, "Invalid callback URL") }
    case (.flag, .bool), (.object, .map), (.anything, _): break
    case (.text, _), (.flag, _), (.object, _), (.choice, _), (.https, _), (.texts, _): problems.add(name, wrongType)
    }
  }

  private func checkBounds(_ number: Int, _ what: String, _ problems: inout SAMISandbox.FieldProblems) {
    if let least, number < least { problems.add(name, "Minimum \(what) \(least)") }
    if let most, number > most { problems.add(name, "Maximum \(what) \(most)") }
  }

  private var wrongType: String {
    switch kind {
    case .text, .texts, .https: "Text field only"
    case .integer: "Numeric field only"
    case .flag: "Boolean field only"
    // Assumed: SAMI's list of messages has none for these.
    case .object: "Object field only"
    case .choice(let known): "Allowed values: \(known.joined(separator: ", "))"
    case .anything: "Required parameter"
    }
  }

  /// A text of a query as the value that it stands for; what is none stays a text.
  func read(_ text: String) -> Value {
    switch kind {
    case .integer: Int64(text).map { .int($0) } ?? .string(text)
    case .flag: text == "true" ? true : text == "false" ? false : .string(text)
    case .text, .object, .anything, .choice, .https, .texts: .string(text)
    }
  }

  /// The rule as a JSON Schema.
  var schema: Value {
    var map = ValueMap()
    switch kind {
    case .text:
      map["type"] = "string"
      map["minLength"] = least.map { .int(Int64($0)) }
      map["maxLength"] = most.map { .int(Int64($0)) }
    case .integer:
      map["type"] = "integer"
      map["minimum"] = least.map { .int(Int64($0)) }
      map["maximum"] = most.map { .int(Int64($0)) }
    case .flag: map["type"] = "boolean"
    case .object: map["type"] = "object"
    case .anything: map["type"] = ["string", "number", "boolean", "object", "array"]
    case .choice(let known): map["enum"] = .list(known.map { .string($0) })
    case .https:
      map["type"] = "string"
      map["pattern"] = "^https://[!-~]+$"
    case .texts(let most):
      map["type"] = "string"
      map["pattern"] = .string("^[^,]+(,[^,]+)\(most.map { "{0,\($0 - 1)}" } ?? "*")$")
    }
    return .map(map)
  }
}

extension SAMISandbox {
  /// The members of a JSON body.
  /// - Throws: 400 with everything that is wrong. Members that nobody reads are let through, which is assumed.
  static func body(_ request: SandboxRequest, _ fields: [Field]) throws(SandboxReply) -> Value {
    guard let body = request.json, let map = body.mapValue else { throw Refusal.error(400, code: 4001, "Validation Error") }
    var problems = FieldProblems()
    for field in fields { field.check(map[field.name], &problems) }
    try problems.check()
    return body
  }

  /// The pairs of a query.
  /// - Throws: 400 with everything that is wrong.
  static func query(_ request: SandboxRequest, _ fields: [Field]) throws(SandboxReply) -> Value {
    var map = ValueMap()
    var problems = FieldProblems()
    for field in fields {
      map[field.name] = request.query(field.name).map(field.read)
      field.check(map[field.name], &problems)
    }
    try problems.check()
    return .map(map)
  }
}
