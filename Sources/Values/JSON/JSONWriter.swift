extension JSON {
  /// What becomes of secrets in a written text.
  package enum Secrets: Hashable, Sendable {
    /// Each is the text `[secret]`, whatever it holds.
    case redacted
    /// Each is written as it is: for the wire alone.
    case exposed
  }
}

extension Value {
  /// The value as JSON text: on one line without spaces, or indented by so many spaces a level.
  ///
  /// Doubles stand as ECMAScript prints them; NaN and the infinities, which JSON lacks, as the strings `"NaN"`,
  /// `"Infinity"` and `"-Infinity"` (as protobuf's JSON mapping has them; `null` would lose them). Timestamps are RFC 3339
  /// in UTC, durations seconds (`"1.5s"`), bytes base64, types their name, an empty optional null, and keys of maps their text.
  package func json(indent: Int? = nil, secrets: JSON.Secrets = .redacted) -> String {
    String(decoding: jsonBytes(indent: indent, secrets: secrets), as: UTF8.self)
  }

  /// The UTF-8 of `json(indent:secrets:)`.
  package func jsonBytes(indent: Int? = nil, secrets: JSON.Secrets = .redacted) -> [UInt8] {
    var writer = JSONWriter(indent: indent, secrets: secrets)
    writer.write(self)
    return writer.bytes
  }
}

private struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let indent: Int?
  private let secrets: JSON.Secrets
  private var level = 0

  init(indent: Int?, secrets: JSON.Secrets) {
    self.indent = indent
    self.secrets = secrets
  }

  mutating func write(_ value: Value) {
    switch value {
    case .null, .optional(nil): plain("null")
    case .bool(let flag): plain(flag ? "true" : "false")
    case .int(let number): plain(String(number))
    case .uint(let number): plain(String(number))
    case .double(let number) where number.isFinite: plain(ecmaScriptText(of: number))
    case .double(let number): string(ecmaScriptText(of: number))
    case .decimal(let lexeme): plain(lexeme)
    case .string(let text), .type(let text): string(text)
    case .bytes(let data): string(base64(data))
    case .timestamp(let time): string(time.text)
    case .duration(let span): string(span.text)
    case .list(let items): list(items)
    case .map(let map): object(map)
    case .optional(let inner?): write(inner)
    case .secret(let inner):
      switch secrets {
      case .redacted: string("[secret]")
      case .exposed: write(inner)
      }
    }
  }

  private mutating func plain(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func string(_ text: String) { JSONString.write(text, into: &bytes) }

  private mutating func list(_ items: [Value]) {
    bytes.append(UInt8(ascii: "["))
    level += 1
    for (position, item) in items.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      startLine()
      write(item)
    }
    level -= 1
    if !items.isEmpty { startLine() }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func object(_ map: ValueMap) {
    bytes.append(UInt8(ascii: "{"))
    level += 1
    for (position, entry) in map.entries.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      startLine()
      string(entry.key.text)
      bytes.append(UInt8(ascii: ":"))
      if indent != nil { bytes.append(UInt8(ascii: " ")) }
      write(entry.value)
    }
    level -= 1
    if !map.isEmpty { startLine() }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func startLine() {
    guard let indent else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * indent))
  }
}

/// RFC 4648 §4, with padding.
private func base64(_ data: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((data.count + 2) / 3 * 4)
  for start in stride(from: 0, to: data.count, by: 3) {
    let group = data[start..<min(start + 3, data.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for index in 0...3 {
      text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 0x3F] : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}
