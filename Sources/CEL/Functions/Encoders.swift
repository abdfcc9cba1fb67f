import Values

/// The encoders extension, and the encodings of the host: JSON and URLs.
enum Encoders {
  static let functions: [Function] = [
    Function("base64.encode", [.global(.bytes, to: .string)]) { arguments, _ throws(Failure) in
      guard case .bytes(let bytes) = arguments[0] else { throw .noOverload }
      return .string(Base64.encode(bytes))
    },
    Function("base64.decode", [.global(.string, to: .bytes)]) { arguments, _ throws(Failure) in
      guard case .string(let text) = arguments[0] else { throw .noOverload }
      guard let bytes = Base64.decode(text) else { throw Failure("the text is not valid base64") }
      return .bytes(bytes)
    },
    Function("json.encode", [.global(.dyn, to: .string)]) { arguments, _ throws(Failure) in
      .string(arguments[0].json(secrets: .exposed))
    },
    Function("json.decode", [.global(.string, to: .dyn), .global(.bytes, to: .dyn)]) { arguments, _ throws(Failure) in
      let bytes = try octets(arguments[0])
      do throws(JSONError) { return try JSON.parse(bytes) } catch {
        throw Failure("the text is not valid JSON: \(error.description)")
      }
    },
    Function("url.encode", [.global(.string, to: .string)]) { arguments, _ throws(Failure) in
      guard case .string(let text) = arguments[0] else { throw .noOverload }
      return .string(percentEncoded(text))
    },
  ]

  /// The bytes of bytes, or of a text in UTF-8.
  static func octets(_ value: Value) throws(Failure) -> [UInt8] {
    switch value {
    case .string(let text): return Array(text.utf8)
    case .bytes(let bytes): return bytes
    default: throw .noOverload
    }
  }

  /// All but the unreserved characters of RFC 3986 §2.3 as `%XX`.
  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): result.append(byte)
      case _ where byte.isNamePart: result.append(byte)
      default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
