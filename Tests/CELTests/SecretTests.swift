import CEL
import Testing
import Values

/// A secret operand makes a secret result, save for a bool; `body` is slot 3.
@Suite struct SecretTests {
  private static let secret = Value.string("hunter2").hidden()
  private static let values: [Int: Value] = [
    3: ["token": secret, "plain": "p", "list": ["a", secret], "all": Value.list(["x", "y"]).hidden()]
  ]

  @Test(
    arguments: [
      ("body.token", secret),
      ("body['token']", secret),
      ("'Bearer ' + body.token", Value.string("Bearer hunter2").hidden()),
      ("body.plain + '!'", "p!"),
      ("size(body.token)", Value.int(7).hidden()),
      ("body.token == 'hunter2'", true),
      ("body.token.startsWith('h')", true),
      ("body.token in body.list", true),
      ("body.list[1]", secret),
      ("body.list[0]", "a"),
      ("body.list.join('-')", Value.string("a-hunter2").hidden()),
      ("'%s'.format([body.list])", Value.string("[a, hunter2]").hidden()),
      ("json.encode({'t': body.token})", Value.string(#"{"t":"hunter2"}"#).hidden()),
      ("{'t': body.token}", ["t": secret]),
      ("{body.token: 1}", Value.map(map("hunter2", 1)).hidden()),
      ("body.list + ['c']", ["a", secret, "c"]),
      ("body.list.map(x, x + '!')", ["a!", Value.string("hunter2!").hidden()]),
      ("body.all.map(x, x + '!')", [Value.string("x!").hidden(), Value.string("y!").hidden()]),
      ("body.list.exists(x, x == 'hunter2')", true),
      ("body.all[0]", Value.string("x").hidden()),
      ("default(body.token, 'none')", secret),
      ("default(body.all[5], 'none')", "none"),
      ("body.?token.orValue('none')", secret),
      ("optional.of(body.token).value()", secret),
      ("cel.bind(t, body.token, t + t)", Value.string("hunter2hunter2").hidden()),
      ("true ? body.token : ''", secret),
      ("hash.sha256(body.token).size()", Value.int(64).hidden()),
    ] as [(String, Value)])
  func mark(source: String, expected: Value) throws {
    #expect(try Sample.evaluate(source, Self.values) == expected)
  }

  @Test(arguments: [
    "int(body.token)", "{'a': 1}[body.token]", "timestamp(body.token)", "[1][size(body.token)]", "{body.token: 1, 'hunter2': 2}",
  ])
  func noMessageTellsASecret(source: String) throws {
    let error = #expect(throws: EvaluationError.self) { try Sample.evaluate(source, Self.values) }
    let message = try #require(error?.message)
    #expect(!message.contains("hunter2"))
    #expect(!message.contains("7"))
  }

  private static func map(_ key: String, _ value: Value) -> ValueMap {
    var map = ValueMap()
    map[key] = value
    return map
  }
}
