package import HTTPTypes
import Values

extension HTTPFields {
  /// Appends a header that comes from a flow or a setting. CR, LF and NUL are refused, not replaced: whoever wrote
  /// them meant another header.
  /// - Throws: `config.header`, which never repeats the value.
  package mutating func append(_ name: String, _ value: String) throws(StepFailure) {
    guard let known = HTTPField.Name(name) else {
      throw StepFailure("config.header", title: "the header cannot be sent", detail: "`\(name.debugDescription)` is not a header name")
    }
    guard !value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }), HTTPField.isValidValue(value) else {
      throw StepFailure(
        "config.header", title: "the header cannot be sent",
        detail: "the value of `\(name)` holds CR, LF, NUL, or a space at its start or end")
    }
    append(HTTPField(name: known, value: value))
  }

  /// `NAME=VALUE` as a `Cookie` header has it.
  /// - Throws: `config.header` for what would end the cookie, or the header; it never repeats the value.
  static func cookiePair(_ name: String, _ value: String) throws(StepFailure) -> String {
    // A cookie's name is a token, as a header's is (RFC 6265 §4.1.1).
    guard HTTPField.Name(name) != nil else {
      throw StepFailure("config.header", title: "the cookie cannot be sent", detail: "`\(name.debugDescription)` is not a cookie's name")
    }
    guard !value.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F || $0 == ";" || $0 == "," }) else {
      throw StepFailure(
        "config.header", title: "the cookie cannot be sent",
        detail: "the value of `\(name)` holds a space, `;`, `,` or a control character; percent-encode it")
    }
    return "\(name)=\(value)"
  }

  /// `Basic` and the pair in base64 (RFC 7617).
  package static func basicAuthorization(username: String, password: String) -> String {
    "Basic \(Values.Value.bytes(Array("\(username):\(password)".utf8)).scalarText ?? "")"
  }
}

extension HTTPRequest.Method {
  /// The method of a flow; its case counts (RFC 9110 §9.1).
  /// - Throws: `config.request` for what is no token.
  package init(checked text: String) throws(StepFailure) {
    guard let method = HTTPRequest.Method(text) else {
      throw StepFailure("config.request", title: "the request cannot be sent", detail: "\(text.debugDescription) is not a method")
    }
    self = method
  }

  /// What a request of this method is taken to be where nothing else is said (RFC 9110 §9.2).
  package var usualEffect: Effect {
    switch self {
    case .get, .head, .options, .trace, .query: .read
    case .put, .delete: .idempotent
    default: .unsafe
    }
  }
}
