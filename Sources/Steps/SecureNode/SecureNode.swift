package import StepKit

/// SecureNode: a directory of branded phone numbers, and reports of what was shown to whom.
package enum SecureNode {
  /// The system as the catalogue lists it: connection, steps. There are no tokens: a key goes with every request.
  package static let system = SystemDescription(
    name: "securenode", title: "SecureNode caller identity", settings: { Settings.recordShape }, tokens: nil,
    steps: [
      AnyStep(AckSync.self),
      AnyStep(CacheLogos.self),
      AnyStep(ClearLogos.self),
      AnyStep(ExportContacts.self),
      AnyStep(FlushEvents.self),
      AnyStep(GetLogo.self),
      AnyStep(Lookup.self),
      AnyStep(PlanReload.self),
      AnyStep(QueueEvent.self),
      AnyStep(ReadSnapshot.self),
      AnyStep(RecordCall<MissedCall>.self),
      AnyStep(RecordCall<ReturnedCall>.self),
      AnyStep(RecordCall<SeenCall>.self),
      AnyStep(RecordImprint.self),
      AnyStep(RegisterDevice.self),
      AnyStep(ReportEvent.self),
      AnyStep(SendLog.self),
      AnyStep(SendPresence.self),
      AnyStep(Sync.self),
      AnyStep(UpdateDevice.self),
      AnyStep(UploadDebug.self),
      AnyStep(WriteSnapshot.self),
    ],
    hosts: ["securenode.io", "*.securenode.io"],
    endpoint: { settings throws(StepFailure) in try Settings.endpoint(settings) })
}
