import StepKit

/// A phone number as RapidSOS's own clients normalise it.
package struct PhoneNumber: Hashable, Sendable {
  /// As a person wrote it.
  package let raw: String
  /// The digits, and the `*` and `●` of masked input, which the clients keep; `1` in front of exactly ten.
  package let normalised: String

  package init(_ raw: String) {
    self.raw = raw
    let kept = raw.unicodeScalars.filter { ("0"..."9").contains($0) || $0 == "*" || $0 == "\u{25CF}" }
    normalised = (kept.count == 10 ? "1" : "") + String(String.UnicodeScalarView(kept))
  }

  /// With `+` in front, whatever stands behind it.
  package var international: String { "+\(normalised)" }

  /// Whether it can be called back in an emergency: eleven digits.
  package var isCallable: Bool { normalised.utf8.count == 11 && normalised.allSatisfy(\.isNumber) }
}

/// How a number goes over the wire to the verification of phones: the clients send digits, the guide sends `+` as well.
enum PhoneNotation: String, Choice {
  case digits, plus

  func text(of phone: PhoneNumber) -> String {
    switch self {
    case .digits: phone.normalised
    case .plus: phone.international
    }
  }
}
