import SourceText
import Values

extension Lowering {
  static func list(_ elements: [Expression.Element], _ span: Span) -> Operation {
    let lowered = elements.map { (lower($0.value), $0.isOptional, $0.value.span) }
    return { frame throws(EvaluationError) in
      try frame.step(span)
      var items: [Value] = []
      items.reserveCapacity(lowered.count)
      for (operation, isOptional, elementSpan) in lowered {
        let value = try operation(&frame)
        if !isOptional {
          items.append(value)
        } else if let inner = try contents(value, elementSpan) {
          items.append(inner)
        }
      }
      return try paid(.list(items), &frame, span)
    }
  }

  static func map(_ entries: [Expression.Entry], _ span: Span) -> Operation {
    let lowered = entries.map { (lower($0.key), lower($0.value), $0.isOptional, $0.key.span, $0.value.span) }
    return { frame throws(EvaluationError) in
      try frame.step(span)
      var map = ValueMap()
      map.reserveCapacity(lowered.count)
      var hasSecretKey = false
      for (keyOperation, valueOperation, isOptional, keySpan, valueSpan) in lowered {
        let keyValue = try keyOperation(&frame)
        hasSecretKey = hasSecretKey || keyValue.isMarked
        let key = try located(keySpan) { () throws(Failure) in try Selection.key(keyValue.exposed, lookingUp: false) }
        var value = try valueOperation(&frame)
        if isOptional {
          guard let inner = try contents(value, valueSpan) else { continue }
          value = inner
        }
        if let key { try insert(value, under: key, into: &map, keySpan, isSecret: hasSecretKey) }
      }
      let value = try paid(.map(map), &frame, span)
      // A key cannot be marked, so the map is.
      return hasSecretKey ? value.hidden() : value
    }
  }

  static func insert(
    _ value: Value, under key: ValueMap.Key, into map: inout ValueMap, _ span: Span, isSecret: Bool
  ) throws(EvaluationError) {
    guard map.position(of: key) == nil else {
      throw EvaluationError(.failed, isSecret ? "a secret key stands twice" : "the key `\(key.text)` stands twice", at: span)
    }
    map[key] = value
  }

  static func paid(_ value: Value, _ frame: inout Frame, _ span: Span) throws(EvaluationError) -> Value {
    try located(span) { () throws(Failure) in try frame.meter.spendMaking(value) }
    return value
  }

  private static func contents(_ value: Value, _ span: Span) throws(EvaluationError) -> Value? {
    guard case .optional(let inner) = value.exposed else {
      throw EvaluationError(.failed, "expected an optional, got `\(value.typeName)`", at: span)
    }
    return value.isMarked ? inner?.hidden() : inner
  }
}
