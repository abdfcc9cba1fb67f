import StepKit
import Steps
import Testing
import Values

@Suite("The step `read-file`")
struct ReadFileStepTests {
  private let step = AnyStep(ReadFileStep.self)
  private let ports = StepPorts(
    files: MemoryFiles(["a.json": #"{"id": 7}"#, "a.csv": "name,amount\nfirst,1000\nsecond,\n", "a.txt": "grüß", "bad.csv": "a,b\n1\n"]))

  @Test(
    "gives a file as what it is read as",
    arguments: [
      (#"{"path": "a.txt"}"#, "grüß", 6), (#"{"path": "a.json"}"#, #"{"id": 7}"#, 9), (#"{"path": "a.json", "as": "json"}"#, ["id": 7], 9),
      (
        #"{"path": "a.csv", "as": "csv"}"#, [["name": "first", "amount": "1000"], ["name": "second", "amount": ""]], 31
      ),
      (
        #"{"path": "a.csv", "as": "csv", "columns": {"amount": "integer"}}"#,
        [["name": "first", "amount": 1000], ["name": "second", "amount": .null]], 31
      ),
      (#"{"path": "a.txt", "as": "bytes"}"#, .bytes(Array("grüß".utf8)), 6),
      (#"{"path": "a.txt", "secret": true}"#, .secret("grüß"), 6),
    ] as [(String, Value, Int)])
  func forms(with: String, value: Value, size: Int) async throws {
    let outputs = try await ports.run(step, with)
    #expect(outputs["value"] == value)
    #expect(outputs["size"] == .int(Int64(size)))
  }

  @Test(
    "says what is wrong with a file",
    arguments: [
      (#"{"path": "a.txt", "as": "json"}"#, "decode", "`a.txt` is not JSON: "),
      (
        #"{"path": "bad.csv", "as": "csv"}"#, "decode",
        "`bad.csv` is not CSV: line 2: the row has 1 cell, and the header has 2; write a comma for each empty cell"
      ),
      (#"{"path": "bytes"}"#, "decode", "`bytes` is not text: it is not UTF-8; read it `as: bytes`"),
      (#"{"path": "none"}"#, "config.file", "`none` cannot be read: there is no such file"),
      (#"{"path": "a.json", "as": "json", "columns": {"a": "string"}}"#, "schema.input", "`columns` types a table; say `as: csv`"),
    ])
  func refused(with: String, code: String, detail: String) async throws {
    (ports.files as? MemoryFiles)?.put([0xFF], at: "bytes")
    let failure = await ports.failure(step, with)
    #expect(failure?.code == code)
    #expect(failure?.detail.hasPrefix(detail) == true)
    #expect(failure?.sent == .no)
  }

  @Test("takes no form and no type of a column that it does not know")
  func unknown() async {
    await #expect(throws: InvalidInput(messages: ["`as` must be one of `text`, `json`, `csv`, `bytes`"])) {
      try await ports.run(step, #"{"path": "a.txt", "as": "yaml"}"#)
    }
    await #expect(throws: InvalidInput(messages: ["`columns.a` must be one of `integer`, `number`, `boolean`, `string`"])) {
      try await ports.run(step, #"{"path": "a.csv", "as": "csv", "columns": {"a": "int"}}"#)
    }
  }

  @Test(
    "types what it gives by the form, as far as that is known",
    arguments: [
      (#"{}"#, Shape.string(TextRules())), (#"{"as": "csv"}"#, .list(.map(.any))), (#"{"as": "json"}"#, .any), (#"{"as": null}"#, .any),
      (#"{"secret": true}"#, .secret(.string(TextRules()))), (#"{"as": "json", "secret": null}"#, .secret(.any)),
    ])
  func types(literals: String, shape: Shape) throws {
    #expect(step.refineOutput(try #require(try JSON.parse(literals).mapValue)).field("value")?.shape == shape)
  }
}

@Suite("The step `write-file`")
struct WriteFileStepTests {
  private let step = AnyStep(WriteFileStep.self)

  @Test(
    "writes a text as it stands, and anything else as JSON",
    arguments: [
      ("two\nlines", "two\nlines"), ("", ""), (["id": 7], "{\n  \"id\": 7\n}\n"), (.null, "null\n"), (12, "12\n"),
      (.bytes([0x61, 0x62]), "ab"),
    ] as [(Value, String)])
  func contents(content: Value, text: String) async throws {
    let files = MemoryFiles()
    var with = ValueMap()
    with["path"] = "out/a"
    with["content"] = content
    let outputs = try await StepPorts(files: files).run(step, with)
    #expect(files.text("out/a") == text)
    #expect(.map(outputs) == ["path": "out/a", "bytes": .int(Int64(text.utf8.count))] as Value)
  }

  @Test("leaves no secret in a file", arguments: [.secret("s3cr3t"), ["token": [.secret("s3cr3t")]]] as [Value])
  func secrets(content: Value) async throws {
    let files = MemoryFiles()
    var with = ValueMap()
    with["path"] = "out/a"
    with["content"] = content
    let failure = await #expect(throws: StepFailure.self) { try await StepPorts(files: files).run(step, with) }
    #expect(failure?.code == "schema.input")
    #expect(failure?.detail.contains("s3cr3t") == false)
    #expect(files.text("out/a") == nil)
  }
}
