package import Values

/// One request that came in; neither its headers nor its body are kept.
package struct LoggedRequest: Hashable, Sendable {
  /// 1 for the first one of the sandbox.
  package var number: Int
  /// Empty for a path below no system.
  package var system: String
  package var method: String
  /// Below the system's prefix, percent-encoded, without the query.
  package var path: String
  /// The pattern of the route; nil where none has the method and the path.
  package var route: String?
  /// What was answered, whether or not the answer arrived.
  package var status: Int
  package var requestBytes: Int
  package var responseBytes: Int
  package var at: Timestamp
  /// What went wrong on purpose, such as `status 503`.
  package var faults: [String]

  /// As `GET /_sandbox/requests` shows it.
  package var value: Value {
    [
      "number": .int(Int64(number)), "system": .string(system), "method": .string(method), "path": .string(path),
      "route": route.map { .string($0) } ?? .null, "status": .int(Int64(status)), "request_bytes": .int(Int64(requestBytes)),
      "response_bytes": .int(Int64(responseBytes)), "at": .timestamp(at), "faults": .list(faults.map { .string($0) }),
    ]
  }
}

/// What came in, oldest first; past 100,000 requests the oldest are forgotten.
struct RequestLog: Sendable {
  private(set) var entries: [LoggedRequest] = []
  /// All there ever were.
  private(set) var count = 0
  private static let kept = 100_000

  mutating func append(_ make: (_ number: Int) -> LoggedRequest) {
    // Dropped by the tenth, since removing at the front moves all the rest.
    if entries.count == Self.kept { entries.removeFirst(Self.kept / 10) }
    count += 1
    entries.append(make(count))
  }

  mutating func removeAll() {
    entries.removeAll()
    count = 0
  }
}
