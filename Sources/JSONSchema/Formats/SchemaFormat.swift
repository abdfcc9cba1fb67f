/// The formats that the language names.
enum SchemaFormat: String, CaseIterable, Sendable {
  case phone, email, uri, uuid, date, time, hostname, ipv4, ipv6
  case dateTime = "date-time"

  /// Whether a text has the format; `region` is a country of phone numbers.
  func accepts(_ text: String, region: String? = nil) -> Bool {
    switch self {
    case .phone: isPhone(text, region: region)
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

/// Any notation. Without `+` a number of the United States: ten digits, or eleven from 1; with it, or in any other
/// region, `+` and 8 to 15 digits (E.164).
private func isPhone(_ text: String, region: String?) -> Bool {
  let bytes = Array(text.utf8)
  let isInternational = bytes.first == UInt8(ascii: "+")
  let rest = bytes.dropFirst(isInternational ? 1 : 0)
  let separators = Set(" -.()/".utf8)
  guard rest.allSatisfy({ isDigit($0) || separators.contains($0) }) else { return false }
  let digits = rest.filter(isDigit)
  let isAmerican = digits.count == 10 || (digits.count == 11 && digits.first == UInt8(ascii: "1"))
  if isInternational { return 8...15 ~= digits.count && digits.first != UInt8(ascii: "0") }
  return (region ?? "US") == "US" && isAmerican
}

/// RFC 9562 §4.
private func isUUID(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  guard bytes.count == 36 else { return false }
  return bytes.enumerated().allSatisfy { index, byte in
    [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : hexValue(byte) != nil
  }
}
