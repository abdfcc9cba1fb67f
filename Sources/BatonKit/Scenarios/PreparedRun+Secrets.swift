import FlowPlan
import Values

extension PreparedRun {
  /// The texts that are secret before the first request.
  var initialSecrets: [String] {
    let values = (secrets.mapValue ?? ValueMap()).map(\.value) + (inputs.mapValue ?? ValueMap()).map(\.value)
    return values.filter(\.containsSecret).compactMap { $0.fullyExposed.stringValue }
  }
}
