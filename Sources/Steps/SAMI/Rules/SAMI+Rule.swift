package import StepKit
import Values

extension SAMI {
  /// What is to be done when messages say so.
  package struct Rule: Sendable {
    let id: String
    let aid: String?
    let uid: String?
    let name: String
    let description: String?
    let rule: Value
    let enabled: Bool?
    let languageVersion: Int?
    let createdOn: Int?
    let modifiedOn: Int?
  }

  /// The input of the steps on one rule.
  package struct RuleReference: Sendable {
    let id: String
    let uid: String?
    let as_: SAMICaller
  }
}

extension SAMI.RuleReference {
  static let rule = """
    {"if": {"and": [{"sdid": "d-31", "field": "numberOfSteps", "operator": ">=", "operand": {"value": 10000}}]},
      "then": [{"ddid": "d-40", "action": "setOn", "parameters": {}}]}
    """
  /// Two devices of the person who signs in.
  static let devices = """
    "devices": [{"id": "d-31", "name": "Left pocket"}, {"id": "d-40", "dtid": "dt-9", "name": "Hall light"}]
    """
  /// They, and a rule.
  static let given = "{\(devices), \"rules\": [{\"id\": \"r-1\", \"name\": \"steps\", \"rule\": \(rule)}]}"
  static let outputs = """
    {"id": "r-1", "aid": "app-1", "uid": "u-12", "name": "steps", "rule": "*", "enabled": true, "language_version": 1,
      "created_on": "*", "modified_on": "*"}
    """
  static let aboutUID = "Whose rule, where the application's token is used."

  var query: ValueMap { wire(without: ["id", "as"]) }
}

extension SAMI.RuleReference: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The rule's id.", minLength: 1)
    uid = field("uid", SAMI.RuleReference.aboutUID, minLength: 1)
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.Rule: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id.")
    aid = field("aid", "The application that it belongs to.")
    uid = field("uid", "Whose it is.")
    name = field("name", "What it is called.")
    description = field("description", "What people say about it.")
    rule = field("rule", "What it says: `if` and `then`.")
    enabled = field("enabled", "Whether it is applied.")
    languageVersion = field("language_version", "The version of the language of rules.")
    createdOn = field("created_on", "When it was made, in milliseconds since 1970.")
    modifiedOn = field("modified_on", "When it was last changed, likewise.")
  }
}
