/// `Mailbox` of RFC 5321 §4.1.2: a local part (also quoted) and a domain or an address in brackets.
func isEmail(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
  let local = Array(bytes[..<at])
  let domain = String(decoding: bytes[(at + 1)...], as: UTF8.self)
  return isLocalPart(local) && isMailDomain(domain)
}

private func isLocalPart(_ bytes: [UInt8]) -> Bool {
  guard let first = bytes.first else { return false }
  if first == UInt8(ascii: "\"") { return isQuotedLocalPart(bytes) }
  let symbols = Set("!#$%&'*+-/=?^_`{|}~".utf8)
  return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
    !atom.isEmpty && atom.allSatisfy { isLetter($0) || isDigit($0) || symbols.contains($0) }
  }
}

private func isQuotedLocalPart(_ bytes: [UInt8]) -> Bool {
  guard bytes.count >= 2, bytes.last == UInt8(ascii: "\"") else { return false }
  var isEscaped = false
  for byte in bytes.dropFirst().dropLast() {
    guard 0x20...0x7E ~= byte else { return false }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      return false
    }
  }
  return !isEscaped
}

private func isMailDomain(_ domain: String) -> Bool {
  guard domain.hasPrefix("["), domain.hasSuffix("]") else { return isHostname(domain) }
  let address = String(domain.dropFirst().dropLast())
  return address.hasPrefix("IPv6:") ? isIPv6(String(address.dropFirst(5))) : isIPv4(address)
}

/// An absolute URI of RFC 3986, fragment allowed.
func isURI(_ text: String) -> Bool {
  let uri = URIReference(text)
  guard uri.scheme != nil else { return false }
  if let authority = uri.authority, !isAuthority(authority) { return false }
  let pathBytes = allowed("!$&'()*+,;=:@-._~/")
  let queryBytes = allowed("!$&'()*+,;=:@-._~/?")
  return isEscaped(uri.path, pathBytes) && isEscaped(uri.query ?? "", queryBytes) && isEscaped(uri.fragment ?? "", queryBytes)
}

private func isAuthority(_ authority: String) -> Bool {
  var rest = Substring(authority)
  if let at = rest.lastIndex(of: "@") {
    guard isEscaped(String(rest[..<at]), allowed("!$&'()*+,;=:-._~")) else { return false }
    rest = rest[rest.index(after: at)...]
  }
  if rest.hasPrefix("[") {
    guard let end = rest.firstIndex(of: "]"), isIPv6(String(rest[rest.index(after: rest.startIndex)..<end])) else { return false }
    let port = rest[rest.index(after: end)...]
    return port.isEmpty || (port.hasPrefix(":") && port.utf8.dropFirst().allSatisfy(isDigit))
  }
  if let colon = rest.lastIndex(of: ":") {
    guard rest[rest.index(after: colon)...].utf8.allSatisfy(isDigit) else { return false }
    rest = rest[..<colon]
  }
  return isEscaped(String(rest), allowed("!$&'()*+,;=-._~"))
}

private func allowed(_ symbols: String) -> Set<UInt8> { Set(symbols.utf8) }

/// Whether each byte is a letter, a digit, one of the symbols, or part of a percent escape.
private func isEscaped(_ text: String, _ symbols: Set<UInt8>) -> Bool {
  let bytes = Array(text.utf8)
  var index = 0
  while index < bytes.count {
    let byte = bytes[index]
    if byte == UInt8(ascii: "%") {
      guard index + 2 < bytes.count, hexValue(bytes[index + 1]) != nil, hexValue(bytes[index + 2]) != nil else { return false }
      index += 3
    } else {
      guard isLetter(byte) || isDigit(byte) || symbols.contains(byte) else { return false }
      index += 1
    }
  }
  return true
}
