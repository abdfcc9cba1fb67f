package import HTTPTypes
package import Values

/// A system's API in the terms of OpenAPI 3.1, written from the system's documentation and not from its handlers, so that a
/// tool which compares the two finds what a handler does wrong.
package struct APIDescription: Sendable {
  package var title: String
  package var version: String
  package var summary: String
  /// Security schemes by name, as OpenAPI writes them.
  package var security: [(name: String, scheme: Value)]
  /// JSON Schemas by name; operations refer to them with `.named`.
  package var schemas: [(name: String, schema: Value)]
  package var operations: [APIOperation]

  package init(
    title: String, version: String, summary: String, security: [(name: String, scheme: Value)],
    schemas: [(name: String, schema: Value)], operations: [APIOperation]
  ) {
    self.title = title
    self.version = version
    self.summary = summary
    self.security = security
    self.schemas = schemas
    self.operations = operations
  }
}

/// One operation: what it takes, and every status that it answers.
package struct APIOperation: Sendable {
  package var id: String
  package var method: HTTPRequest.Method
  /// As the route writes it, such as `/v1/rain/locations/{id}`.
  package var path: String
  package var summary: String
  /// The security scheme that it demands; nil is none.
  package var security: String?
  /// Further schemes, any one of which serves as well.
  package var alternatives: [String]
  package var parameters: [APIParameter]
  package var body: APIBody?
  package var answers: [APIAnswer]

  package init(
    _ id: String, _ method: HTTPRequest.Method, _ path: String, _ summary: String, security: String? = nil,
    alternatives: [String] = [], parameters: [APIParameter] = [], body: APIBody? = nil, answers: [APIAnswer]
  ) {
    self.id = id
    self.method = method
    self.path = path
    self.summary = summary
    self.security = security
    self.alternatives = alternatives
    self.parameters = parameters
    self.body = body
    self.answers = answers
  }
}

/// A value in the path, the query or a header.
package struct APIParameter: Sendable {
  package enum Place: String, Sendable { case path, query, header }

  package var name: String
  package var place: Place
  package var about: String
  package var schema: Value
  package var example: Value?
  package var isRequired: Bool

  package init(_ name: String, in place: Place, _ about: String, schema: Value, example: Value? = nil, isRequired: Bool = true) {
    self.name = name
    self.place = place
    self.about = about
    self.schema = schema
    self.example = example
    self.isRequired = isRequired
  }
}

/// What a request carries.
package struct APIBody: Sendable {
  package var mediaType: String
  /// Further media types that the same members may come in.
  package var alternatives: [String]
  package var schema: Value
  package var example: Value?
  /// By the name of a part, its media type: of `multipart/form-data` alone.
  package var partTypes: [(name: String, mediaType: String)]
  package var isRequired: Bool

  package init(
    _ mediaType: String = "application/json", alternatives: [String] = [], schema: Value, example: Value? = nil,
    partTypes: [(name: String, mediaType: String)] = [], isRequired: Bool = true
  ) {
    self.mediaType = mediaType
    self.alternatives = alternatives
    self.schema = schema
    self.example = example
    self.partTypes = partTypes
    self.isRequired = isRequired
  }
}

/// One answer.
package struct APIAnswer: Sendable {
  package var status: Int
  package var about: String
  /// Nil is an answer without a body.
  package var mediaType: String?
  package var schema: Value?
  package var example: Value?
  /// Operations that go on from it, as OpenAPI's links: name, operation, and what fills its parameters.
  package var links: [(name: String, operation: String, parameters: Value)]

  package init(
    _ status: Int, _ about: String, mediaType: String? = "application/json", schema: Value? = nil, example: Value? = nil,
    links: [(name: String, operation: String, parameters: Value)] = []
  ) {
    self.status = status
    self.about = about
    self.mediaType = mediaType
    self.schema = schema
    self.example = example
    self.links = links
  }
}

extension Value {
  /// A reference to a schema of the description's `schemas`.
  package static func named(_ schema: String) -> Value { ["$ref": .string("#/components/schemas/\(schema)")] }
}
