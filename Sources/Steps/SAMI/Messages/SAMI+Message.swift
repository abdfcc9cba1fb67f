package import StepKit
import Values

extension SAMI {
  /// A message as SAMI keeps it.
  package struct Message: Sendable {
    let mid: String
    let sdid: String
    let sdtid: String?
    let uid: String?
    let mv: Int?
    let ts: Int
    let cts: Int?
    let data: Value
  }

  /// The order of messages by their time.
  package enum Order: String, Choice { case asc, desc }
}

extension SAMI.Message: DescribedRecord {
  package init(_ field: inout Fields) {
    mid = field("mid", "Its id.")
    sdid = field("sdid", "The device that it came from.")
    sdtid = field("sdtid", "The type of that device.")
    uid = field("uid", "Whose device it is.")
    mv = field("mv", "The version of the manifest that has read it.")
    ts = field("ts", "When it was measured, in milliseconds since 1970.")
    cts = field("cts", "When SAMI took it, likewise.")
    data = field("data", "Its normalised fields.")
  }
}
