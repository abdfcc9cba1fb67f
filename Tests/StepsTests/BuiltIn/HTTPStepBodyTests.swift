import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("The bodies of the step `http`")
struct HTTPStepBodyTests {
  private static let files = MemoryFiles(["data/a.json": #"{"a": 1}"#, "photo.png": "PNG", "notes": "plain"])

  private func send(_ with: String) async throws -> TransportRequest {
    let ports = StepPorts(files: Self.files, transport: ScriptedTransport([.text(200)]))
    _ = try await ports.run(AnyStep(HTTPStep.self), with)
    return try #require(ports.transport.asked.first)
  }

  private func failure(_ with: String) async -> StepFailure? {
    let ports = StepPorts(files: Self.files, transport: ScriptedTransport([]))
    let failure = await ports.failure(AnyStep(HTTPStep.self), with)
    #expect(ports.transport.asked.isEmpty)
    return failure
  }

  @Test(
    "sends a file, its type told by its name",
    arguments: [
      ("data/a.json", #"{"a": 1}"#, "application/json"), ("photo.png", "PNG", "image/png"), ("notes", "plain", "application/octet-stream"),
    ])
  func file(path: String, text: String, type: String) async throws {
    let sent = try await send(#"{"method": "PUT", "url": "/", "file": "\#(path)"}"#)
    #expect(sent.body == Array(text.utf8))
    #expect(sent.headers[.contentType] == type)
    let own = try await send(#"{"method": "PUT", "url": "/", "file": "\#(path)", "headers": {"Content-Type": "text/x"}}"#)
    #expect(own.headers[values: .contentType] == ["text/x"])
  }

  @Test("sends a form of parts: texts, files, values, and lists of them")
  func multipart() async throws {
    let sent = try await send(
      #"""
      {"method": "POST", "url": "/", "multipart": {
        "title": "a & b", "n": 2, "none": null, "tag": ["x", "y"],
        "photo": {"file": "photo.png"}, "other": [{"file": "notes", "filename": "n.txt", "type": "text/plain"}],
        "meta": {"value": {"k": [1]}}, "csv": {"value": "a,b", "type": "text/csv"}}}
      """#)
    let boundary = "baton-form-0-7MA4YWxkTrZu0gW"
    #expect(sent.headers[.contentType] == "multipart/form-data; boundary=\(boundary)")
    let parts = String(decoding: sent.body ?? [], as: UTF8.self).split(separator: "--\(boundary)").map { $0.replacing("\r\n", with: "|") }
    #expect(
      parts == [
        #"|Content-Disposition: form-data; name="title"||a & b|"#, #"|Content-Disposition: form-data; name="n"||2|"#,
        #"|Content-Disposition: form-data; name="tag"||x|"#, #"|Content-Disposition: form-data; name="tag"||y|"#,
        #"|Content-Disposition: form-data; name="photo"; filename="photo.png"|Content-Type: image/png||PNG|"#,
        #"|Content-Disposition: form-data; name="other"; filename="n.txt"|Content-Type: text/plain||plain|"#,
        #"|Content-Disposition: form-data; name="meta"|Content-Type: application/json||{"k":[1]}|"#,
        #"|Content-Disposition: form-data; name="csv"|Content-Type: text/csv||a,b|"#, "--|",
      ])
  }

  @Test("sends the same bytes each time")
  func stable() async throws {
    let with = #"{"method": "POST", "url": "/", "multipart": {"photo": {"file": "photo.png"}, "a": "1"}}"#
    #expect(try await send(with).body == send(with).body)
  }

  @Test(
    "refuses two bodies, and parts that are none",
    arguments: [
      (#"{"url": "/", "body": "x", "file": "notes"}"#, "a request has one body: `body` and `file` are given"),
      (#"{"url": "/", "multipart": {}, "form": {}, "json": null}"#, "a request has one body: `json` and `form` and `multipart` are given"),
      (#"{"url": "/", "multipart": {"a": {"path": "x"}}}"#, "`multipart.a` knows `file`, `value`, `filename` and `type`, not `path`"),
      (#"{"url": "/", "multipart": {"a": {"type": "x"}}}"#, "`multipart.a` needs one of `file` and `value`"),
      (#"{"url": "/", "multipart": {"a": {"file": "notes", "value": 1}}}"#, "`multipart.a` needs one of `file` and `value`"),
      (#"{"url": "/", "multipart": {"a": {"file": 1}}}"#, "`multipart.a.file` must be a text"),
      (#"{"url": "/", "multipart": {"a": [[1]]}}"#, "`multipart.a` must be a text"),
    ])
  func refused(with: String, detail: String) async {
    let failure = await failure(with)
    #expect(failure?.code == "schema.input")
    #expect(failure?.detail.hasPrefix(detail) == true, "\(failure?.detail ?? "")")
  }

  @Test("says which file cannot be read, and sends nothing", arguments: [#""file": "absent""#, #""multipart": {"a": {"file": "absent"}}"#])
  func absent(member: String) async {
    let failure = await failure(#"{"method": "POST", "url": "/", \#(member)}"#)
    #expect(failure?.code == "config.file")
    #expect(failure?.detail.contains("`absent`") == true)
    #expect(failure?.sent == .no)
  }

  @Test(
    "refuses CR, LF and NUL in the name of a part",
    arguments: [
      #"{"a\r\nX: 1": "v"}"#, #"{"a": {"value": "v", "filename": "x\ny"}}"#, #"{"a": {"value": "v", "type": "text/plain\u0000"}}"#,
    ])
  func injection(parts: String) async {
    #expect(await failure(#"{"method": "POST", "url": "/", "multipart": \#(parts)}"#)?.code == "config.header")
  }
}
