/// A path in which `{name}` stands for any one segment, such as `/v1/rain/locations/{id}`.
package struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  private enum Segment: Hashable, Sendable {
    case literal(String)
    case value(String)
  }

  package let description: String
  private let segments: [Segment]

  package init(_ text: String) {
    description = text
    segments = Self.split(text).map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}") ? .value(String(segment.dropFirst().dropLast())) : .literal(segment)
    }
  }

  /// The decoded segments of a percent-encoded path; a slash at the end makes an empty one.
  package static func segments(of path: String) -> [String] { split(path).map { percentDecoded($0) } }

  /// The values of a path's segments by name; nil where the path is another one.
  package func values(in path: [String]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var values: [String: String] = [:]
    for (segment, text) in zip(segments, path) {
      switch segment {
      case .literal(let literal): if literal != text { return nil }
      case .value(let name):
        if text.isEmpty { return nil }
        values[name] = text
      }
    }
    return values
  }

  /// Whether some path fits both.
  package func overlaps(_ other: PathPattern) -> Bool {
    segments.count == other.segments.count
      && zip(segments, other.segments).allSatisfy { pair in
        if case (.literal(let own), .literal(let its)) = pair { own == its } else { true }
      }
  }

  private static func split(_ path: String) -> [String] {
    (path.hasPrefix("/") ? path.dropFirst() : path[...]).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }
}
