import HTTPTypes
package import StepKit
import Values

/// Who calls, where SAMI takes a person's token and the application's.
package enum SAMICaller: String, Choice {
  case user, app

  /// What a step needs for the application's token.
  static let needs = NeededSetting.settings(["accounts_url", "client_secret"], if: "as", is: "app")
}

/// One call of the REST API.
package struct SAMIRequest: Sendable {
  var method: HTTPRequest.Method
  /// Behind `/v1.1`; each is one segment.
  var path: [String]
  /// Null is left out.
  var query: ValueMap
  /// Nil is no body.
  var body: ValueMap?
  var token: TokenClass
  /// Takes the place of the connection's token, and is never renewed.
  var deviceToken: Secret<String>?
  /// What the list in `data` is called in the outputs.
  var list: String
  var secretMembers: Set<String>

  init(
    _ method: HTTPRequest.Method, _ path: String..., query: ValueMap = ValueMap(), body: ValueMap? = nil, as caller: SAMICaller? = .user,
    deviceToken: Secret<String>? = nil, list: String = "data", secretMembers: Set<String> = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    token =
      switch caller {
      case .user: .user
      case .app: .client
      case nil: .none
      }
    self.deviceToken = deviceToken
    self.list = list
    self.secretMembers = secretMembers
  }

  /// - Throws: `schema.input` for a list without anything: it goes as an empty text, and who asks for nothing may get all.
  static func check(_ lists: (name: String, texts: [String]?)...) throws(StepFailure) {
    for list in lists where list.texts?.isEmpty == true {
      throw .input("`\(list.name)` is empty, which SAMI may take for all; name at least one")
    }
  }

  /// - Throws: `schema.input` for an id that is no segment of a path.
  func call() throws(StepFailure) -> HTTPCall {
    var target = SAMI.version
    for part in path {
      guard let segment = PercentEncoding.pathSegment(part) else { throw .input("`\(part)` is no id of SAMI's") }
      target += "/\(segment)"
    }
    let pairs = query.compactMap { key, value in value.scalarText.map { (name: key.text, value: $0) } }
    var call = HTTPCall(
      method, target, query: pairs, body: body.map { .json(.map($0)) } ?? .none, token: token, secretMembers: secretMembers)
    call.isTextSecret = !secretMembers.isEmpty
    if let deviceToken {
      call.token = TokenClass.none
      call.secretHeaders = [.authorization]
      call.secrets = [deviceToken.exposed]
      guard HTTPField.isValidValue(deviceToken.exposed) else { throw .input("`token` has characters that no header takes") }
      call.headers[.authorization] = "bearer \(deviceToken.exposed)"
    }
    return call
  }
}

extension SAMI {
  /// What every path of the API begins with.
  static let version = "/v1.1"

  /// Sends a call.
  /// - Throws: what `failure` makes of an answer that is not 2xx, and what any request raises.
  static func send(_ request: SAMIRequest, _ ports: Ports) async throws(StepFailure) -> HTTPReply {
    let reply = try await ports.http.send(try request.call())
    guard reply.isSuccess else { throw failure(reply) }
    return reply
  }

  /// The answer as a step gives it: members of `data` beside the others, names as in flows.
  /// - Throws: `decode` where it is not of the record's shape.
  static func decode<Output: DescribedRecord>(_ reply: HTTPReply, list: String = "data") throws(StepFailure) -> Output {
    var flat = reply
    var body = reply.body.mapValue ?? ValueMap()
    if let members = body["data"]?.mapValue {
      body["data"] = nil
      for (key, value) in members { body[key] = value }
    } else if let items = body["data"]?.listValue {
      body["data"] = nil
      body[list] = .list(items)
    }
    flat.body = WireNames.read(.map(body), Output.shape)
    do throws(StepFailure) {
      return try Output.decode(flat)
    } catch {
      var failure = error
      failure.answer = reply.answer
      throw failure
    }
  }
}

/// A step that is one call of the REST API, its answer read as it comes.
package protocol SAMIOperation: StepHandler {
  static func request(_ input: Input) throws(StepFailure) -> SAMIRequest
}

extension SAMIOperation {
  package static var errors: [StepError] { SAMI.usual }

  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    let request = try request(input)
    return try SAMI.decode(try await SAMI.send(request, ports), list: request.list)
  }
}

extension Example.Preparation {
  /// A person who has agreed.
  static let consent = Example.Preparation("sami/authorize", with: "{}")
}
