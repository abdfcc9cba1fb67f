import Values

/// The formats that the language names.
enum SchemaFormat: String, CaseIterable, Sendable {
  case phone, email, uri, uuid, date, time, hostname, ipv4, ipv6
  case dateTime = "date-time"

  /// Whether a text has the format; `region` is that of a phone number without `+`, the United States
  /// where none is named.
  func accepts(_ text: String, region: String? = nil) -> Bool {
    switch self {
    case .phone: e164(text, region: region ?? "US") != nil
    case .email: isEmail(text)
    case .uri: isURI(text)
    case .uuid: isUUID(text)
    case .date: isDate(text.utf8[...])
    case .time: isTime(text.utf8[...])
    case .dateTime: isDateTime(text)
    case .hostname: isHostname(text)
    case .ipv4: isIPv4(text)
    case .ipv6: isIPv6(text)
    }
  }

  /// What messages say it is, such as `a valid email address`.
  var phrase: String {
    switch self {
    case .phone: "a valid phone number"
    case .email: "a valid email address"
    case .uri: "a valid URI"
    case .uuid: "a valid UUID"
    case .date: "a valid date, such as `2026-01-31`"
    case .time: "a valid time, such as `23:59:00Z`"
    case .dateTime: "a valid date and time, such as `2026-01-31T23:59:00Z`"
    case .hostname: "a valid host name"
    case .ipv4: "a valid IPv4 address"
    case .ipv6: "a valid IPv6 address"
    }
  }
}

/// RFC 9562 §4.
private func isUUID(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  guard bytes.count == 36 else { return false }
  return bytes.enumerated().allSatisfy { index, byte in
    [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : hexValue(byte) != nil
  }
}
