package import StepKit

extension SAMI {
  /// A wish to be told of messages or actions at a URL.
  package struct Subscription: Sendable {
    let id: String
    let aid: String?
    let messageType: String
    let uid: String?
    let sdid: String?
    let sdtid: String?
    let ddid: String?
    let description: String?
    let callbackURL: String?
    let status: String
    let createdOn: Int?
    let modifiedOn: Int?
  }

  /// What a subscription tells of.
  package enum MessageType: String, Choice { case message, action }

  /// The input of the steps on one subscription.
  package struct SubscriptionReference: Sendable {
    let id: String
    let as_: SAMICaller
  }
}

extension SAMI.SubscriptionReference {
  /// One that is confirmed already.
  static let given = #"{"subscriptions": [{"id": "s-1"}]}"#
  static let outputs = """
    {"id": "s-1", "aid": "app-1", "message_type": "message", "uid": "u-12", "callback_url": "*", "status": "ACTIVE", "created_on": "*",
      "modified_on": "*"}
    """
}

extension SAMI.SubscriptionReference: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The subscription's id.", minLength: 1)
    as_ = field("as", SAMICaller.about, default: .app)
  }
}

extension SAMI.Subscription: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id.")
    aid = field("aid", "The application that it belongs to.")
    messageType = field("message_type", "`message` or `action`.")
    uid = field("uid", "Whose devices it is about.")
    sdid = field("sdid", "The one device that it is about.")
    sdtid = field("sdtid", "The type of devices that it is about.")
    ddid = field("ddid", "The device whose actions it is about.")
    description = field("description", "What people call it.")
    callbackURL = field("callback_url", "Where SAMI tells of messages.")
    status = field("status", "`PENDING_CALLBACK_VALIDATION` until it is confirmed, then `ACTIVE`.")
    createdOn = field("created_on", "When it was made, in milliseconds since 1970.")
    modifiedOn = field("modified_on", "When it was last changed, likewise.")
  }
}
