package import StepKit
import Values

/// Which answer is which error.
package struct RefusalRule: Sendable {
  let statuses: [Int]
  /// A part of the answer's code, message or nested messages; nil is any answer.
  let words: String?
  /// Whether the application must have said it, in its own envelope: a proxy's 502 says nothing of a purchase.
  let needsEnvelope: Bool
  let error: StepError

  package init(_ statuses: Int..., saying words: String? = nil, needsEnvelope: Bool = false, is error: StepError) {
    self.statuses = statuses
    self.words = words
    self.needsEnvelope = needsEnvelope
    self.error = error
  }

  func matches(_ reply: HTTPReply, _ refusal: OperatorRefusal) -> Bool {
    statuses.contains(reply.status) && (!needsEnvelope || refusal.code != nil) && words.map(refusal.says) ?? true
  }
}

extension [RefusalRule] {
  /// The errors behind the rules, each once, in their order.
  var errors: [StepError] {
    var seen: Set<String> = []
    return map(\.error).filter { seen.insert($0.code).inserted }
  }
}

/// What an answer that is an error says: the application's envelope `{errorCode, error, status, message}` with an error of
/// the store or of the payment provider inside, the gateway's `{code, message, details}`, `{errors: [text]}`, plain text, or
/// nothing at all.
struct OperatorRefusal {
  /// `FAILED_TO_PURCHASE_PRODUCT`; nil where it is not the application that speaks.
  let code: String?
  /// From the envelope inwards.
  let messages: [String]
  /// Why the bank declined, such as `insufficient_funds`; the second generation alone says so.
  let declineCode: String?

  init(_ reply: HTTPReply) {
    code = reply.body["errorCode"]?.exposed.stringValue
    declineCode = reply.body["error"]?["declineCode"]?.exposed.stringValue
    var found: [String] = []
    var level: Value? = reply.body
    // Errors of the store are nested in each other.
    for _ in 0..<8 {
      guard let map = level?.exposed, case .map = map else { break }
      for name in ["message", "description"] {
        guard let text = map[name]?.exposed.stringValue.map(trimmed), !text.isEmpty, !found.contains(where: { $0.contains(text) }) else {
          continue
        }
        found.append(text)
      }
      level = map["error"]
    }
    if let errors = reply.body["errors"]?.exposed.listValue { found += errors.compactMap(\.exposed.stringValue) }
    // A text that may hold a secret is for nobody.
    if case .string(let text) = reply.body, !text.hasPrefix("<"), text.utf8.count <= 300 { found.append(trimmed(text)) }
    messages = found
  }

  /// What a flow reads as `error.errors`.
  var problems: [StepFailure.Problem] { declineCode.map { [.init(field: "decline_code", message: $0)] } ?? [] }

  /// The payment sources that it names: what stands behind `sourceId`, and what has the form of their ids.
  var sources: [String] {
    messages.flatMap { message in
      let words = message.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      return zip([""] + words, words).filter { before, word in
        guard before != "sourceId" else { return true }
        // `card_declined` has the form, too.
        let isNamed = before == "source" || before == "token" || word.contains(where: \.isNumber)
        return isNamed && ["tok_", "src_", "card_", "pm_"].contains { word.hasPrefix($0) }
      }.map { $1 }
    }
  }

  /// For people: what happened, and why.
  var text: String { messages.joined(separator: " ") }

  func says(_ words: String) -> Bool { code?.contains(words) ?? false || messages.contains { $0.contains(words) } }
}

/// Without blanks at both ends: one of the messages has one behind it.
private func trimmed(_ text: String) -> String {
  let rest = text.drop(while: \.isWhitespace)
  return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
}

extension MobileOperator {
  /// The failure of an answer that is not 2xx: the first rule that fits, else `http.STATUS` with what the answer says.
  static func failure(_ reply: HTTPReply, _ rules: [RefusalRule] = []) -> StepFailure {
    let refusal = OperatorRefusal(reply)
    guard let rule = rules.first(where: { $0.matches(reply, refusal) }) else { return .http(reply, detail: refusal.text) }
    return rule.error.failure(reply, detail: refusal.text, problems: refusal.problems)
  }

  /// The failure of a request that concerns payment sources: the provider names them, and no report does.
  static func sourceFailure(_ reply: HTTPReply, _ rules: [RefusalRule], _ ports: Ports) -> StepFailure {
    ports.http.hide(OperatorRefusal(reply).sources)
    return failure(reply, rules)
  }

  /// `ostelco.card_declined` and so on.
  static func error(_ code: String, _ title: String, help: String = "", isRejected: Bool = true) -> StepError {
    StepError("\(name).\(code)", title, help: help, isRejected: isRejected)
  }

  static var cardDeclined: StepError {
    error("card_declined", "the card was declined, or the charge is under review", help: "nothing was bought; give another payment source")
  }
  static var productUnavailable: StepError {
    error("product_unavailable", "there is no such product for this customer", help: "take a `sku` of `\(name)/list-products`")
  }
  static var unknownSource: StepError {
    error("unknown_source", "the payment provider does not know the payment source", help: "a token is good once; get a new one")
  }
  /// Whether money has moved is not known: the connection to the provider may have broken behind the charge.
  static var paymentFailed: StepError {
    error(
      "payment_failed", "the payment provider or the store failed", help: "look into `\(name)/list-purchases` before it is tried again",
      isRejected: false)
  }
  static var incompleteToken: StepError { error("incomplete_token", "the push token, its application or its type is missing") }
  static var tokenStoreFailed: StepError {
    error("token_store_failed", "the push token could not be stored", help: "register it again later", isRejected: false)
  }
  static var incompleteScan: StepError { error("incomplete_scan", "a field of the callback is missing, or cannot be read") }
  static var scanNotFound: StepError { error("scan_not_found", "there is no such scan") }
  static var scanNotAllowed: StepError { error("scan_not_allowed", "the scan belongs to another customer") }
  static var graphFailed: StepError { error("graphql_failed", "the query has no answer", help: "`error.detail` says why") }
}
