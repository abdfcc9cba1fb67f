import StepKit
import Steps

/// What the exams of all steps need to know of each system.
enum ExamSettings {
  /// The settings of a connection beside its URLs, in JSON.
  static func of(_ system: String) -> String { bySystem[system] ?? "{}" }

  private static let bySystem = [
    "afero": AferoExam.settings, "ostelco": OstelcoExam.settings, "oya": OyaExam.settings,
    "rapidsos": #"{"client_id": "cid", "client_secret": "s3cr3t", "client_auth": "form"}"#, "sami": SAMIExam.settings,
    "securenode": SecureNodeExam.settings,
  ]

  /// Records inside of inputs, outputs and settings.
  static let records: [any DescribedRecord.Type] =
    AferoExam.records + OstelcoExam.records + OyaExam.records + SAMIExam.records + SecureNodeExam.records
}
