package import Diagnostics
package import FlowSyntax
package import SourceText
internal import YAMLTree

/// The project's own flow language (version 1): its files to syntax.
///
/// Every reader returns what the author wrote and everything that is wrong with its form, sorted by place. The
/// document is nil where the YAML itself is wrong or holds no map: nothing else is reported then. Otherwise it holds
/// all that could be read, so that the checks that follow can go on beside the errors found here.
package enum NativeFrontEnd {
  /// A `*.flow.yaml`; the ids of steps that could not be read are in `unreadableSteps`.
  package static func flow(from file: SourceFile) -> (flow: FlowDocument?, diagnostics: [Diagnostic]) {
    read(file) { $0.flow($1) }
  }

  /// A `*.scenarios.yaml`; nil too where it does not say which flow it is about.
  package static func scenarios(from file: SourceFile) -> (scenarios: ScenariosDocument?, diagnostics: [Diagnostic]) {
    read(file) { $0.scenarios($1) }
  }

  /// The cases of a table that a scenarios file names.
  ///
  /// A cell is text, as if it were quoted. The counts of `expect.requests` are numbers; the cells of
  /// `expect.outputs` and `sandbox.given` are bools and numbers where they read so in JSON; the cells of `inputs` are
  /// strings with `isQuoted == false`, to be read by the input's declared type. `tags` are parted by commas.
  ///
  /// - Parameter path: the scalar that names the table, in `file`; all spans of the cases are its. Findings stand in the
  ///   table itself where it has places: at the names of the columns for a wrong one, told once, else at the row.
  package static func scenarios(
    from table: ScenarioTable, named path: Located<String>, in file: SourceFile
  ) -> (scenarios: [(scenario: ScenarioSyntax, row: ScenarioTable.Row)], diagnostics: [Diagnostic]) {
    var reader = NativeReader(file)
    let scenarios = reader.scenarios(table, at: path.span)
    return (scenarios, reader.diagnostics)
  }

  /// A `baton.yaml`.
  package static func project(from file: SourceFile) -> (project: ProjectDocument?, diagnostics: [Diagnostic]) {
    read(file) { $0.project($1) }
  }

  /// A file of plain data, YAML or JSON: a schema, inputs. `${{ }}` means nothing there.
  package static func data(from file: SourceFile) -> (data: DataSyntax?, diagnostics: [Diagnostic]) {
    read(file) { $0.data($1) }
  }

  private static func read<Document>(
    _ file: SourceFile, _ body: (inout NativeReader, Node) -> Document?
  ) -> (Document?, [Diagnostic]) {
    let (root, found) = YAMLParse.document(file)
    guard let root, !found.hasErrors else { return (nil, found) }
    var reader = NativeReader(file)
    let document = body(&reader, root)
    return (document, (found + reader.diagnostics).sortedByPlace())
  }
}
