import HTTPTypes
package import StepKit
import Values

extension Afero {
  /// A device in a group.
  package struct GroupMember: DescribedRecord {
    let deviceID: String
    let clientMetadata: NamedMembers<Value>

    package init(_ field: inout Fields) {
      deviceID = field("device_id", "The device.")
      clientMetadata = field("client_metadata", "What the app remembers of it.", default: NamedMembers())
    }
  }

  /// Devices that belong together.
  package struct Group: AferoKeptThing {
    let deviceGroupID: String
    let accountID: String?
    let label: String?
    let createdTimestamp: Int?
    let devices: [GroupMember]
    let clientMetadata: Value?

    package init(_ field: inout Fields) {
      deviceGroupID = field("device_group_id", "Its id.")
      accountID = field("account_id", "The account that keeps it.")
      label = field("label", "What people call it.")
      createdTimestamp = field("created_timestamp", "When it was made, in milliseconds since 1970.")
      devices = field("devices", "Its devices.", default: [])
      clientMetadata = field("client_metadata", "What the app remembers of it.")
    }

    package static let noun = "group"
    package static let plural = "deviceGroups"
    package static let exampleID = "grp-2"
    package static let exampleMembers = #""label": "Upstairs", "devices": [{"device_id": "dev-3"}]"#
    package static let exampleUser = #", "groups": [{"device_group_id": "grp-2", "label": "Downstairs"}]"#
    package static let exampleOutputs = """
      {"device_group_id": "*", "account_id": "acc-1", "label": "Upstairs", "created_timestamp": "*",
       "devices": [{"device_id": "dev-3", "client_metadata": {}}], "client_metadata": {}}
      """
  }

  /// What a new group is made of.
  package struct NewGroup: AferoKeptInput {
    package typealias Thing = Group
    package static let pathMembers: Set<String> = []

    package let accountID: String
    let label: String
    let devices: [GroupMember]
    let clientMetadata: NamedMembers<Value>

    package init(_ field: inout Fields) {
      accountID = field("account_id", Prose.account)
      label = field("label", "What people call it.")
      devices = field("devices", "Its devices.", default: [])
      clientMetadata = field("client_metadata", "What the app remembers of it.", default: NamedMembers())
    }
  }

  /// What a group is from now on.
  package struct ChangedGroup: AferoKeptReference {
    package typealias Thing = Group
    package static let pathMembers: Set<String> = []
    package static let idName = "device_group_id"

    package let accountID: String
    let deviceGroupID: String
    let label: String
    let devices: [GroupMember]
    let clientMetadata: NamedMembers<Value>

    package var id: String { deviceGroupID }

    package init(_ field: inout Fields) {
      accountID = field("account_id", Prose.account)
      deviceGroupID = field("device_group_id", GroupReference.about)
      label = field("label", "What people call it.")
      devices = field("devices", "Its devices.", default: [])
      clientMetadata = field("client_metadata", "What the app remembers of it.", default: NamedMembers())
    }
  }

  /// The input of what concerns a group.
  package struct GroupReference: AferoKeptReference {
    package typealias Thing = Group
    package static let pathMembers: Set<String> = ["account_id", "device_group_id"]
    package static let idName = "device_group_id"
    static let about = "The group, as `afero/list-groups` gives it."

    package let accountID: String
    let deviceGroupID: String

    package var id: String { deviceGroupID }

    package init(_ field: inout Fields) {
      accountID = field("account_id", Prose.account)
      deviceGroupID = field("device_group_id", Self.about)
    }
  }

  /// `afero/list-groups`
  package enum ListGroups: AferoOperation {
    package static let about = About("afero/list-groups", "Lists the groups of devices of an account.", effect: .read, token: .user)
    package static let example = Example.afero(#"{"account_id": "acc-1"}"#, #"{"groups": "*"}"#, user: Group.exampleUser)

    package typealias Input = AccountReference

    package struct Output: AferoBareAnswer {
      let groups: [Group]

      package init(_ field: inout Fields) { groups = field("groups", "The groups; an empty list where there are none.") }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, try path("accounts", input.accountID, Group.plural))
    }
  }

  /// `afero/get-group`
  package enum GetGroup: AferoOperation {
    package static let about = About("afero/get-group", "Reads one group of devices.", effect: .read, token: .user)
    package static let example = Example.afero(
      "{\(GroupReference.exampleReference)}",
      """
      {"device_group_id": "grp-2", "account_id": "acc-1", "label": "Downstairs", "created_timestamp": "*", "devices": [],
       "client_metadata": {}}
      """, user: Group.exampleUser)

    package typealias Input = GroupReference
    package typealias Output = Group

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, try path("accounts", input.accountID, Group.plural, input.deviceGroupID))
    }
  }
}
