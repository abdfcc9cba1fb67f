import HTTPTypes
package import StepKit
import Values

extension Afero {
  /// Something that has happened.
  package struct Activity: DescribedRecord {
    let historyID: String
    let createdTimestamp: Int
    let message: String
    let historyType: String
    let deviceID: String?
    let deviceFriendlyName: String?
    let attributeID: Int?
    let attributeValue: String?
    let icon: String?
    let deviceIcon: String?
    let controlIcon: String?

    package init(_ field: inout Fields) {
      historyID = field("history_id", "Its id.")
      createdTimestamp = field("created_timestamp", "When, in milliseconds since 1970.")
      message = field("message", "What has happened, for people.")
      historyType = field("history_type", "Its kind, such as `ATTRIBUTE` or `ASSOCIATE`.")
      deviceID = field("device_id", "The device that it happened to.")
      deviceFriendlyName = field("device_friendly_name", "What the device is called.")
      attributeID = field("attribute_id", "The attribute that has changed.")
      attributeValue = field("attribute_value", "Its value since then.")
      icon = field("icon", "A picture.")
      deviceIcon = field("device_icon", "A picture of the device.")
      controlIcon = field("control_icon", "A picture of the control.")
    }
  }

  /// `afero/list-activity`
  package enum ListActivity: AferoOperation {
    package static let about = About(
      "afero/list-activity", "Reads what has happened in an account or to one device, the newest first.", effect: .read, token: .user)
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "limit": 1}"#, #"{"activities": "*", "next_end_timestamp": "*", "has_more": true}"#,
      user: #", "devices": [{"device_id": "dev-3", "friendly_name": "Hall fan"}]"#)

    package struct Input: DescribedRecord {
      let accountID: String
      let deviceID: String?
      let endTimestamp: Int?
      let limit: Int
      let filter: String?

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        deviceID = field("device_id", "One device; without it all of the account.")
        endTimestamp = field("end_timestamp", "The newest moment, in milliseconds since 1970; now unless given.", minimum: 0)
        limit = field("limit", "How many at most.", default: 40, minimum: 1)
        filter = field("filter", "Only what this filter of Afero lets through.")
      }
    }

    package struct Output: DescribedRecord {
      let activities: [Activity]
      let nextEndTimestamp: Int?
      let hasMore: Bool

      package init(_ field: inout Fields) {
        activities = field("activities", "What has happened, the newest first.")
        nextEndTimestamp = field("next_end_timestamp", "The `end_timestamp` of the page behind this one; absent where there can be none.")
        hasMore = field("has_more", "Whether the page is full, so that there may be another behind it.")
      }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      let base = try path("accounts", input.accountID)
      let target = try input.deviceID.map { id throws(StepFailure) in try path("accounts", input.accountID, "devices", id) } ?? base
      var query = [(name: "limit", value: String(input.limit))]
      if let end = input.endTimestamp { query.insert((name: "endTimestamp", value: String(end)), at: 0) }
      if let filter = input.filter { query.append((name: "filter", value: filter)) }
      return HTTPCall(.get, "\(target)/activity", query: query)
    }

    private struct Page: AferoBareAnswer {
      let activities: [Activity]

      init(_ field: inout Fields) { activities = field("activities", "The page.") }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var input = input
      // The document's own default, so that the pages of one run hang together.
      if input.endTimestamp == nil { input = input.ending(at: ports.clock.now()) }
      let reply = try await send(try call(input, Settings(valid: ports.settings)), ports)
      guard reply.isSuccess else { throw failure(reply) }
      let page: Page = try answer(reply)
      return Output(page.activities, limit: input.limit)
    }
  }
}

extension Afero.ListActivity.Input {
  fileprivate func ending(at now: Timestamp) -> Self {
    var members = encoded
    members["end_timestamp"] = .int(now.seconds * 1000 + Int64(now.nanoseconds / 1_000_000))
    return Self(valid: members)
  }
}

extension Afero.ListActivity.Output {
  /// Pages go backwards: the next one ends just before the oldest of this one.
  fileprivate init(_ page: [Afero.Activity], limit: Int) {
    activities = page
    // Nothing is older than 1970, and no page ends before it.
    nextEndTimestamp = page.map(\.createdTimestamp).min().flatMap { $0 > 0 ? $0 - 1 : nil }
    hasMore = page.count >= limit && nextEndTimestamp != nil
  }
}
