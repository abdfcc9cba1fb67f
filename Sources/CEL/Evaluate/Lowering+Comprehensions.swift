import SourceText
import Values

extension Lowering {
  static func comprehension(_ comprehension: Expression.Comprehension, _ span: Span) -> Operation {
    let loop = Loop(comprehension, span)
    switch comprehension.form {
    case .all: return quantifier(loop, deciding: false)
    case .exists: return quantifier(loop, deciding: true)
    case .existsOne: return existsOne(loop)
    case .filter: return filter(loop)
    case .map, .transformList: return transformList(loop)
    case .transformMap: return transformMap(loop)
    case .transformMapEntry: return transformMapEntry(loop)
    case .sortBy: return sortBy(loop)
    }
  }

  /// The parts of a comprehension, lowered.
  struct Loop: Sendable {
    let span: Span
    let bodySpan: Span
    let range: Operation
    let rangeSpan: Span
    let locals: [Int]
    let filter: Operation?
    let filterSpan: Span
    let body: Operation

    init(_ comprehension: Expression.Comprehension, _ span: Span) {
      self.span = span
      bodySpan = comprehension.body.span
      range = Lowering.lower(comprehension.range)
      rangeSpan = comprehension.range.span
      locals = comprehension.locals
      filter = comprehension.filter.map(Lowering.lower)
      filterSpan = comprehension.filter?.span ?? span
      body = Lowering.lower(comprehension.body)
    }

    /// Runs `round` for each element that the filter lets pass, its local names set, until it returns false. What is
    /// bound from a secret range is secret.
    func run(
      _ frame: inout Frame, _ round: (inout Frame, _ key: Value, _ element: Value) throws(EvaluationError) -> Bool
    ) throws(EvaluationError) {
      let value = try range(&frame)
      let isSecret = value.isMarked
      switch value.exposed {
      case .list(let items):
        for (position, item) in items.enumerated() {
          let item = isSecret ? item.hidden() : item
          let key = Value.int(Int64(position))
          if try !pass(&frame, key, item, isMap: false) { continue }
          if try !round(&frame, key, item) { return }
        }
      case .map(let map):
        for (key, item) in map {
          let item = isSecret ? item.hidden() : item
          let key = isSecret ? key.value.hidden() : key.value
          if try !pass(&frame, key, item, isMap: true) { continue }
          if try !round(&frame, key, item) { return }
        }
      default:
        throw EvaluationError(.failed, "expected a list or a map, got `\(value.typeName)`", at: rangeSpan)
      }
    }

    private func pass(_ frame: inout Frame, _ key: Value, _ item: Value, isMap: Bool) throws(EvaluationError) -> Bool {
      try frame.step(span)
      if locals.count == 2 {
        frame.locals[locals[0]] = key
        frame.locals[locals[1]] = item
      } else {
        frame.locals[locals[0]] = isMap ? key : item
      }
      guard let filter else { return true }
      return try Lowering.bool(filter(&frame), filterSpan)
    }

    func condition(_ frame: inout Frame) throws(EvaluationError) -> Bool {
      try Lowering.bool(body(&frame), bodySpan)
    }
  }

  static func bool(_ value: Value, _ span: Span) throws(EvaluationError) -> Bool {
    guard case .bool(let flag) = value.exposed else { throw notBool(value, span) }
    return flag
  }

  /// `all` and `exists`: a deciding element wins over failures of others.
  private static func quantifier(_ loop: Loop, deciding: Bool) -> Operation {
    { frame throws(EvaluationError) in
      var failure: EvaluationError?
      var isDecided = false
      try loop.run(&frame) { frame, _, _ throws(EvaluationError) in
        do throws(EvaluationError) {
          isDecided = try loop.condition(&frame) == deciding
        } catch {
          if error.reason == .exhausted { throw error }
          failure = failure ?? error
        }
        return !isDecided
      }
      if !isDecided, let failure { throw failure }
      return .bool(isDecided == deciding)
    }
  }

  private static func existsOne(_ loop: Loop) -> Operation {
    { frame throws(EvaluationError) in
      var count = 0
      try loop.run(&frame) { frame, _, _ throws(EvaluationError) in
        if try loop.condition(&frame) { count += 1 }
        return true
      }
      return .bool(count == 1)
    }
  }

  private static func filter(_ loop: Loop) -> Operation {
    { frame throws(EvaluationError) in
      var items: [Value] = []
      let local = loop.locals[0]
      try loop.run(&frame) { frame, _, _ throws(EvaluationError) in
        if try loop.condition(&frame) { items.append(frame.locals[local]) }
        return true
      }
      return try paid(.list(items), &frame, loop.span)
    }
  }

  private static func transformList(_ loop: Loop) -> Operation {
    { frame throws(EvaluationError) in
      var items: [Value] = []
      try loop.run(&frame) { frame, _, _ throws(EvaluationError) in
        items.append(try paid(try loop.body(&frame), &frame, loop.bodySpan))
        return true
      }
      try located(loop.span) { () throws(Failure) in try frame.meter.spend(outputBytes: 16 * items.count) }
      return .list(items)
    }
  }

  private static func transformMap(_ loop: Loop) -> Operation {
    { frame throws(EvaluationError) in
      var map = ValueMap()
      var hasSecretKey = false
      try loop.run(&frame) { frame, key, _ throws(EvaluationError) in
        hasSecretKey = hasSecretKey || key.isMarked
        let value = try paid(try loop.body(&frame), &frame, loop.bodySpan)
        let found = try located(loop.span) { () throws(Failure) in try Selection.key(key.exposed, lookingUp: false) }
        if let found { map[found] = value }
        return true
      }
      return hasSecretKey ? Value.map(map).hidden() : .map(map)
    }
  }

  private static func transformMapEntry(_ loop: Loop) -> Operation {
    { frame throws(EvaluationError) in
      var map = ValueMap()
      var isSecret = false
      try loop.run(&frame) { frame, _, _ throws(EvaluationError) in
        let value = try paid(try loop.body(&frame), &frame, loop.bodySpan)
        guard case .map(let entries) = value.exposed else {
          throw EvaluationError(.failed, "expected a map, got `\(value.typeName)`", at: loop.bodySpan)
        }
        isSecret = isSecret || value.isMarked
        for (key, value) in entries { try insert(value, under: key, into: &map, loop.bodySpan, isSecret: isSecret) }
        return true
      }
      return isSecret ? Value.map(map).hidden() : .map(map)
    }
  }

  private static func sortBy(_ loop: Loop) -> Operation {
    { frame throws(EvaluationError) in
      var items: [(key: Value, item: Value)] = []
      var isSecret = false
      try loop.run(&frame) { frame, _, item throws(EvaluationError) in
        let key = try loop.body(&frame)
        isSecret = isSecret || key.isMarked
        items.append((key.exposed, item))
        return true
      }
      let sorted = try located(loop.span) { () throws(Failure) in try Lists.sorted(items, &frame.meter) }
      // The order of the items tells of the keys.
      return isSecret ? Value.list(sorted).hidden() : .list(sorted)
    }
  }
}
