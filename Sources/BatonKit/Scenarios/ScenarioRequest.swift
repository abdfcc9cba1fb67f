import HTTPTypes
import SandboxKit
import Synchronization
import Values

/// One request of a case, as its expectations see it.
struct ScenarioRequest: Sendable {
  /// The sandbox's system; `http` for plain HTTP.
  var system: String
  var method: String
  /// Below the system's prefix, percent-encoded, without the query.
  var path: String
  /// Query, headers and body; nil where no expression of the case looks.
  var content: Value?
  /// Nil where no whole answer came back.
  var status: Int?

  /// What expressions see as `request`.
  var value: Value {
    var map = content?.mapValue ?? ValueMap()
    map["system"] = .string(system)
    map["method"] = .string(method)
    map["path"] = .string(path)
    map["status"] = status.map { .int(Int64($0)) } ?? .null
    return .map(map)
  }

  func matches(_ route: RoutePattern) -> Bool {
    guard let method = HTTPRequest.Method(method) else { return false }
    return route.matches(system: system, method: method, path: PathPattern.segments(of: path))
  }
}

extension SandboxRequest {
  /// `query`, `headers` and `body` as expressions see them; credentials are secret.
  var content: Value {
    var query = ValueMap()
    for pair in self.query { query[pair.name] = .string(pair.value) }
    var fields = ValueMap()
    for field in headers {
      let value = Value.string(field.value)
      fields[field.name.canonicalName] = Self.credentials.contains(field.name) ? value.hidden() : value
    }
    return ["query": .map(query), "headers": .map(fields), "body": content(of: body)]
  }

  private static let credentials: Set<HTTPField.Name> = [.authorization, .cookie, .proxyAuthorization]

  /// JSON and forms as data, other text as it is.
  private func content(of bytes: [UInt8]) -> Value {
    if bytes.isEmpty { return .null }
    if let form {
      var map = ValueMap()
      for pair in form { map[pair.name] = .string(pair.value) }
      return .map(map)
    }
    return json ?? .string(String(decoding: bytes, as: UTF8.self))
  }
}

/// The requests of one case, in the order of their arrival.
final class ScenarioLog: Sendable {
  /// Whether query, headers and bodies are kept, since an expression looks at them.
  let keepsContent: Bool
  private let state = Mutex<[ScenarioRequest]>([])

  init(keepsContent: Bool) { self.keepsContent = keepsContent }

  var requests: [ScenarioRequest] { state.withLock(\.self) }
  var count: Int { state.withLock(\.count) }

  /// - Returns: its position.
  func append(_ request: ScenarioRequest) -> Int {
    state.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
  }

  /// Its answer did not come through whole.
  func forgetStatus(of position: Int) { state.withLock { $0[position].status = nil } }
}
