import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/get-messages`
  package enum GetMessages: SAMIOperation {
    package static let about = About(
      "sami/get-messages", "Finds messages by device and time, by a field, by a filter, or by id.", effect: .read)
    package static let errors = usual + [tokenRefused]
    package static let example = Example(
      with: #"{"sdid": "d-31", "start_date": 1732100000000, "end_date": 1732150900000}"#,
      outputs: """
        {"uid": "u-12", "sdid": "d-31", "start_date": 1732100000000, "end_date": 1732150900000, "count": 100, "order": "asc", "size": 1,
          "messages": "*"}
        """, given: StoredMessage.given, before: [.consent])

    package struct Input: Sendable {
      let sdid: String?
      let startDate: Int?
      let endDate: Int?
      let mid: String?
      let fieldPresence: String?
      let filter: String?
      let order: Order?
      let count: Int?
      let offset: String?
      let uid: String?
      let token: Secret<String>?
    }

    package struct Output: Sendable {
      let uid: String?
      let sdid: String?
      let startDate: Int?
      let endDate: Int?
      let count: Int?
      let order: String?
      let size: Int
      let next: String?
      let messages: [Message]
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      try check(input)
      return SAMIRequest(.get, "messages", query: input.wire(without: ["token"]), deviceToken: input.token, list: "messages")
    }

    /// SAMI looks messages up in four ways.
    private static func check(_ input: Input) throws(StepFailure) {
      if input.mid != nil { return }
      guard input.sdid != nil else { throw .input("`sdid` or `mid` is needed") }
      if input.fieldPresence != nil, input.filter == nil { return }
      guard input.startDate != nil, input.endDate != nil else {
        throw .input("`sdid` needs `start_date` and `end_date` beside it, or `field_presence`")
      }
    }
  }

  /// `sami/get-last-messages`
  package enum GetLastMessages: SAMIOperation {
    package static let about = About("sami/get-last-messages", "Reads the newest messages of devices, newest first.", effect: .read)
    package static let errors = usual + [tokenRefused]
    package static let example = Example(
      with: #"{"sdids": ["d-31"], "count": 1}"#, outputs: #"{"sdids": "d-31", "count": 1, "size": 1, "messages": "*"}"#,
      given: StoredMessage.given, before: [.consent])

    package struct Input: Sendable {
      let sdids: [String]
      let count: Int?
      let fieldPresence: String?
      let token: Secret<String>?
    }

    package struct Output: Sendable {
      let sdids: String?
      let count: Int?
      let size: Int
      let messages: [Message]
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      try SAMIRequest.check(("sdids", input.sdids))
      return SAMIRequest(.get, "messages", "last", query: input.wire(without: ["token"]), deviceToken: input.token, list: "messages")
    }
  }
}

/// A device with one message.
enum StoredMessage {
  static let given = """
    {"devices": [{"id": "d-31", "name": "a1b2c3d4e5f60718293a4b5c6d7e8f90"}],
      "messages": [{"sdid": "d-31", "ts": 1732147800000, "data": {"numberOfSteps": 5120, "distance": 3710.5}}]}
    """
}

extension SAMI.GetMessages.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    sdid = field("sdid", "The device that they came from.", minLength: 1)
    startDate = field("start_date", "The oldest time, in milliseconds since 1970.")
    endDate = field("end_date", "The newest time, likewise.")
    mid = field("mid", "The id of one message.", minLength: 1)
    fieldPresence = field("field_presence", "A field that they must have.", minLength: 1)
    filter = field("filter", "What a field must be, in lower case, such as `numberofsteps:>=80`.", minLength: 1)
    order = field("order", "By time; oldest first at SAMI unless stated.")
    count = field("count", Page.aboutCount, minimum: 1)
    offset = field("offset", "The `next` of the page before.", minLength: 1)
    uid = field("uid", "Whose they are; the person's who calls unless stated.", minLength: 1)
    token = field("token", DeviceReference.aboutToken)
  }
}

extension SAMI.GetMessages.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    uid = field("uid", "Whose they are.")
    sdid = field("sdid", "The device that was asked for.")
    startDate = field("start_date", "The oldest time that was asked for.")
    endDate = field("end_date", "The newest time that was asked for.")
    count = field("count", "How many were asked for.")
    order = field("order", "Their order.")
    size = field("size", "How many came.")
    next = field("next", "The `offset` of the next page, where there may be one.")
    messages = field("messages", "The messages.")
  }
}

extension SAMI.GetLastMessages.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    sdids = field("sdids", "The devices.")
    count = field("count", "How many come at most.", minimum: 1, maximum: 100)
    fieldPresence = field("field_presence", "A field that they must have.", minLength: 1)
    token = field("token", DeviceReference.aboutToken)
  }
}

extension SAMI.GetLastMessages.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    sdids = field("sdids", "The devices, with commas between them.")
    count = field("count", "How many were asked for.")
    size = field("size", "How many came.")
    messages = field("messages", "The messages, newest first.")
  }
}
