import CEL
import SourceText
import TestKit
import Testing
import Values

@Suite struct ProgramTests {
  @Test(arguments: [
    ("amount + 1", ValueType.int), ("amount + ratio", .double), ("body.x", .dyn), ("body.x + 'a'", .string), ("user.name", .string),
    ("user.email", .nullable(.string)), ("items.map(i, string(i))", .list(.string)), ("{'a': amount}", .map(.string, .int)),
    ("default(user.email, 'x')", .string), ("default(user.email, null)", .nullable(.string)), ("started - started", .duration),
    ("amount > 1 ? 'a' : null", .nullable(.string)), ("[1, 'a']", .list(.dyn)), ("user.?nickname", .optional(.string)),
    ("[]", .list(.dyn)), ("user", .record(Sample.user)), ("maps.merge({'a': 1}, {'b': 2})", .map(.string, .int)),
    ("max([1, 2])", .int), ("math.greatest(1, 2, 3)", .int), ("items.sortBy(i, -i)", .list(.int)),
    ("cel.bind(x, amount, x * 2)", .int), ("[amount].first().orValue(0)", .int),
  ])
  func type(source: String, expected: ValueType) throws {
    #expect(try Sample.program(source).type == expected)
  }

  @Test func errorsPointAtTheSmallestFailingPart() throws {
    let marked = MarkedText("amount + 1️⃣items[7]2️⃣ > 3")
    let error = #expect(throws: EvaluationError.self) {
      try Sample.evaluate(marked.text, [1: 1, 5: [1]])
    }
    #expect(error == EvaluationError(.missing, "index 7 is out of range for 1 elements", at: Span(marked["1️⃣"], marked["2️⃣"])))
  }

  @Test func aNilSlotHasNoValue() {
    let error = #expect(throws: EvaluationError.self) { try Sample.evaluate("steps.log_in.status == 'x'") }
    #expect(error == EvaluationError(.missing, "`steps.log_in.status` has no value", at: Span(0, 19)))
  }

  @Test func pathsAreSeenByTheirSlot() throws {
    let expression = try Sample.program("steps.log_in.outputs.city == 'x' && has(user.nickname)").expression
    guard case .and(let operands) = expression.kind, case .binary(.equal, let left, _) = operands[0].kind,
      case .has(let operand, let field) = operands[1].kind
    else {
      Issue.record("not the expected shape: \(expression)")
      return
    }
    let path = try #require(left.path)
    #expect(path.name == "steps.log_in.outputs")
    #expect(path.slot == 7)
    #expect(path.fields == ["city"])
    #expect(left.span == Span(0, 25))
    #expect(operand.path?.name == "user")
    #expect(field.value == "nickname")
  }

  @Test func constants() throws {
    #expect(try Sample.program("1 + 2 == 3").expression.isConstant)
    #expect(try Sample.program("[1].map(x, x)").expression.isConstant)
    #expect(try !Sample.program("amount == 3").expression.isConstant)
  }

  @Test func hostFunctions() throws {
    let environment = Environment(
      variables: [],
      functions: [
        Function(hostAnswered: "uuid", [.global(to: .string)]), Function(hostAnswered: "random_int", [.global(.int, .int, to: .int)]),
      ])
    let program = try #require(environment.compile("uuid() + uuid() + string(random_int(1, 6))").program)
    #expect(program.type == .string)
    #expect(!program.expression.isConstant)
    var sites: Set<Int> = []
    let value = try program.evaluate([]) { call throws(HostFailure) in
      sites.insert(call.site)
      return call.function == "uuid" ? "u" : call.arguments[1]
    }
    #expect(value == "uu6")
    #expect(sites.count == 3)
    #expect(throws: EvaluationError(.missing, "`uuid` has no meaning here", at: Span(0, 6))) { try program.evaluate([]) }
    #expect(environment.compile("random_int('a', 1)").program == nil)
  }

  @Test func aProgramRunsInManyTasks() async throws {
    let program = try Sample.program("items.filter(i, i > amount).map(i, 'n' + string(i)).join(',').matches('n[0-9]')")
    let slots: [Value?] = [nil, 1, nil, nil, nil, [1, 2, 3]]
    try await withThrowingTaskGroup(of: Value.self) { group in
      for _ in 0..<20 { group.addTask { try program.evaluate(slots) } }
      for try await value in group { #expect(value == true) }
    }
  }
}
