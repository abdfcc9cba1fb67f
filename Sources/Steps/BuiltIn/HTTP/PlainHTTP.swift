package import StepKit
import Values

/// `system: http`: any server, with credentials that do not expire, or with a token by OAuth.
package enum PlainHTTP {
  /// The system as the catalogue lists it.
  package static let system = SystemDescription(
    name: "http", title: "Plain HTTP", settings: { Settings.recordShape }, tokens: PlainTokenIssuer(), steps: [],
    hasSandbox: false,
    signsIn: { settings in
      switch PlainOAuth(in: settings)?.grant {
      case .password, .refreshToken: true
      case .clientCredentials, nil: false
      }
    },
    credentials: { PlainOAuth(in: $0)?.credentials },
    endpoint: { settings throws(StepFailure) in
      try PlainOAuth.check(settings)
      return try ConnectionEndpoint(settings: settings)
    })

  /// The settings of a connection beside the common ones; `ConnectionEndpoint` reads them.
  package struct Settings: Sendable {
    let baseURL: String?
    let headers: NamedMembers<Secret<Value>>
    let bearer: Secret<String>?
    let basic: CredentialPair?
    let digest: CredentialPair?
    let oauth: PlainOAuth?
    let cookies: Secret<Value>?
    let follow: Value?
    let httpVersion: HTTPVersion?
    let compressed: Bool?
  }
}

/// A name and a password for HTTP's own authentication.
struct CredentialPair: Sendable {
  let username: Secret<String>
  let password: Secret<String>
}

extension PlainHTTP.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    baseURL = field("base_url", "What paths stand below, such as `https://api.example.test/v1`.", format: .uri)
    headers = field("headers", "Headers of every request to the base URL's origin.", default: NamedMembers())
    bearer = field("bearer", "A token for `Authorization: Bearer`, to the base URL's origin alone.")
    basic = field("basic", "A name and password for `Authorization: Basic`, to the base URL's origin alone.")
    digest = field("digest", "A name and password for HTTP's Digest authentication, to the base URL's origin alone.")
    oauth = field("oauth", "How it gets a token for `Authorization: Bearer`, and a new one when that has expired.")
    cookies = field("cookies", "`true` keeps the cookies of the base URL's origin for the run; a map sends these, by name.")
    follow = field("follow", TransportProse.follow, constraint: TransportProse.followRule)
    httpVersion = field("http_version", TransportProse.httpVersion)
    compressed = field("compressed", TransportProse.compressed)
  }
}

extension CredentialPair: DescribedRecord {
  init(_ field: inout Fields) {
    username = field("username", "The name.")
    password = field("password", "The password.")
  }
}
