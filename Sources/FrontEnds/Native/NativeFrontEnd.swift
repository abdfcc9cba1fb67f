package import Diagnostics
package import FlowSyntax
package import SourceText
internal import YAMLTree

/// The project's own flow language (version 1): `*.flow.yaml` to syntax.
package enum NativeFrontEnd {
  /// What the author wrote, and everything that is wrong with its form, sorted by place.
  ///
  /// The flow is nil where the YAML itself is wrong or holds no map: nothing else is reported then. Otherwise it
  /// holds all that could be read, so that the checks that follow can go on beside the errors found here; the ids of
  /// steps that could not be read are in `unreadableSteps`.
  package static func flow(from file: SourceFile) -> (flow: FlowDocument?, diagnostics: [Diagnostic]) {
    let (root, found) = YAMLParse.document(file)
    guard let root, !found.hasErrors else { return (nil, found) }
    var reader = NativeReader(file)
    let flow = reader.flow(root)
    return (flow, (found + reader.diagnostics).sortedByPlace())
  }
}
