import Diagnostics
import SourceText
import Values
import YAMLTree

/// A YAML or JSON file that people hand in beside a flow: inputs, secrets, answers.
enum YAMLValues {
  /// The members of the file's map.
  /// - Throws: why it cannot be read, as findings.
  static func map(of path: String) throws(Findings) -> ValueMap {
    let file: SourceFile
    do throws(FileFailure) {
      file = SourceFile(path: path, bytes: try FileAccess.read(path))
    } catch {
      throw Findings([Diagnostic(.missingFile, error.message, at: nil)])
    }
    let (root, diagnostics) = YAMLParse.document(file)
    guard let root, !diagnostics.hasErrors else { throw Findings(diagnostics) }
    guard case .map(let map) = root.value else {
      throw Findings([Diagnostic(.typeMismatch, "the file must hold a map of names and values", at: Place(file, root.span))])
    }
    return map
  }
}

/// Findings that stop a command before it begins.
struct Findings: Error {
  let diagnostics: [Diagnostic]

  init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

extension Node {
  /// The data of a node.
  var value: Value {
    switch content {
    case .scalar(let scalar): return scalar.value
    case .sequence(let items): return .list(items.map(\.value))
    case .mapping(let entries):
      var map = ValueMap()
      for entry in entries { map[entry.key.value] = entry.value.value }
      return .map(map)
    }
  }
}

extension Scalar {
  var value: Value {
    switch meaning {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): .double(number)
    case .string: .string(text.text)
    }
  }
}
