package import Values

/// A size as flows write it: bytes as a number, or `512KB`, `10MB`, `1GiB`.
package enum ByteSize {
  /// The bytes of a size; nil for what is none, or for none at all. `KB`, `MB` and `GB` count in thousands, `KiB`, `MiB` and
  /// `GiB` in 1024s (IEC 80000-13).
  package static func bytes(_ value: Value) -> Int? {
    if let number = value.intValue { return number > 0 ? Int(exactly: number) : nil }
    guard let text = value.stringValue else { return nil }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard let count = Int(digits), count > 0, let factor = factors[String(unit)] else { return nil }
    let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: factor)
    return isTooLarge ? nil : bytes
  }

  private static let factors = [
    "B": 1, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
  ]
}
