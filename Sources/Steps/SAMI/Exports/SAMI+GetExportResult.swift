import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/get-export-result`
  package enum GetExportResult: StepHandler {
    package static let about = About(
      "sami/get-export-result", "Fetches the file of an export, a `.tgz`.", effect: .read, needs: SAMICaller.needs)
    package static let errors = usual
    package static let example = Example(
      with: #"{"export_id": "e-1"}"#,
      outputs: """
        {"total_messages": 1, "file_size": "*", "md5": "*", "content_type": "application/x-compressed", "file_name": "e-1.tgz"}
        """, given: ExportReference.given, before: [.consent])

    package struct Input: Sendable {
      let exportID: String
      let as_: SAMICaller
      let file: String?
    }

    package struct Output: Sendable {
      let totalMessages: Int?
      let fileSize: Int
      let md5: String
      let contentType: String?
      let fileName: String?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await send(
        SAMIRequest(.get, "messages", "export", input.exportID, "result", as: input.as_), ports)
      if let file = input.file { try await ports.files.write(reply.bytes, to: file) }
      return Output(reply)
    }
  }
}

extension SAMI.GetExportResult.Output {
  fileprivate init(_ reply: HTTPReply) {
    totalMessages = HTTPField.Name("x-sami-total-messages").flatMap { reply.headers[$0] }.flatMap { Int($0) }
    fileSize = reply.bytes.count
    md5 = HashDigest.md5(reply.bytes)
    contentType = reply.headers[.contentType]
    // attachment; filename="84efe4d9030e490c9788ede466965011.tgz"
    fileName = reply.headers[.contentDisposition]?.split(separator: "filename=").dropFirst().first.map { text in
      text.prefix { $0 != ";" }.filter { $0 != "\"" }
    }
  }
}

extension SAMI.GetExportResult.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    exportID = field("export_id", "The export's id.", minLength: 1)
    as_ = field("as", SAMICaller.about, default: .user)
    file = field("file", "The path in the project where it is kept; nowhere unless stated.", minLength: 1)
  }
}

extension SAMI.GetExportResult.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    totalMessages = field("total_messages", "How many messages are in it.")
    fileSize = field("file_size", "Its size in bytes.")
    md5 = field("md5", "Its MD5, to be compared with that of the export's status.")
    contentType = field("content_type", "Its media type.")
    fileName = field("file_name", "The name that SAMI gives it.")
  }
}
