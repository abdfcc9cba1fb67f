/// One way in which a value is not what its schema asks for. Never holds any part of a value but names of keys.
package struct SchemaViolation: Hashable, Sendable {
  /// One step from a value to a part of it.
  package enum PathToken: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// From the whole value to the part that is wrong; an unknown key is named, a missing one is not.
  package var path: [PathToken]
  /// The keyword that failed, as a JSON Pointer into the document it stands in (after `#`).
  package var schemaPath: String
  /// Stands alone; lower case, no full stop, code in backticks.
  package var message: String
  /// For an unknown key, the keys that the schema knows: to offer the nearest.
  package var knownKeys: [String]

  package init(path: [PathToken], schemaPath: String, message: String, knownKeys: [String] = []) {
    self.path = path
    self.schemaPath = schemaPath
    self.message = message
    self.knownKeys = knownKeys
  }

  /// `path` as a JSON Pointer (RFC 6901).
  package var instancePath: String {
    path.map { token in
      switch token {
      case .key(let key): "/" + escapedPointerToken(key)
      case .index(let index): "/\(index)"
      }
    }.joined()
  }

  /// `path` as people write it, such as `contacts[0].name`; empty for the whole value.
  package var dottedPath: String { dotted(path) }
}

func dotted(_ path: [SchemaViolation.PathToken]) -> String {
  var text = ""
  for token in path {
    switch token {
    case .key(let key): text += text.isEmpty ? key : "." + key
    case .index(let index): text += "[\(index)]"
    }
  }
  return text
}
