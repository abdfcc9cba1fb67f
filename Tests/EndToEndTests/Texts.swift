import FoundationEssentials
import TestKit

/// How long a step waits where no answer ever comes: long enough for its request to leave, the disk's word included, on a machine
/// that has much else to do.
let waitForAnswer = "5s"

/// The JSON that a command printed.
enum JSONValue: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case list([JSONValue])
  case map([String: JSONValue])

  init(_ text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let items = try? value.decode([JSONValue].self) {
      self = .list(items)
    } else {
      self = .map(try value.decode([String: JSONValue].self))
    }
  }

  subscript(_ name: String) -> JSONValue? {
    if case .map(let members) = self { return members[name] }
    return nil
  }

  var items: [JSONValue] {
    if case .list(let items) = self { return items }
    return []
  }

  var text: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  var int: Int? {
    if case .number(let number) = self { return Int(exactly: number) }
    return nil
  }
}

/// A text with what differs from run to run replaced: ports, durations and the ids of runs.
func masked(_ text: String) -> String {
  text.replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT")
    .replacing(/<?\d+(\.\d+)? (ms|s)\b/, with: "TIME")
    .replacing(#/run [0-9a-z]{4}-[0-9a-z]{4}, started [-0-9T:.]+Z/#, with: "run RUN, started TIME")
    .replacing(#/(baton \w+) [0-9a-z]{4}-[0-9a-z]{4}/#, with: { "\($0.output.1) RUN" })
    .replacing(/"durationMs": \d+/, with: #""durationMs": 0"#)
    .replacing(/"started": "[^"]*"/, with: #""started": "TIME""#)
    .replacing(/"run": "[^"]*"/, with: #""run": "ID""#)
}

/// A whole small answer.
func answer(_ status: String = "200 OK", _ body: String = "{}", type: String = "application/json") -> String {
  "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

/// What RapidSOS answers to a request for a token.
let tokenAnswer = answer(
  "200 OK", #"{"access_token": "token-of-the-test", "token_type": "BearerToken", "issued_at": "4070908800000", "expires_in": "3600"}"#)

extension RawServer {
  /// How many requests of a method it has received; those for a token are not counted.
  func count(of method: String) -> Int {
    received.count { $0.line.hasPrefix("\(method) ") && !$0.line.contains("/oauth/token") }
  }
}
