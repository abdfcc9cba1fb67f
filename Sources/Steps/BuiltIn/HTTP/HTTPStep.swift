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
    let basic: CredentialPair?
    let digest: CredentialPair?
    let json: Given
    let form: NamedMembers<Value>?
    let multipart: NamedMembers<Value>?
    let body: Value?
    let file: String?
    let follow: Value?
    let proxy: Secret<Value>?
    let httpVersion: HTTPVersion?
    let tls: TLSFiles?
    let compressed: Bool?
    let maxBody: Value?
    let connectTimeout: String?
  }

  /// None of its own: the answer is `response`, and `outputs:` names what is wanted of it.
  package struct Output: Sendable {}

  /// - Throws: `http.STATUS` for any answer that is not 2xx; the engine weighs it against `expect.status`.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    var call = try await input.call(files: ports.files)
    if ports.savesBody { call.openSpool = { () throws(StepFailure) in try ports.files.spool() } }
    let reply = try await ports.http.send(call)
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
    digest = field("digest", "A name and password for HTTP's Digest authentication; the request goes out once more after its 401.")
    json = field("json", "The body, as JSON.")
    form = field("form", "The body, as a form; a list repeats its name, null leaves it out.")
    multipart = field(
      "multipart", "The body, as a form of parts: texts, `{ file: PATH, filename, type }`, `{ value, type }`, or lists of these.")
    body = field("body", "The body as it stands: a text or bytes.")
    file = field("file", "The body, from a file of the project; its type is told by its name.")
    follow = field("follow", TransportProse.follow, constraint: TransportProse.followRule)
    proxy = field("proxy", TransportProse.proxy)
    httpVersion = field("http_version", TransportProse.httpVersion)
    tls = field("tls", TransportProse.tls)
    compressed = field("compressed", TransportProse.compressed)
    maxBody = field("max_body", TransportProse.maxBody, constraint: TransportProse.maxBodyRule)
    connectTimeout = field("connect_timeout", TransportProse.connectTimeout, constraint: TransportProse.connectTimeoutRule)
  }
}

extension HTTPStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {}
}
