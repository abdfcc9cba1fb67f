import HTTPTypes
package import StepKit
import Values

/// A step that is one request and its answer: what an operation says of itself is how its input becomes the request.
package protocol AferoOperation: StepHandler {
  /// The request.
  /// - Throws: `afero.bad_id` for an id that cannot stand in a URL, and what the operation refuses by itself.
  static func call(_ input: Input, _ settings: Afero.Settings) throws(StepFailure) -> HTTPCall
  /// What a status means here, beside what it means everywhere.
  static var meanings: [Int: StepError] { get }
}

extension AferoOperation {
  package static var meanings: [Int: StepError] { [:] }
  package static var errors: [StepError] { Afero.common + meanings.keys.sorted().compactMap { meanings[$0] } }

  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    let reply = try await Afero.send(try call(input, Afero.Settings(valid: ports.settings)), ports)
    guard reply.isSuccess else { throw Afero.failure(reply, meanings) }
    return try Afero.answer(reply)
  }
}

/// An output whose one field is the answer as a whole, such as a bare array.
package protocol AferoBareAnswer: DescribedRecord {}

extension Afero {
  /// What a step gives whose answer has no body.
  package struct Nothing: DescribedRecord {
    package init(_ field: inout Fields) {}
  }

  /// The input of what concerns an account.
  package struct AccountReference: DescribedRecord {
    let accountID: String

    package init(_ field: inout Fields) { accountID = field("account_id", Prose.account) }
  }

  /// The input of what concerns a device.
  package struct DeviceReference: DescribedRecord {
    let accountID: String
    let deviceID: String

    package init(_ field: inout Fields) {
      accountID = field("account_id", Prose.account)
      deviceID = field("device_id", Prose.device)
    }

    var path: String {
      get throws(StepFailure) { try Afero.path("accounts", accountID, "devices", deviceID) }
    }
  }

  /// What fields of many steps are.
  enum Prose {
    static let account = "The account, as `afero/get-account-info` gives it in `account_access`."
    static let device = "The device, as `afero/list-devices` gives it."
    static let user = "The person, as `afero/get-account-info` gives it; not the account's id."
    static let credential = "The address that the person signs in with."
    static let locale = "The language of texts, such as `en_US`."
    static let imageSize = "The size of pictures."
  }

  /// Sends a request as Afero's own clients do, which ask for JSON.
  static func send(_ call: HTTPCall, _ ports: Ports) async throws(StepFailure) -> HTTPReply {
    var call = call
    call.headers[.accept] = "application/json"
    return try await ports.http.send(call)
  }

  /// `/v1` and below; each segment fills exactly one.
  /// - Throws: `afero.bad_id` for a segment that is empty or would lead elsewhere.
  static func path(_ segments: String...) throws(StepFailure) -> String {
    var path = "/v1"
    for segment in segments {
      guard let encoded = PercentEncoding.pathSegment(segment) else {
        throw badID.local(detail: segment.isEmpty ? "it is empty" : "`\(segment)` would name another path")
      }
      path += "/\(encoded)"
    }
    return path
  }

  /// A credential's id in a path: everything but ASCII letters and digits is encoded, as Afero's own clients do it.
  /// - Throws: `afero.bad_id` for an empty one.
  static func credential(_ id: String) throws(StepFailure) -> String {
    guard !id.isEmpty else { throw badID.local(detail: "`credential_id` is empty") }
    let digits = Array("0123456789ABCDEF")
    return id.utf8.reduce(into: "") { text, byte in
      let letter = Character(Unicode.Scalar(byte))
      if byte < 0x80, letter.isLetter || letter.isNumber {
        text.append(letter)
      } else {
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }

  /// The members of an input that no path has taken, in the API's names.
  static func members<Input: DescribedRecord>(of input: Input, without taken: Set<String>) -> Value {
    var members = input.encoded
    for name in taken { members[name] = nil }
    return AferoNames.onWire(.map(members), Input.shape)
  }

  /// The same as a JSON body.
  static func body<Input: DescribedRecord>(_ input: Input, without taken: Set<String> = ["account_id"]) -> HTTPCall.Body {
    .json(members(of: input, without: taken))
  }

  /// An answer as its step gives it.
  /// - Throws: `decode` with the answer as it came.
  static func answer<Output: DescribedRecord>(_ reply: HTTPReply) throws(StepFailure) -> Output {
    let fields = Output.recordShape.fields
    guard let first = fields.first else { return Output(valid: ValueMap()) }
    var named = reply
    if Output.self is any AferoBareAnswer.Type { named.body = .map(ValueMap(members: [AferoNames.onWire(first.name): reply.body])) }
    named.body = AferoNames.inFlow(named.body, Output.shape)
    do throws(StepFailure) {
      return try Output.decode(named)
    } catch {
      var failure = error
      failure.answer = reply.answer
      throw failure
    }
  }
}
