import HTTPTypes
package import StepKit
import Values

/// One request over a connection, or to a whole URL: what `get: /path` and its like are short for.
package enum HTTPStep: StepHandler {
  package static let about = About("http", "Sends one HTTP request.", effect: .unsafe)
  package static let example = Example(with: #"{"method": "GET", "url": "/health"}"#, outputs: "{}")

  package struct Input: Sendable {
    let method: String
    let url: String
    let token: TokenClass?
    let path: NamedMembers<Value>
    let query: NamedMembers<Value>
    let headers: NamedMembers<Value>
    let bearer: Secret<String>?
    let basic: BasicPair?
    let json: Given
    let form: NamedMembers<Value>?
    let body: Secret<Value>?
    let follow: Bool
  }

  /// None of its own: the answer is `response`, and `outputs:` names what is wanted of it.
  package struct Output: Sendable {}

  /// - Throws: `http.STATUS` for any answer that is not 2xx; the engine weighs it against `expect.status`.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    let reply = try await ports.http.send(input.call())
    guard reply.isSuccess else { throw .http(reply) }
    return Output()
  }
}

extension HTTPStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    method = field("method", "The method; its case counts.", default: "GET")
    url = field("url", "A path below the connection's base URL, or a whole URL; `{name}` is filled from `path`.")
    token = field("token", "Which token of the connection it carries.")
    path = field("path", "Values for the names in braces of the URL, encoded as one segment each.", default: NamedMembers())
    query = field("query", "Parameters, encoded; a list repeats its name, null leaves it out.", default: NamedMembers())
    headers = field("headers", "Headers; a list repeats its name, null leaves it out.", default: NamedMembers())
    bearer = field("bearer", "A token for `Authorization: Bearer`.")
    basic = field("basic", "A name and password for `Authorization: Basic`.")
    json = field("json", "The body, as JSON.")
    form = field("form", "The body, as a form; a list repeats its name, null leaves it out.")
    body = field("body", "The body as it stands: a text or bytes.")
    follow = field("follow", "Whether redirects are followed, five at most; credentials stay at their origin.", default: false)
  }
}

extension HTTPStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {}
}
