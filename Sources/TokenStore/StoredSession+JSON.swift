import StepKit
import Values

/// A session as an entry holds it once it is opened.
extension StoredSession {
  var json: String {
    var members = ValueMap()
    for (tokenClass, token) in tokens.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { members[tokenClass.rawValue] = token.stored }
    let whole: Value = ["tokens": .map(members)]
    return whole.json()
  }

  /// Nil for what is no such session.
  init?(json: String) {
    guard let whole = try? JSON.parse(json), let members = whole["tokens"]?.mapValue else { return nil }
    self.init()
    for (name, value) in members {
      guard let tokenClass = TokenClass(rawValue: name.text), let token = Token(stored: value) else { return nil }
      tokens[tokenClass] = token
    }
  }
}

extension Token {
  fileprivate var stored: Value {
    var map = ValueMap()
    map["access_token"] = .string(accessToken)
    map["refresh_token"] = refreshToken.map { .string($0) }
    map["type"] = type.map { .string($0) }
    map["scope"] = scope.map { .string($0) }
    map["expires"] = expires?.stored
    map["issued"] = issued?.stored
    return .map(map)
  }

  fileprivate init?(stored: Value) {
    guard let accessToken = stored["access_token"]?.stringValue else { return nil }
    self.init(
      accessToken: accessToken, expires: stored["expires"].flatMap(Timestamp.init(stored:)),
      issued: stored["issued"].flatMap(Timestamp.init(stored:)), type: stored["type"]?.stringValue,
      refreshToken: stored["refresh_token"]?.stringValue, scope: stored["scope"]?.stringValue)
  }
}

extension Timestamp {
  /// Seconds since 1970, and nanoseconds.
  fileprivate var stored: Value { [.int(seconds), .int(Int64(nanoseconds))] }

  fileprivate init?(stored: Value) {
    guard let parts = stored.listValue, parts.count == 2, let seconds = parts[0].intValue, let rest = parts[1].intValue,
      let nanoseconds = Int32(exactly: rest)
    else { return nil }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }
}
