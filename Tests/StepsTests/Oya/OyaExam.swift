import StepKit
import Steps

/// What the exam of all steps needs to know of Oya.
enum OyaExam {
  /// The settings of a connection beside its URLs.
  static let settings = "{}"
  /// Records inside of inputs, outputs and settings; inputs and outputs themselves are found in the catalogue.
  static let records: [any DescribedRecord.Type] = [Oya.Settings.self]
}
