import HTTPTypes
package import Values

extension APIDescription {
  /// The description as an OpenAPI 3.1 document.
  /// - Parameter server: where the API stands; may be relative to the document's own place.
  package func openAPI(server: String) -> Value {
    var paths = ValueMap()
    for operation in operations {
      var item = paths[operation.path]?.mapValue ?? ValueMap()
      item[operation.method.rawValue.lowercased()] = operation.openAPI
      paths[operation.path] = .map(item)
    }
    return [
      "openapi": "3.1.0",
      "info": ["title": .string(title), "version": .string(version), "description": .string(summary)],
      "servers": [["url": .string(server)]],
      "paths": .map(paths),
      "components": ["securitySchemes": .map(ValueMap(security)), "schemas": .map(ValueMap(schemas))],
    ]
  }
}

extension APIOperation {
  fileprivate var openAPI: Value {
    var map = ValueMap()
    map["operationId"] = .string(id)
    map["summary"] = .string(summary)
    map["security"] = .list(((security.map { [$0] } ?? []) + alternatives).map { .map(ValueMap([($0, [])])) })
    if !parameters.isEmpty { map["parameters"] = .list(parameters.map(\.openAPI)) }
    map["requestBody"] = body?.openAPI
    map["responses"] = .map(ValueMap(answers.map { (String($0.status), $0.openAPI) }))
    return .map(map)
  }
}

extension APIParameter {
  fileprivate var openAPI: Value {
    var map = ValueMap()
    map["name"] = .string(name)
    map["in"] = .string(place.rawValue)
    map["required"] = .bool(isRequired)
    map["description"] = .string(about)
    map["schema"] = schema
    map["example"] = example
    return .map(map)
  }
}

extension APIBody {
  fileprivate var openAPI: Value {
    var content = ValueMap()
    content["schema"] = schema
    content["example"] = example
    if !partTypes.isEmpty {
      content["encoding"] = .map(ValueMap(partTypes.map { ($0.name, ["contentType": .string($0.mediaType)]) }))
    }
    let types = [mediaType] + alternatives
    return ["required": .bool(isRequired), "content": .map(ValueMap(types.map { ($0, .map(content)) }))]
  }
}

extension APIAnswer {
  fileprivate var openAPI: Value {
    var map = ValueMap()
    map["description"] = .string(about)
    if let mediaType, let schema {
      var content = ValueMap()
      content["schema"] = schema
      content["example"] = example
      map["content"] = .map(ValueMap([(mediaType, .map(content))]))
    }
    if !links.isEmpty {
      map["links"] = .map(
        ValueMap(links.map { ($0.name, ["operationId": .string($0.operation), "parameters": $0.parameters]) }))
    }
    return .map(map)
  }
}

extension ValueMap {
  fileprivate init(_ pairs: [(String, Value)]) {
    self.init()
    for (key, value) in pairs { self[key] = value }
  }
}
