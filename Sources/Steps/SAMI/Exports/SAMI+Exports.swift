import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/create-export`
  package enum CreateExport: SAMIOperation {
    package static let about = About(
      "sami/create-export", "Asks for a file with many messages, which SAMI makes in its own time.", effect: .unsafe,
      needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"uids": ["u-12"], "start_date": 1731900000000, "end_date": 1732150800000}"#,
      outputs: """
        {"export_id": "*", "uids": "u-12", "start_date": 1731900000000, "end_date": 1732150800000, "order": "asc", "format": "json"}
        """, before: [.consent])

    package struct Input: Sendable {
      let uids: [String]?
      let sdids: [String]?
      let sdtids: [String]?
      let trialID: String?
      let startDate: Int
      let endDate: Int
      let order: Order?
      let format: ExportFormat?
      let csvHeaders: Bool?
      let url: String?
      let as_: SAMICaller
    }

    package struct Output: Sendable {
      let exportID: String
      let uids: String?
      let sdids: String?
      let sdtids: String?
      let trialID: String?
      let startDate: Int?
      let endDate: Int?
      let order: String?
      let format: String?
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      guard input.uids != nil || input.sdids != nil || input.trialID != nil else {
        throw .input("one of `uids`, `sdids`, `uids` with `sdtids`, and `trial_id` is needed")
      }
      try SAMIRequest.check(("uids", input.uids), ("sdids", input.sdids), ("sdtids", input.sdtids))
      var body = input.wire(without: ["as", "trial_id"])
      // Other calls write it `trialId`.
      body["trialID"] = input.trialID.map { .string($0) }
      return SAMIRequest(.post, "messages", "export", body: body, as: input.as_)
    }
  }

  /// How an export is written.
  package enum ExportFormat: String, Choice { case json, csv1 }

  /// The input of the steps on one export.
  package struct ExportReference: Sendable {
    let exportID: String
    let as_: SAMICaller
  }

  /// `sami/get-export-status`
  package enum GetExportStatus: SAMIOperation {
    package static let about = About("sami/get-export-status", "Tells how far an export is.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"export_id": "e-1"}"#,
      outputs: """
        {"export_id": "e-1", "status": "Success", "md5": "*", "expiration_date": "*", "file_size": "*", "total_messages": 1}
        """, given: ExportReference.given, before: [.consent])

    package typealias Input = ExportReference
    package typealias Output = ExportStatus

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "messages", "export", input.exportID, "status", as: input.as_)
    }
  }

  /// How far an export is.
  package struct ExportStatus: Sendable {
    let exportID: String
    let status: String
    let md5: String?
    let expirationDate: Int?
    let fileSize: Int?
    let totalMessages: Int?
    let request: Value?
  }

  /// `sami/list-exports`
  package enum ListExports: SAMIOperation {
    package static let about = About(
      "sami/list-exports", "Lists the exports that were asked for, page by page.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"count": 10}"#, outputs: #"{"exports": "*", "total": 1, "offset": 0, "count": 1}"#, given: ExportReference.given,
      before: [.consent])

    package struct Input: Sendable {
      let count: Int?
      let offset: Int?
      let trialID: String?
      let as_: SAMICaller
    }

    package struct Output: Sendable {
      let exports: [ExportStatus]
      let total: Int
      let offset: Int
      let count: Int
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "messages", "export", "history", query: input.wire(without: ["as"]), as: input.as_)
    }
  }
}

extension SAMI.ExportReference {
  /// One export of one message.
  static let given = """
    {"devices": [{"id": "d-31", "name": "Left pocket"}],
      "messages": [{"sdid": "d-31", "ts": 1732147800000, "data": {"numberOfSteps": 5120}}],
      "exports": [{"id": "e-1", "start_date": 1731900000000, "end_date": 1732150800000}]}
    """
}

extension SAMI.CreateExport.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    uids = field("uids", "Of whom, 30 at most.")
    sdids = field("sdids", "Of which devices, 30 at most.")
    sdtids = field("sdtids", "Of which types of devices, beside `uids`, 30 at most.")
    trialID = field("trial_id", "Of which trial.")
    startDate = field("start_date", "The oldest time, in milliseconds since 1970.")
    endDate = field("end_date", "The newest time, likewise, 31 days later at most.")
    order = field("order", "By time; oldest first at SAMI unless stated.")
    format = field("format", "JSON or simple CSV; JSON at SAMI unless stated.")
    csvHeaders = field("csv_headers", "Whether CSV has a line of names; at SAMI it has unless stated.")
    url = field("url", "An address for the mail that says that it is ready.")
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.CreateExport.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    exportID = field("export_id", "The export's id.")
    uids = field("uids", "Of whom, with commas between them.")
    sdids = field("sdids", "Of which devices, likewise.")
    sdtids = field("sdtids", "Of which types of devices, likewise.")
    trialID = field("trial_id", "Of which trial.")
    startDate = field("start_date", "The oldest time.")
    endDate = field("end_date", "The newest time.")
    order = field("order", "The order by time.")
    format = field("format", "How it is written.")
  }
}

extension SAMI.ExportReference: DescribedRecord {
  package init(_ field: inout Fields) {
    exportID = field("export_id", "The export's id.", minLength: 1)
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.ExportStatus: DescribedRecord {
  package init(_ field: inout Fields) {
    exportID = field("export_id", "The export's id.")
    status = field("status", "`Received`, `InProgress`, `Success`, `Failure`, `Served` or `Expired`.")
    md5 = field("md5", "The MD5 of the file.")
    expirationDate = field("expiration_date", "Until when it can be fetched, in milliseconds since 1970.")
    fileSize = field("file_size", "The file's size in bytes.")
    totalMessages = field("total_messages", "How many messages are in it.")
    request = field("request", "What was asked for, in lists of exports.")
  }
}

extension SAMI.ListExports.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    count = field("count", Page.aboutCount, minimum: 1, maximum: 100)
    offset = field("offset", Page.aboutOffset, minimum: 0)
    trialID = field("trial_id", "Those of one trial.")
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.ListExports.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    exports = field("exports", "The exports of this page.")
    total = field("total", Page.aboutTotal)
    offset = field("offset", Page.aboutStart)
    count = field("count", Page.aboutSize)
  }
}
