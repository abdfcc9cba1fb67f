extension SecureNode {
  /// A vCard of a brand (RFC 6350; version 3.0: RFC 2426).
  struct VCard {
    enum Version { case version3, version4 }

    /// Whole lines, folded, each with CRLF at its end.
    let text: String

    init(_ version: Version, _ profile: ContactProfile) {
      let name = Self.escaped(profile.name)
      var lines = ["BEGIN:VCARD"]
      switch version {
      case .version4:
        lines += ["VERSION:4.0", "KIND:org", "FN:\(name)", "ORG:\(name)"]
        lines += profile.numbers.map { "TEL;VALUE=uri;TYPE=work:tel:\(Self.dialled($0))" }
        if let logo = profile.logoURL { lines.append("PHOTO:\(Self.line(logo))") }
      case .version3:
        // `N` has to be there; of an organisation it is the name alone.
        lines += ["VERSION:3.0", "FN:\(name)", "N:\(name);;;;", "ORG:\(name)"]
        lines += profile.numbers.map { "TEL;TYPE=WORK,VOICE:\(Self.dialled($0))" }
        if let logo = profile.logoURL { lines.append("PHOTO;VALUE=URI:\(Self.line(logo))") }
      }
      if !profile.reasons.isEmpty { lines.append("NOTE:\(profile.reasons.map(Self.escaped).joined(separator: "\\n"))") }
      if let id = profile.brandID { lines.append("\(version == .version4 ? "UID;VALUE=text" : "UID"):\(Self.escaped(id))") }
      lines.append("END:VCARD")
      text = lines.map { Self.folded($0) + "\r\n" }.joined()
    }

    /// A text value (RFC 6350 §3.4).
    static func escaped(_ text: String) -> String {
      var out = ""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\\", ",", ";": out += "\\\(scalar)"
        case "\n": out += "\\n"
        case "\r": break
        default: if scalar.value >= 0x20, scalar.value != 0x7F { out.unicodeScalars.append(scalar) }
        }
      }
      return out
    }

    /// A value that is no text, without what would end its line.
    private static func line(_ text: String) -> String {
      String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }

    /// Digits, and the plus before them.
    private static func dialled(_ number: String) -> String {
      (number.hasPrefix("+") ? "+" : "") + number.filter { $0.isASCII && $0.isNumber }
    }

    /// Lines of 75 octets at most, none of which cuts a character (RFC 6350 §3.2).
    static func folded(_ line: String) -> String {
      var (out, width) = ("", 0)
      for character in line {
        let size = String(character).utf8.count
        if width + size > 75 {
          out += "\r\n "
          width = 1
        }
        out.append(character)
        width += size
      }
      return out
    }
  }
}
