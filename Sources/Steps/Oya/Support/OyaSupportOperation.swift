package import StepKit

extension Oya {
  /// An operation of the support API.
  package protocol SupportOperation: Operation {}

  /// Which customer is meant.
  package struct CustomerReference: DescribedRecord {
    let customerID: String

    package init(_ field: inout Fields) {
      customerID = field("customer_id", customerIDProse)
    }

    /// `/support/WHAT/ID`
    func path(_ what: String) throws(StepFailure) -> String { try supportPath(what, customerID) }
  }

  static let customerIDProse = "The customer's id, as `oya/support-find-profile` has it."

  /// `/support/WHAT/ID`
  static func supportPath(_ what: String, _ customerID: String) throws(StepFailure) -> String {
    "/support/\(what)/\(try segment(customerID, "customer_id"))"
  }

  static let adminRefusals = [RefusalRule(401, is: adminTokenRefused)]

  /// Of the one customer that there is.
  static func supportExample(with: String = #"{"customer_id": "c-mei"}"#, outputs: String, members: String = "") -> Example {
    Example(with: with, outputs: outputs, given: exampleGiven(#""id": "c-mei"\#(members.isEmpty ? "" : ", \(members)")"#))
  }
}

extension Oya.SupportOperation {
  package static var host: Oya.Host { .support }
  package static var refusals: [RefusalRule] { Oya.adminRefusals + Oya.customerRefusals }
}
