package import Values

/// Percent-encoding as URLs and forms need it.
package enum PercentEncoding {
  /// A part of a path or a query: everything but RFC 3986's unreserved characters is encoded.
  package static func component(_ text: String) -> String {
    encoded(text, space: "%20") { $0 == UInt8(ascii: "~") }
  }

  /// A value that fills one segment of a path; nil for `.`, `..` and nothing, which would name another path.
  package static func pathSegment(_ text: String) -> String? {
    text.isEmpty || text == "." || text == ".." ? nil : component(text)
  }

  /// A body of `application/x-www-form-urlencoded` (WHATWG URL §5.2).
  package static func form(_ items: [(name: String, value: String)]) -> String {
    items.map { "\(formPart($0.name))=\(formPart($0.value))" }.joined(separator: "&")
  }

  /// The text behind a part of a form, `+` being a blank; a part that is not encoded as it should be is left as it stands.
  package static func formDecoded(_ text: String) -> String {
    decoded(text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: " ")) ?? text
  }

  /// The text behind an encoded one; nil for a `%` without two digits, and for bytes that are no UTF-8.
  static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// How many dots a segment of a path consists of, `%2e` counted as one; 0 where it holds anything else.
  static func dots(in segment: Substring) -> Int {
    var rest = segment
    var count = 0
    while let first = rest.first {
      if first == "." {
        rest = rest.dropFirst()
      } else if rest.prefix(3).lowercased() == "%2e" {
        rest = rest.dropFirst(3)
      } else {
        return 0
      }
      count += 1
    }
    return count
  }

  private static func formPart(_ text: String) -> String {
    encoded(text, space: "+") { $0 == UInt8(ascii: "*") }
  }

  private static func encoded(_ text: String, space: String, also isKept: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF")
    var out = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        out.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: " "): out += space
      default:
        if isKept(byte) {
          out.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          out.append("%")
          out.append(digits[Int(byte >> 4)])
          out.append(digits[Int(byte & 15)])
        }
      }
    }
    return out
  }
}

extension Value {
  /// A scalar as it stands in a URL, a form or a header, its own mark of secrecy ignored; nil for null, lists and maps.
  package var scalarText: String? {
    switch exposed {
    case .string(let text), .type(let text): text
    case .bool, .int, .uint, .double, .decimal: exposed.json()
    case .timestamp, .duration, .bytes: String(exposed.json().dropFirst().dropLast())
    case .null, .list, .map, .optional, .secret: nil
    }
  }
}
