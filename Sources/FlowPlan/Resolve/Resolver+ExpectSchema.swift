import Diagnostics
import FlowSyntax
import JSONSchema
import SourceText
import Values

/// `expect.schema`: what the body must be, and so what expressions know of it.
extension Resolver {
  /// Compiles the schema before what reads the answer is resolved.
  mutating func resolveExpectedSchema(_ data: DataSyntax, _ index: Int) {
    guard table[index].hasResponse else {
      return report(
        .invalidValue, "`schema` is for plain requests: a typed step knows the shape of its answers",
        at: data.span.line(in: file, within: data.span),
        help: ["check what it gives: `expect: [ outputs.NAME == … ]`"])
    }
    guard let schema = expectedSchema(data) else {
      table[index].responseBody = .error
      return
    }
    table[index].expectedSchema = schema
    table[index].responseBody = schema.valueType(named: "the body")
  }

  /// In place, or of a file; nil with the reason reported.
  private mutating func expectedSchema(_ data: DataSyntax) -> Schema? {
    guard let constant = data.constant else {
      report(
        .invalidValue, "a schema holds no expressions", at: data.span.line(in: file, within: data.span), help: ["it is read before the run"]
      )
      return nil
    }
    guard case .string(let path) = constant else {
      if constant == .map(ValueMap()) || constant == true {
        report(.cannotFail, "this schema is true of every body", at: data.span, help: ["say what the body must be, or leave it out"])
      }
      return compileSchema(constant, in: data)
    }
    switch sources.file(path, file) {
    case .failure(let problem): report(.missingFile, problem.message, at: data.span)
    case .success(let read):
      let value: Value
      do throws(JSONError) {
        value = try JSON.parse(read.bytes)
      } catch {
        let position = read.position(of: error.offset)
        report(.invalidValue, "`\(path)`, line \(position.line), column \(position.column): \(error.message)", at: data.span)
        return nil
      }
      do throws(SchemaError) {
        return try Schema.compile(value)
      } catch {
        let pointer = error.pointer.isEmpty ? "" : " at `\(error.pointer)`"
        report(.invalidValue, "`\(path)` is no valid JSON Schema\(pointer): \(error.message)", at: data.span)
      }
    }
    return nil
  }
}
