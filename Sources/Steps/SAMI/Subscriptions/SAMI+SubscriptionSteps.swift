import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/create-subscription`
  package enum CreateSubscription: SAMIOperation {
    package static let about = About(
      "sami/create-subscription", "Asks to be told of a user's messages or actions at a URL.", effect: .unsafe, needs: SAMICaller.needs)
    package static let example = Example(
      with: """
        {"message_type": "message", "uid": "u-12", "description": "all devices", "callback_url": "https://hooks.example.test/sami?u=12"}
        """,
      outputs: """
        {"id": "*", "aid": "app-1", "message_type": "message", "uid": "u-12", "description": "all devices",
          "callback_url": "https://hooks.example.test/sami?u=12", "status": "PENDING_CALLBACK_VALIDATION", "created_on": "*",
          "modified_on": "*"}
        """)

    package struct Input: Sendable {
      let messageType: MessageType
      let uid: String
      let sdtid: String?
      let sdid: String?
      let ddid: String?
      let description: String?
      let callbackURL: String
      let as_: SAMICaller
    }

    package typealias Output = Subscription

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      if input.messageType == .action, input.ddid == nil { throw .input("`message_type: action` needs `ddid`") }
      if input.sdid != nil, input.sdtid != nil { throw .input("`sdid` and `sdtid` do not go together") }
      return SAMIRequest(.post, "subscriptions", body: input.wire(without: ["as"]), as: input.as_)
    }
  }

  /// `sami/list-subscriptions`
  package enum ListSubscriptions: SAMIOperation {
    package static let about = About(
      "sami/list-subscriptions", "Lists the application's subscriptions, page by page.", effect: .read, token: .client,
      needs: ["accounts_url", "client_secret"])
    package static let example = Example(
      with: #"{"uid": "u-12"}"#, outputs: #"{"subscriptions": "*", "total": 1, "offset": 0, "count": 1}"#,
      given: SubscriptionReference.given)

    package struct Input: Sendable {
      let uid: String?
      let count: Int?
      let offset: Int?
    }

    package struct Output: Sendable {
      let subscriptions: [Subscription]
      let total: Int
      let offset: Int
      let count: Int
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "subscriptions", query: input.wire(), as: .app, list: "subscriptions")
    }
  }

  /// `sami/get-subscription`
  package enum GetSubscription: SAMIOperation {
    package static let about = About("sami/get-subscription", "Reads one subscription.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"id": "s-1"}"#, outputs: SubscriptionReference.outputs, given: SubscriptionReference.given)

    package typealias Input = SubscriptionReference
    package typealias Output = Subscription

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "subscriptions", input.id, as: input.as_)
    }
  }

  /// `sami/delete-subscription`
  package enum DeleteSubscription: SAMIOperation {
    package static let about = About(
      "sami/delete-subscription", "Deletes a subscription, and gives it back once more.", effect: .idempotent, needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"id": "s-1"}"#, outputs: SubscriptionReference.outputs, given: SubscriptionReference.given)

    package typealias Input = SubscriptionReference
    package typealias Output = Subscription

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.delete, "subscriptions", input.id, as: input.as_)
    }
  }

  /// `sami/validate-subscription`
  package enum ValidateSubscription: SAMIOperation {
    package static let about = About(
      "sami/validate-subscription", "Confirms a subscription with the nonce that SAMI has sent to its URL.", effect: .idempotent)
    package static let example = Example(
      with: #"{"id": "s-1", "aid": "app-1", "nonce": "n-44"}"#, outputs: SubscriptionReference.outputs,
      given: #"{"subscriptions": [{"id": "s-1", "nonce": "n-44"}]}"#)

    package struct Input: Sendable {
      let id: String
      let aid: String
      let nonce: Secret<String>
    }

    package typealias Output = Subscription

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.post, "subscriptions", input.id, "validate", body: input.wire(without: ["id"]), as: nil)
    }
  }

  /// `sami/get-notification-messages`
  package enum GetNotificationMessages: SAMIOperation {
    package static let about = About(
      "sami/get-notification-messages", "Reads the messages that SAMI has told of at a subscription's URL.", effect: .read,
      needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"id": "n-1", "count": 100}"#, outputs: #"{"order": "asc", "total": 1, "offset": 0, "count": 1, "messages": "*"}"#,
      given: """
        {"subscriptions": [{"id": "s-1"}], "devices": [{"id": "d-31", "name": "Left pocket"}],
          "messages": [{"sdid": "d-31", "ts": 1732147800000, "data": {"numberOfSteps": 5120}}]}
        """)

    package struct Input: Sendable {
      let id: String
      let order: Order?
      let offset: Int?
      let count: Int?
      let as_: SAMICaller
    }

    package struct Output: Sendable {
      let order: String?
      let total: Int
      let offset: Int
      let count: Int
      let messages: [NotifiedMessage]
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(
        .get, "notifications", input.id, "messages", query: input.wire(without: ["id", "as"]), as: input.as_, list: "messages")
    }
  }

  /// A message or an action of a notification: an action has a destination, and no source.
  package struct NotifiedMessage: Sendable {
    let mid: String
    let sdid: String?
    let ddid: String?
    let sdtid: String?
    let uid: String?
    let mv: Int?
    let ts: Int?
    let cts: Int?
    let data: Value
  }
}

extension SAMI.CreateSubscription.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    messageType = field("message_type", "What to be told of.")
    uid = field("uid", "Whose devices.", minLength: 1)
    sdtid = field("sdtid", "Devices of this type alone.", minLength: 1)
    sdid = field("sdid", "This device alone.", minLength: 1)
    ddid = field("ddid", "The device whose actions, where `message_type` is `action`.", minLength: 1)
    description = field("description", "What people call it.", maxLength: 256)
    callbackURL = field("callback_url", "Where to be told, by https.", format: .uri)
    as_ = field("as", SAMICaller.about, default: .app)
  }
}

extension SAMI.ListSubscriptions.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    uid = field("uid", "Those about one user.", minLength: 1)
    count = field("count", Page.aboutCount, minimum: 1, maximum: 100)
    offset = field("offset", Page.aboutOffset, minimum: 0)
  }
}

extension SAMI.ListSubscriptions.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    subscriptions = field("subscriptions", "The subscriptions of this page.")
    total = field("total", Page.aboutTotal)
    offset = field("offset", Page.aboutStart)
    count = field("count", Page.aboutSize)
  }
}

extension SAMI.ValidateSubscription.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The subscription's id, which SAMI has sent as `subscriptionId`.", minLength: 1)
    aid = field("aid", "The application's id.", minLength: 1)
    nonce = field("nonce", "The text that SAMI has sent to the URL.", minLength: 1)
  }
}

extension SAMI.GetNotificationMessages.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The notification's id, as SAMI has sent it to the URL.", minLength: 1)
    order = field("order", "By time; oldest first at SAMI unless stated.")
    offset = field("offset", Page.aboutOffset, minimum: 0)
    count = field("count", Page.aboutCount, minimum: 1, maximum: 100)
    as_ = field("as", SAMICaller.about, default: .app)
  }
}

extension SAMI.GetNotificationMessages.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    order = field("order", "Their order.")
    total = field("total", Page.aboutTotal)
    offset = field("offset", Page.aboutStart)
    count = field("count", Page.aboutSize)
    messages = field("messages", "The messages of this page.")
  }
}

extension SAMI.NotifiedMessage: DescribedRecord {
  package init(_ field: inout Fields) {
    mid = field("mid", "Its id.")
    sdid = field("sdid", "The device that it came from.")
    ddid = field("ddid", "The device that it is for.")
    sdtid = field("sdtid", "The type of the device that it came from.")
    uid = field("uid", "Whose device it is.")
    mv = field("mv", "The version of the manifest that has read it.")
    ts = field("ts", "When it was measured, in milliseconds since 1970.")
    cts = field("cts", "When SAMI took it, likewise.")
    data = field("data", "Its normalised fields, or its actions.")
  }
}
