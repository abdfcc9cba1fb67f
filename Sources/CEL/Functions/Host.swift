import Values

/// Functions that flows need and CEL lacks: digests, phone numbers, merging maps.
enum Host {
  static let functions: [Function] = [
    Function("hash.sha256", [.global(.string, to: .string), .global(.bytes, to: .string)]) { arguments, meter throws(Failure) in
      let bytes = try Encoders.octets(arguments[0])
      try meter.spend(steps: bytes.count >> 4)
      return .string(Hexadecimal.text(SHA256.digest(bytes)))
    },
    // (message, key), in hexadecimal.
    Function(
      "hash.hmac_sha256",
      [
        .global(.string, .string, to: .string), .global(.string, .bytes, to: .string), .global(.bytes, .string, to: .string),
        .global(.bytes, .bytes, to: .string),
      ]
    ) { arguments, meter throws(Failure) in
      let message = try Encoders.octets(arguments[0])
      let key = try Encoders.octets(arguments[1])
      try meter.spend(steps: (message.count + key.count) >> 4)
      return .string(Hexadecimal.text(SHA256.authenticationCode(of: message, key: key)))
    },
    Function("phone.e164", [.global(.string, .string, to: .string)]) { arguments, _ throws(Failure) in
      guard arguments.count == 2, case .string(let text) = arguments[0], case .string(let region) = arguments[1] else {
        throw .noOverload
      }
      guard let number = e164(text, region: region) else { throw Failure("`\(text)` is no phone number of region `\(region)`") }
      return .string(number)
    },
    // Keys of the second map win.
    Function(
      "maps.merge",
      [
        .global(
          .map(.parameter("K"), .parameter("V")), .map(.parameter("K"), .parameter("V")),
          to: .map(.parameter("K"), .parameter("V")))
      ], secrecy: .moves
    ) { arguments, _ throws(Failure) in
      guard arguments.count == 2, case .map(var merged) = arguments[0], case .map(let other) = arguments[1] else {
        throw .noOverload
      }
      for (key, value) in other { merged[key] = value }
      return .map(merged)
    },
  ]
}
