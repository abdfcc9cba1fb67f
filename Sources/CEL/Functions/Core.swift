import Values

/// `size`, `type`, `dyn`, and the tests of texts (language definition, "Standard Definitions").
enum Core {
  static let functions: [Function] = [
    Function(
      "size",
      [.string, .bytes, .list(.parameter("A")), .map(.parameter("A"), .parameter("B"))].flatMap {
        [.global($0, to: .int), .method($0, to: .int)]
      }, secrecy: .moves
    ) { arguments, _ throws(Failure) in
      switch arguments[0] {
      case .string(let text): .int(Int64(CodePoints.count(text)))
      case .bytes(let bytes): .int(Int64(bytes.count))
      case .list(let items): .int(Int64(items.count))
      case .map(let map): .int(Int64(map.count))
      default: throw .noOverload
      }
    },
    Function("type", [.global(.parameter("A"), to: .type(.parameter("A")))], secrecy: .moves) { arguments, _ throws(Failure) in
      .type(arguments[0].denotation)
    },
    Function("dyn", [.global(.parameter("A"), to: .dyn)], secrecy: .moves) { arguments, _ throws(Failure) in arguments[0] },
    test("contains") { text, part in ByteSearch.holds(text, part) },
    test("startsWith") { text, part in ByteSearch.stands(part, in: text, at: 0) },
    test("endsWith") { text, part in ByteSearch.stands(part, in: text, at: text.count - part.count) },
  ]

  private static func test(_ name: String, _ holds: @escaping @Sendable (Span<UInt8>, Span<UInt8>) -> Bool) -> Function {
    Function(name, [.method(.string, .string, to: .bool)]) { arguments, _ throws(Failure) in
      guard arguments.count == 2, case .string(let text) = arguments[0], case .string(let part) = arguments[1] else {
        throw .noOverload
      }
      return .bool(holds(text.utf8.span, part.utf8.span))
    }
  }
}

extension Value {
  /// The name of the type as CEL denotes it.
  var denotation: String {
    switch self {
    case .null: "null_type"
    case .timestamp: "google.protobuf.Timestamp"
    case .duration: "google.protobuf.Duration"
    case .optional: "optional_type"
    case .bool, .int, .uint, .double, .decimal, .string, .bytes, .list, .map, .type, .secret: typeName
    }
  }
}
