import StepKit
import Values

/// The one body of a request.
extension HTTPStep.Input {
  /// - Throws: `schema.input` for more than one body, and for values that have no place in it; `config.file`.
  func content(_ files: any FilePort) async throws(StepFailure) -> HTTPCall.Body {
    guard givenBodies.count < 2 else {
      throw .input("a request has one body: \(givenBodies.map { "`\($0)`" }.joined(separator: " and ")) are given")
    }
    if case .something(let value) = json { return .json(value) }
    if let form { return .form(try formPairs(form)) }
    if let multipart { return .multipart(try await formParts(multipart, files)) }
    if let body { return try bytes(body.exposed) }
    if let file { return .bytes(try await files.read(file), contentType: FileType.of(file)) }
    return .none
  }

  /// Whether the body is, or holds, a secret that its bytes do not tell of.
  var hasSecretBody: Bool {
    body?.containsSecret ?? false || (form?.entries ?? []).contains { $0.value.containsSecret }
      || (multipart?.entries ?? []).contains { $0.value.containsSecret }
  }

  private var givenBodies: [String] {
    var given: [String] = []
    if case .something = json { given.append("json") }
    if form != nil { given.append("form") }
    if multipart != nil { given.append("multipart") }
    if body != nil { given.append("body") }
    if file != nil { given.append("file") }
    return given
  }

  private func bytes(_ value: Value) throws(StepFailure) -> HTTPCall.Body {
    if case .bytes(let bytes) = value { return .bytes(bytes, contentType: nil) }
    guard let text = value.scalarText else { throw .input("`body` must be a text or bytes; give a list or a map as `json`") }
    return .bytes(Array(text.utf8), contentType: "text/plain; charset=utf-8")
  }

  private func formPairs(_ form: NamedMembers<Value>) throws(StepFailure) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for (name, value) in form.entries {
      for item in value.exposed.listValue ?? [value] where item.exposed != .null {
        guard let text = item.scalarText else { throw .input("`form.\(name)` must be a text, a number or a bool") }
        pairs.append((name, text))
      }
    }
    return pairs
  }

  private func formParts(_ form: NamedMembers<Value>, _ files: any FilePort) async throws(StepFailure) -> [FormPart] {
    var parts: [FormPart] = []
    for (name, value) in form.entries {
      for item in value.exposed.listValue ?? [value] where item.exposed != .null {
        parts.append(try await formPart(name, item.exposed, files))
      }
    }
    return parts
  }

  private func formPart(_ name: String, _ value: Value, _ files: any FilePort) async throws(StepFailure) -> FormPart {
    guard case .map(let map) = value else {
      guard let bytes = value.partBytes else {
        throw .input("`multipart.\(name)` must be a text, a number, a bool, bytes, `{ file, filename, type }` or `{ value, type }`")
      }
      return FormPart(name, bytes)
    }
    if let unknown = map.first(where: { !["file", "value", "filename", "type"].contains($0.key.text) }) {
      throw .input("`multipart.\(name)` knows `file`, `value`, `filename` and `type`, not `\(unknown.key.text)`")
    }
    let type = try text("type", of: map, in: name)
    let fileName = try text("filename", of: map, in: name)
    switch (try text("file", of: map, in: name), map["value"]) {
    case (let path?, nil):
      return FormPart(
        name, try await files.read(path), fileName: fileName ?? FileType.name(of: path), contentType: type ?? FileType.of(path))
    case (nil, let value?):
      // What is no text goes as JSON, as a part of its own type must.
      let isData = value.exposed.listValue != nil || value.exposed.mapValue != nil
      let bytes = value.exposed.partBytes ?? Array(value.fullyExposed.json().utf8)
      return FormPart(name, bytes, fileName: fileName, contentType: type ?? (isData ? "application/json" : nil))
    case (.some, .some), (nil, nil): throw .input("`multipart.\(name)` needs one of `file` and `value`")
    }
  }

  private func text(_ key: String, of map: ValueMap, in name: String) throws(StepFailure) -> String? {
    guard let value = map[key]?.exposed, value != .null else { return nil }
    guard let text = value.stringValue else { throw .input("`multipart.\(name).\(key)` must be a text") }
    return text
  }
}

extension Value {
  /// As a part of a form has it; nil for null, lists and maps.
  fileprivate var partBytes: [UInt8]? {
    if case .bytes(let bytes) = self { bytes } else { scalarText.map { Array($0.utf8) } }
  }
}
