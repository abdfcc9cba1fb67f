package import HTTPTypes
package import StepKit
import Values

/// A tag as a step sends it, which is how adding and changing one differ.
package protocol AferoSentTag: DescribedRecord {
  static var verb: String { get }
  static var method: HTTPRequest.Method { get }
  static var effect: Effect { get }
  static var exampleMembers: String { get }
  var accountID: String { get }
  var deviceID: String { get }
}

extension Afero {
  /// Whose a tag is.
  package enum TagType: String, Choice {
    case account = "ACCOUNT"
    case system = "SYSTEM"
  }

  /// `afero/add-tag`, `afero/update-tag`
  package enum SaveTag<Tag: AferoSentTag>: AferoOperation {
    package static var about: About {
      About("afero/\(Tag.verb)-tag", Tag.verb == "add" ? "Puts a tag on a device." : "Changes a tag.", effect: Tag.effect, token: .user)
    }
    package static var example: Example {
      .afero(
        #"{"account_id": "acc-1", "device_id": "dev-3", \#(Tag.exampleMembers)}"#,
        #"{"device_tag_id": "tag-1", "key": "room", "value": "hall", "device_tag_type": "ACCOUNT"}"#, user: TagExample.user(Tag.verb))
    }

    package typealias Input = Tag
    package typealias Output = DeviceTag

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        Tag.method, try path("accounts", input.accountID, "devices", input.deviceID, "deviceTag"),
        body: body(input, without: ["account_id", "device_id"]))
    }
  }

  /// What is sent to add a tag.
  package struct AddedTag: AferoSentTag {
    package static let verb = "add"
    package static let method = HTTPRequest.Method.post
    package static let effect = Effect.unsafe
    package static let exampleMembers = #""key": "room", "value": "hall""#

    package let accountID: String
    package let deviceID: String
    let key: String?
    let value_: String
    let deviceTagType: TagType
    let localizationKey: String?

    package init(_ field: inout Fields) {
      accountID = field("account_id", Prose.account)
      deviceID = field("device_id", Prose.device)
      key = field("key", "What it says something about, such as `room`.")
      value_ = field("value", "What it says.")
      deviceTagType = field("device_tag_type", "Whose it is.", default: .account)
      localizationKey = field("localization_key", "The name of its translation.")
    }
  }

  /// What is sent to change a tag.
  package struct UpdatedTag: AferoSentTag {
    package static let verb = "update"
    package static let method = HTTPRequest.Method.put
    package static let effect = Effect.idempotent
    package static let exampleMembers = #""device_tag_id": "tag-1", "key": "room", "value": "hall""#

    package let accountID: String
    package let deviceID: String
    let deviceTagID: String
    let key: String?
    let value_: String
    let deviceTagType: TagType
    let localizationKey: String?

    package init(_ field: inout Fields) {
      accountID = field("account_id", Prose.account)
      deviceID = field("device_id", Prose.device)
      deviceTagID = field("device_tag_id", "The tag.")
      key = field("key", "What it says something about, such as `room`.")
      value_ = field("value", "What it says from now on.")
      deviceTagType = field("device_tag_type", "Whose it is.", default: .account)
      localizationKey = field("localization_key", "The name of its translation.")
    }
  }

  private enum TagExample {
    static func user(_ verb: String) -> String {
      let tags = verb == "add" ? "" : #", "tags": [{"key": "room", "value": "attic"}]"#
      return #", "devices": [{"device_id": "dev-3"\#(tags)}]"#
    }
  }

  /// `afero/delete-tag`
  package enum DeleteTag: AferoOperation {
    package static let about = About("afero/delete-tag", "Takes a tag from a device.", effect: .idempotent, token: .user)
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "device_id": "dev-3", "device_tag_id": "tag-1"}"#, user: TagExample.user("delete"))

    package struct Input: DescribedRecord {
      let accountID: String
      let deviceID: String
      let deviceTagID: String

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        deviceID = field("device_id", Prose.device)
        deviceTagID = field("device_tag_id", "The tag.")
      }
    }

    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.delete, try path("accounts", input.accountID, "devices", input.deviceID, "deviceTag", input.deviceTagID))
    }
  }
}
