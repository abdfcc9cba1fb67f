package import StepKit
import Values

/// `system: http`: any server, with credentials that do not expire.
package enum PlainHTTP {
  /// The system as the catalogue lists it.
  package static let system = SystemDescription(
    name: "http", title: "Plain HTTP", settings: { Settings.recordShape }, tokens: nil, steps: [])

  struct Settings: Sendable {
    let baseURL: String?
    let headers: NamedMembers<Secret<Value>>
    let bearer: Secret<String>?
    let basic: BasicPair?
  }
}

/// A name and a password for HTTP's own authentication.
struct BasicPair: Sendable {
  let username: Secret<String>
  let password: Secret<String>
}

extension PlainHTTP.Settings: DescribedRecord {
  init(_ field: inout Fields) {
    baseURL = field("base_url", "What paths stand below, such as `https://api.example.test/v1`.", format: .uri)
    headers = field("headers", "Headers of every request to the base URL's origin.", default: NamedMembers())
    bearer = field("bearer", "A token for `Authorization: Bearer`, to the base URL's origin alone.")
    basic = field("basic", "A name and password for `Authorization: Basic`, to the base URL's origin alone.")
  }
}

extension BasicPair: DescribedRecord {
  init(_ field: inout Fields) {
    username = field("username", "The name.")
    password = field("password", "The password.")
  }
}
