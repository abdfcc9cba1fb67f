import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("The step `http`")
struct HTTPStepTests {
  @Test("fills a path by component, and encodes query and form")
  func components() async throws {
    let sent = try await send(
      #"{"method": "POST", "url": "/users/{id}/notes", "path": {"id": "a/b c"}, "query": {"q": ["x", 2, true], "none": null}, "form": {"k": "v&w"}}"#
    )
    #expect(sent.url == "https://api.test/users/a%2Fb%20c/notes?q=x&q=2&q=true")
    #expect(String(decoding: sent.body ?? [], as: UTF8.self) == "k=v%26w")
    #expect(sent.method == .post)
  }

  @Test(
    "takes headers, and credentials for HTTP's own authentication",
    arguments: [
      (#"{"url": "/", "bearer": "abc"}"#, "Bearer abc"),
      (#"{"url": "/", "basic": {"username": "a", "password": "b"}}"#, "Basic YTpi"),
      (#"{"url": "/", "headers": {"Authorization": "Digest x"}}"#, "Digest x"),
    ])
  func credentials(with: String, header: String) async throws {
    #expect(try await send(with).headers[.authorization] == header)
  }

  @Test("sends null as a body of JSON, and nothing where no body is given")
  func bodies() async throws {
    #expect(try await send(#"{"method": "POST", "url": "/", "json": null}"#).body == Array("null".utf8))
    #expect(try await send(#"{"method": "POST", "url": "/"}"#).body == nil)
    let text = try await send(#"{"method": "POST", "url": "/", "body": "hello"}"#)
    #expect(text.body == Array("hello".utf8))
    #expect(text.headers[.contentType] == "text/plain; charset=utf-8")
  }

  @Test(
    "refuses what has no place in a request",
    arguments: [
      (#"{"url": "/users/{id}"}"#, "`/users/{id}` names `{id}`, and `path` has no value for it"),
      (#"{"url": "/users", "path": {"id": "1"}}"#, "`path.id` stands nowhere in `/users`; write `{id}` where it belongs"),
      (#"{"url": "/users/{id}", "path": {"id": ".."}}"#, "`path.id` cannot stand in a path"),
      (#"{"url": "/", "json": {}, "form": {}}"#, "a request has one body: `json` and `form` are given"),
      (#"{"url": "/", "headers": {"X-A": {}}}"#, "`headers.X-A` must be a text"),
      (#"{"url": "/", "query": {"q": {"a": 1}}}"#, "`query.q` must be a text"),
    ])
  func refused(with: String, detail: String) async throws {
    let failure = await #expect(throws: StepFailure.self) { try await send(with) }
    #expect(failure?.code == "schema.input")
    #expect(failure?.detail.hasPrefix(detail) == true)
  }

  @Test(
    "refuses CR and LF in a header or a method",
    arguments: [
      #"{"url": "/", "headers": {"X-A": "a\r\nX-B: b"}}"#, #"{"url": "/", "method": "GET / HTTP/1.1\r\nX-B: b"}"#,
      #"{"url": "/", "bearer": "a\nb"}"#,
    ])
  func injection(with: String) async throws {
    let failure = await #expect(throws: StepFailure.self) { try await send(with) }
    #expect(failure?.code.hasPrefix("config.") == true)
  }

  @Test("takes a secret into a URL only with a reason, and hides it then")
  func secretInURL() async throws {
    var input = ValueMap()
    input["url"] = "/"
    input["query"] = ["key": .secret("a b")]
    let failure = await #expect(throws: StepFailure.self) { try await run(input, ScriptedTransport([.text(200)])) }
    #expect(failure?.detail.hasPrefix("`query.key` is a secret") == true)

    input["query"] = ["key": ["value": .secret("a b"), "secret_in_url": "the provider has no other way"]]
    let script = ScriptedTransport([.text(200)])
    let events = try await run(input, script)
    #expect(script.asked.first?.url == "https://api.test/?key=a%20b")
    guard case .sending(let exchange) = events.events.first else { throw UnknownStep(name: "no event") }
    #expect(exchange.url == "https://api.test/?key=[secret]")
  }

  @Test("follows five redirects, if it is told to")
  func follow() async throws {
    let script = ScriptedTransport(Array(repeating: .text(302, "", [.location: "/"]), count: 9))
    let input = try #require(try JSON.parse(#"{"url": "/", "follow": true}"#).mapValue)
    await #expect(throws: StepFailure.self) { try await run(input, script) }
    #expect(script.asked.count == 6)
  }

  @Test("raises the status of any answer but 2xx; the answer itself is there for whoever expects it", arguments: [302, 404, 503])
  func statuses(status: Int) async throws {
    let input = try #require(try JSON.parse(#"{"url": "/"}"#).mapValue)
    let failure = await #expect(throws: StepFailure.self) { try await run(input, ScriptedTransport([.json(status, #"{"a": 1}"#)])) }
    #expect(failure?.code == "http.\(status)")
    #expect(failure?.answer?.body == ["a": 1])
  }

  @Test("shows its answer as `response`")
  func response() async throws {
    let input = try #require(try JSON.parse(#"{"url": "/"}"#).mapValue)
    let name = try #require(HTTPField.Name("X-Two"))
    var headers = HTTPFields()
    headers.append(HTTPField(name: name, value: "a"))
    headers.append(HTTPField(name: name, value: "b"))
    let events = try await run(input, ScriptedTransport([.json(201, #"{"id": 7}"#, headers)]))
    let response = try #require(events.lastReply).value
    #expect(response["status"] == 201)
    #expect(response["body"] == ["id": 7])
    #expect(response["text"] == #"{"id": 7}"#)
    #expect(response["headers"]?["x-two"] == "a, b")
  }

  @Test(
    "takes the effect of its method",
    arguments: [
      (HTTPRequest.Method.get, Effect.read), (.head, .read), (.options, .read), (.put, .idempotent), (.delete, .idempotent),
      (.post, .unsafe), (.patch, .unsafe),
    ])
  func effects(method: HTTPRequest.Method, effect: Effect) {
    #expect(method.usualEffect == effect)
  }

  private func send(_ with: String) async throws -> TransportRequest {
    let script = ScriptedTransport([.text(200)])
    try await run(try #require(try JSON.parse(with).mapValue), script)
    return try #require(script.asked.first)
  }

  @discardableResult
  private func run(_ input: ValueMap, _ script: ScriptedTransport) async throws -> EventLog {
    let events = EventLog()
    let step = AnyStep(HTTPStep.self)
    #expect(step.input().violations(in: input).map(\.message) == [])
    let endpoint = ConnectionEndpoint(base: try WebAddress("https://api.test"))
    let http = ConnectedHTTP(
      endpoint: endpoint, session: NoSession(), transport: script, clock: StepClock(), hooks: HTTPHooks(observe: events.append))
    _ = try await step.run(
      input,
      Ports(
        http: http, clock: StepClock(), random: ZeroRandom(), prompt: AnswerList([]), session: NoSession(), settings: ValueMap(),
        log: { _ in }))
    return events
  }
}

@Suite("The step `prompt`")
struct PromptStepTests {
  @Test(
    "gives a text, a bool, or one of the choices",
    arguments: [
      (#"{"text": "?"}"#, "anything", Value("anything")),
      (#"{"text": "?", "kind": "confirm"}"#, "Yes", true),
      (#"{"text": "?", "kind": "confirm"}"#, "n", false),
      (#"{"text": "?", "kind": "choice", "choices": ["a", "b"]}"#, "b", "b"),
      (#"{"text": "?", "secret": true}"#, "482913", .secret("482913")),
    ] as [(String, String, Value)])
  func answers(with: String, answer: String, value: Value) async throws {
    let world = try StepWorld(answers: [answer])
    #expect(try await world.run("prompt", with)["value"] == value)
  }

  @Test("asks again and says why; after three answers that do not fit it gives up")
  func again() async throws {
    let with = #"{"text": "Which?", "kind": "choice", "choices": ["a", "b"]}"#
    let world = try StepWorld(answers: ["c", "b"])
    #expect(try await world.run("prompt", with)["value"] == "b")
    #expect(world.answers.asked.map(\.complaint) == [nil, "answer one of `a`, `b`"])
    #expect(world.answers.asked.map(\.stepID) == ["step", "step"])

    let stubborn = try StepWorld(answers: ["c", "d", "e", "a"])
    let failure = await stubborn.failure("prompt", with)
    #expect(failure?.code == "config.answer")
    #expect(failure?.detail == "`step` was asked three times: answer one of `a`, `b`")
  }

  @Test("never repeats a secret answer that does not fit")
  func secretAnswer() async throws {
    let world = try StepWorld(answers: ["hunter2", "hunter2", "hunter2"])
    let failure = await world.failure("prompt", #"{"text": "?", "kind": "confirm", "secret": true}"#)
    #expect("\(failure as Any)".contains("hunter2") == false)
    #expect(failure?.code == "config.answer")
  }

  @Test("hands on the number whose newest SMS answers in the sandbox")
  func smsTo() async throws {
    let world = try StepWorld(answers: ["1"])
    try await world.run("prompt", #"{"text": "PIN", "sms_to": "2345678888", "secret": true}"#)
    #expect(world.answers.asked.first?.smsTo == "2345678888")
    #expect(world.answers.asked.first?.isSecret == true)
  }

  @Test("needs choices for a choice, before it asks")
  func noChoices() async throws {
    let world = try StepWorld(answers: ["a"])
    #expect(await world.failure("prompt", #"{"text": "?", "kind": "choice"}"#)?.code == "schema.input")
    #expect(world.answers.asked.isEmpty)
  }

  @Test(
    "types its answer by kind and secrecy",
    arguments: [
      ("{}", Shape.string(TextRules())), (#"{"kind": "confirm"}"#, .bool), (#"{"secret": true}"#, .secret(.string(TextRules()))),
      (#"{"secret": false}"#, .string(TextRules())),
    ])
  func types(literals: String, shape: Shape) throws {
    let literals = try #require(try JSON.parse(literals).mapValue)
    #expect(AnyStep(PromptStep.self).refineOutput(literals).field("value")?.shape == shape)
  }
}

@Suite("The step `log`")
struct LogStepTests {
  @Test(
    "shows a text as it is and anything else as JSON, with secrets hidden",
    arguments: [
      (Value("hello"), "hello"), (["a": 1], #"{"a":1}"#), (.secret("pw"), "[secret]"), (["pw": .secret("x")], #"{"pw":"[secret]"}"#),
      (7, "7"),
    ] as [(Value, String)])
  func lines(message: Value, line: String) async throws {
    let world = try StepWorld()
    let step = AnyStep(LogStep.self)
    var input = ValueMap()
    input["message"] = message
    #expect(step.input().violations(in: input).isEmpty)
    _ = try await step.run(input, try world.ports(for: step.about))
    #expect(world.events.lines == [line])
  }
}
