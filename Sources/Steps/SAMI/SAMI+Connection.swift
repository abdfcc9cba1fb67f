import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// The settings of a connection.
  package struct Settings: Sendable {
    let clientID: Secret<String>
    let clientSecret: Secret<String>?
    let redirectURI: String?
    let baseURL: String?
    let accountsURL: String?

    /// The client as it proves itself at the token endpoint.
    /// - Throws: `auth.invalid_client` where the connection has no secret.
    func client() throws(StepFailure) -> OAuthClient {
      guard let secret = clientSecret?.exposed, !secret.isEmpty else {
        throw OAuthRefusal.invalidClient.local(detail: "the connection has no `client_secret`, which this token needs")
      }
      return OAuthClient(id: clientID.exposed, secret: secret, authentication: .basic)
    }

    /// Below the host of sign-in and tokens, which is another one than the API's.
    /// - Throws: `config.url` where the connection names none: it has no default.
    func accounts(_ path: String) throws(StepFailure) -> String {
      guard let url = accountsURL, !url.isEmpty else {
        throw StepFailure(
          "config.url", title: "the URL cannot be used", detail: "the connection has no `accounts_url`, which this step needs")
      }
      return (url.hasSuffix("/") ? String(url.dropLast()) : url) + path
    }

    /// - Throws: `schema.input` where neither the step nor the connection has one.
    func redirect(_ given: String?) throws(StepFailure) -> String {
      guard let uri = given ?? redirectURI, !uri.isEmpty else {
        throw .input("`redirect_uri` is needed, here or in the connection")
      }
      return uri
    }
  }
}

extension SAMI.Settings: DescribedRecord {
  package init(_ field: inout Fields) {
    clientID = field("client_id", "The application's id, which its `aid` is too.")
    clientSecret = field("client_secret", "The application's secret; an app with the implicit grant alone has none.")
    redirectURI = field("redirect_uri", "Where the browser is sent back to, exactly as it is registered.")
    baseURL = field("base_url", "The host of the API, such as `https://api.samsungsami.io`; the sandbox has its own.", format: .uri)
    accountsURL = field(
      "accounts_url", "The host of sign-in and tokens, such as `https://accounts.samsungsami.io`; the sandbox has its own.", format: .uri)
  }
}
