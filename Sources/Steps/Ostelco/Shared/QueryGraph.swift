import HTTPTypes
package import StepKit
import Values

extension MobileShop {
  /// `ostelco/graphql`, `oya/graphql`
  ///
  /// The schema knows queries and no mutations, so that asking changes nothing.
  package enum QueryGraph<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About("\(Operator.name)/graphql", "Asks for several things of the customer at once.", effect: .read, token: .user)
    }
    package static var errors: [StepError] { Operator.customerRefusals.errors + [Operator.graphFailed] }
    package static var example: Example {
      Operator.example(with: #"{"query": "query { context { bundles { id balance } } }"}"#, outputs: #"{"data": "*"}"#)
    }

    package struct Input: DescribedRecord {
      let query: String
      let operationName: String?
      let variables: Value?

      package init(_ field: inout Fields) {
        query = field("query", "The query, in GraphQL.", minLength: 1)
        operationName = field("operation_name", "Which operation of it is meant, where it holds several.")
        variables = field("variables", "The values of its variables, by name.")
      }
    }

    package struct Output: DescribedRecord {
      let data: Value
      let errors: Value?

      package init(_ field: inout Fields) {
        data = field("data", "What was asked for, under the names of the query.")
        errors = field("errors", "What of it could not be had.")
      }
    }

    /// - Throws: where `data` is missing: the errors of the answer, or that there is no customer, as the app has it.
    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var body = ValueMap()
      body["query"] = .string(input.query)
      body["operationName"] = input.operationName.map { .string($0) }
      body["variables"] = input.variables
      let reply = try await ports.http.send(HTTPCall(.post, "/graphql", body: .json(.map(body))))
      guard reply.isSuccess else { throw Operator.failure(reply, Operator.customerRefusals) }
      if case .map = reply.body.exposed, reply.body["data"].map({ $0 == .null }) ?? true {
        let errors = reply.body["errors"] ?? .null
        let messages = (errors.listValue ?? []).compactMap { $0["message"]?.stringValue ?? $0.stringValue }
        if errors == .null || errors == [], let missing = Operator.customerRefusals.errors.first {
          throw missing.failure(reply, detail: "the answer has no data")
        }
        throw Operator.graphFailed.failure(reply, detail: messages.joined(separator: "; "))
      }
      return try Output.decode(reply)
    }
  }
}
