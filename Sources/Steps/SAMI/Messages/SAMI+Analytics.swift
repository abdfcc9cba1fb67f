import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// The length of the pieces that a time is cut into.
  package enum Interval: String, Choice { case minute, hour, day, month, year }

  /// `sami/get-presence`
  package enum GetPresence: SAMIOperation {
    package static let about = About(
      "sami/get-presence", "Tells in which pieces of a time there are messages.", effect: .read, token: .user)
    package static let example = Example(
      with: """
        {"sdid": "d-31", "field_presence": "numberOfSteps", "interval": "hour", "start_date": 1732104000000, "end_date": 1732150800000}
        """,
      outputs: """
        {"sdid": "d-31", "field_presence": "numberOfSteps", "interval": "HOUR", "start_date": 1732104000000, "end_date": 1732150800000,
          "size": 1, "data": [{"start_date": 1732147200000}]}
        """, given: StoredMessage.given, before: [.consent])

    package struct Input: Sendable {
      let sdid: String?
      let fieldPresence: String?
      let interval: Interval
      let startDate: Int
      let endDate: Int
    }

    package struct Output: Sendable {
      let sdid: String?
      let fieldPresence: String?
      let interval: String?
      let startDate: Int?
      let endDate: Int?
      let size: Int
      let data: [PresencePiece]
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "messages", "presence", query: input.wire())
    }
  }

  /// A piece of a time that has messages.
  package struct PresencePiece: Sendable { let startDate: Int }

  /// `sami/get-aggregates`
  package enum GetAggregates: SAMIOperation {
    package static let about = About("sami/get-aggregates", "Sums up one field of a device's messages.", effect: .read, token: .user)
    package static let example = Example(
      with: #"{"sdid": "d-31", "field": "numberOfSteps", "start_date": 1732104000000, "end_date": 1732150800000}"#,
      outputs: """
        {"sdid": "d-31", "start_date": "1732104000000", "end_date": "1732150800000", "field": "numberofsteps", "size": 1, "data": "*"}
        """, given: StoredMessage.given, before: [.consent])

    package struct Input: Sendable {
      let sdid: String
      let field: String
      let startDate: Int
      let endDate: Int
    }

    package typealias Output = Statistics

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "messages", "analytics", "aggregates", query: input.wire())
    }
  }

  /// `sami/get-histogram`
  package enum GetHistogram: SAMIOperation {
    package static let about = About(
      "sami/get-histogram", "Sums up one field of a device's messages, piece by piece.", effect: .read, token: .user)
    package static let example = Example(
      with: """
        {"sdid": "d-31", "field": "numberOfSteps", "interval": "day", "start_date": 1732060800000, "end_date": 1732150800000}
        """,
      outputs: """
        {"sdid": "d-31", "start_date": "1732060800000", "end_date": "1732150800000", "field": "numberofsteps", "interval": "day",
          "size": 1, "data": "*"}
        """, given: StoredMessage.given, before: [.consent])

    package struct Input: Sendable {
      let sdid: String
      let field: String
      let interval: Interval
      let startDate: Int
      let endDate: Int
    }

    package typealias Output = Statistics

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "messages", "analytics", "histogram", query: input.wire())
    }
  }

  /// The sums of one field; SAMI writes the dates as texts here.
  package struct Statistics: Sendable {
    let sdid: String?
    let startDate: NumberOrText?
    let endDate: NumberOrText?
    let field: String?
    let interval: String?
    let size: Int
    let data: [Statistic]
  }

  /// The sums of one piece of time.
  package struct Statistic: Sendable {
    let count: Int
    let min: Double?
    let max: Double?
    let mean: Double?
    let sum: Double?
    let variance: Double?
    let ts: Int?
  }
}

extension SAMI.GetPresence.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    sdid = field("sdid", "The device; all of the person's unless stated.", minLength: 1)
    fieldPresence = field("field_presence", "A field that the messages must have.", minLength: 1)
    interval = field("interval", "The pieces: minutes of an hour, hours of a day, days of 31, months of a year, or years of ten.")
    startDate = field("start_date", "The oldest time, in milliseconds since 1970.")
    endDate = field("end_date", "The newest time, likewise.")
  }
}

extension SAMI.GetPresence.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    sdid = field("sdid", "The device that was asked for.")
    fieldPresence = field("field_presence", "The field that was asked for.")
    interval = field("interval", "The pieces, in capitals.")
    startDate = field("start_date", "The oldest time that was asked for.")
    endDate = field("end_date", "The newest time that was asked for.")
    size = field("size", "How many pieces have messages.")
    data = field("data", "Those pieces.")
  }
}

extension SAMI.PresencePiece: DescribedRecord {
  package init(_ field: inout Fields) { startDate = field("start_date", "When it begins, in milliseconds since 1970.") }
}

extension SAMI.GetAggregates.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    sdid = field("sdid", "The device.", minLength: 1)
    self.field = field("field", "The field, which holds numbers.", minLength: 1)
    startDate = field("start_date", "The oldest time, in milliseconds since 1970; SAMI cuts it to the minute.")
    endDate = field("end_date", "The newest time, likewise, 31 days later at most; the last minute is not counted yet.")
  }
}

extension SAMI.GetHistogram.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    sdid = field("sdid", "The device.", minLength: 1)
    self.field = field("field", "The field, which holds numbers.", minLength: 1)
    interval = field("interval", "The pieces: minutes of an hour, hours of a day, days of 31, months or years of a year.")
    startDate = field("start_date", "The oldest time, in milliseconds since 1970.")
    endDate = field("end_date", "The newest time, likewise.")
  }
}

extension SAMI.Statistics: DescribedRecord {
  package init(_ field: inout Fields) {
    sdid = field("sdid", "The device that was asked for.")
    startDate = field("start_date", "The oldest time that was asked for; a text at SAMI.")
    endDate = field("end_date", "The newest time that was asked for; a text at SAMI.")
    self.field = field("field", "The field, in lower case.")
    interval = field("interval", "The pieces, where there are some.")
    size = field("size", "How many sums there are.")
    data = field("data", "The sums.")
  }
}

extension SAMI.Statistic: DescribedRecord {
  package init(_ field: inout Fields) {
    count = field("count", "How many messages have the field.")
    min = field("min", "The smallest value.")
    max = field("max", "The largest value.")
    mean = field("mean", "Their mean.")
    sum = field("sum", "Their sum.")
    variance = field("variance", "Their variance.")
    ts = field("ts", "When the piece begins, in milliseconds since 1970.")
  }
}
