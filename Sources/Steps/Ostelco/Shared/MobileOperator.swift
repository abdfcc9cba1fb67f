package import StepKit
package import Values

/// One generation of the operator's API, as data: what its steps are called, and where it differs from the other one.
///
/// Both generations have bundles, products, purchases, payment sources, referrals, push tokens, GraphQL and the callback
/// of the identity check. Those are written once, in `MobileShop`, and taken over by a line such as
/// `AnyStep(MobileShop.GetBundles<Ostelco>.self)`. A system plugs in by conforming its namespace:
///
/// 1. `name` is the system's own; it begins the names of steps and of errors.
/// 2. The `…Refusals` say which answer is which error of a flow; the errors that a step declares follow from them.
/// 3. `exampleGiven` and `exampleSignIn` put a signed-in customer into the sandbox for the examples.
package protocol MobileOperator: Sendable {
  /// `ostelco`, `oya`.
  static var name: String { get }
  /// Where push tokens go; the generations differ in a letter.
  static var pushTokenPath: String { get }
  /// Answers of what reads or needs a customer, and nothing more: that there is none.
  static var customerRefusals: [RefusalRule] { get }
  static var purchaseRefusals: [RefusalRule] { get }
  /// Of adding and choosing a payment source, and of removing one.
  static var sourceRefusals: [RefusalRule] { get }
  static var pushRefusals: [RefusalRule] { get }
  static var callbackRefusals: [RefusalRule] { get }

  /// Where the vendor of identity checks calls back: a path below `base_url`, or a URL of another host.
  /// - Throws: `config.url` where the connection lacks that host.
  static func callbackTarget(_ settings: ValueMap) throws(StepFailure) -> String
  /// The key of that call; nil where the connection has none.
  /// - Throws: `config.token` where the call cannot do without one.
  static func callbackKey(_ settings: ValueMap) throws(StepFailure) -> String?
  /// The settings that the call cannot do without.
  static var callbackNeeds: [NeededSetting] { get }

  /// What a sandbox has before an example: one customer, with these members of theirs in JSON, such as `"sources": []`.
  static func exampleGiven(_ members: String) -> String
  /// Signs that customer in.
  static var exampleSignIn: Example.Preparation { get }
}

/// The steps that both generations of the operator have, each generic over `MobileOperator`.
package enum MobileShop {}

extension MobileOperator {
  /// An example of a signed-in customer.
  static func example(with: String, outputs: String, members: String = "", before: [Example.Preparation] = []) -> Example {
    Example(with: with, outputs: outputs, given: exampleGiven(members), before: [exampleSignIn] + before)
  }

  package static func callbackTarget(_ settings: ValueMap) -> String { "/ekyc/callback" }
  package static var callbackNeeds: [NeededSetting] { [] }

  package static func callbackKey(_ settings: ValueMap) -> String? {
    settings["callback_key"]?.exposed.stringValue.flatMap { $0.isEmpty ? nil : $0 }
  }
}
