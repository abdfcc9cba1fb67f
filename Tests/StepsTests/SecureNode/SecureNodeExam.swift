import StepKit
@testable import Steps

/// What the exam of all steps needs to know of SecureNode.
enum SecureNodeExam {
  /// The settings of a connection beside its URLs.
  static let settings = #"{"api_key": "sn-live-key"}"#
  /// Records inside of inputs, outputs and settings; inputs and outputs themselves are found in the catalogue.
  static let records: [any DescribedRecord.Type] = [
    SecureNode.Settings.self, SecureNode.Item.self, SecureNode.WireItem.self, SecureNode.Config.self, SecureNode.DebugUI.self,
    SecureNode.QueuedEvent.self, SecureNode.CallMeta.self, SecureNode.Capabilities.self, SecureNode.SnapshotEntry.self,
    SecureNode.ContactProfile.self,
  ]
}
