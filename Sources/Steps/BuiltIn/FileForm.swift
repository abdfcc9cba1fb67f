import StepKit
import Values

/// What a file is read as.
enum FileForm: String, Choice { case text, json, csv, bytes }

extension FileForm {
  /// The shape of what is read; of CSV the rows, by column.
  var shape: Shape {
    switch self {
    case .text: .string(TextRules())
    case .json, .bytes: .any
    case .csv: .list(.map(.any))
    }
  }

  /// - Throws: `decode` with the place at which the bytes are not of this form.
  func value(of bytes: [UInt8], path: String, columns: [String: String]) throws(StepFailure) -> Value {
    switch self {
    case .bytes: return .bytes(bytes)
    case .text:
      guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed(path, "it is not UTF-8; read it `as: bytes`") }
      return .string(text)
    case .json:
      do throws(JSONError) {
        return try JSON.parse(bytes)
      } catch {
        throw malformed(path, "\(error.message) at byte \(error.offset)")
      }
    case .csv:
      do throws(CSVError) {
        return .list(try CSVTable(bytes, types: columns).rows.map { .map($0.values) })
      } catch {
        throw malformed(path, error.description)
      }
    }
  }

  private func malformed(_ path: String, _ reason: String) -> StepFailure {
    ReadFileStep.malformed.local(detail: "`\(path)` is not \(rawValue == "text" ? "text" : rawValue.uppercased()): \(reason)")
  }
}
