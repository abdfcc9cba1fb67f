import StepKit
import Steps

/// What the exam of all steps needs to know of SAMI.
enum SAMIExam {
  /// The settings of a connection beside its URLs.
  static let settings = #"{"client_id": "app-1", "client_secret": "s3cr3t", "redirect_uri": "ios-app://redirect"}"#
  /// Records inside of inputs, outputs and settings; inputs and outputs themselves are found in the catalogue.
  static let records: [any DescribedRecord.Type] = [
    SAMI.Settings.self, SAMI.Device.self, SAMI.DeviceType.self, SAMI.ManifestField.self, SAMI.ManifestProperties.self, SAMI.Message.self,
    SAMI.DeviceAction.self, SAMI.PresencePiece.self, SAMI.Statistic.self, SAMI.ExportStatus.self, SAMI.NotifiedMessage.self,
    SAMI.Subscription.self, SAMI.Rule.self, RateLimit.self,
    SAMI.ChannelDevice.self, SAMI.ChannelMessage.self, SAMI.ChannelAck.self,
  ]
}
