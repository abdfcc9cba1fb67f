import Testing

@testable import StepKit

@Suite("A multipart form")
struct MultipartBodyTests {
  @Test("is these bytes")
  func bytes() throws {
    let body = try MultipartBody([
      FormPart("title", Array("a b".utf8)), FormPart("ü \"q\"", []),
      FormPart("photo", [0, 13, 10, 255], fileName: "a\"b\\.png", contentType: "image/png"),
      FormPart("meta", Array("{}".utf8), contentType: #"application/json; charset="utf-8""#),
    ])
    let text = """
      --B\r
      Content-Disposition: form-data; name="title"\r
      \r
      a b\r
      --B\r
      Content-Disposition: form-data; name="ü %22q%22"\r
      \r
      \r
      --B\r
      Content-Disposition: form-data; name="photo"; filename="a%22b\\.png"\r
      Content-Type: image/png\r
      \r
      #\r
      --B\r
      Content-Disposition: form-data; name="meta"\r
      Content-Type: application/json; charset="utf-8"\r
      \r
      {}\r
      --B--\r

      """
    let boundary = "baton-form-0-7MA4YWxkTrZu0gW"
    #expect(body.contentType == "multipart/form-data; boundary=\(boundary)")
    let parts = text.replacing("--B", with: "--\(boundary)").split(separator: "#", maxSplits: 1)
    #expect(body.bytes == Array(parts[0].utf8) + [0, 13, 10, 255] + Array(parts[1].utf8))
  }

  @Test("has a boundary that stands in none of its parts, and the same one each time")
  func boundary() throws {
    let part = FormPart("a", Array("--baton-form-0-7MA4YWxkTrZu0gW--".utf8))
    let body = try MultipartBody([part])
    #expect(body.contentType.hasSuffix("boundary=baton-form-1-7MA4YWxkTrZu0gW"))
    #expect(try MultipartBody([part]).bytes == body.bytes)
  }

  @Test("is nothing but its end where it has no parts")
  func empty() throws {
    #expect(String(decoding: try MultipartBody([]).bytes, as: UTF8.self) == "--baton-form-0-7MA4YWxkTrZu0gW--\r\n")
  }

  @Test("refuses what would break out of its line", arguments: ["a\r\nX: 1", "a\nb", "a\rb", "a\0b", "a\u{7F}"])
  func injection(text: String) {
    for part in [FormPart(text, []), FormPart("a", [], fileName: text), FormPart("a", [], contentType: text)] {
      let failure = #expect(throws: StepFailure.self) { try MultipartBody([part]) }
      #expect(failure?.code == "config.header")
      #expect(failure?.detail.contains("X: 1") == false)
    }
  }

  @Test(
    "knows a file's type by its name",
    arguments: [
      ("photos/A.PNG", "image/png"), ("data.tar.gz", "application/gzip"), ("a.json", "application/json"),
      ("noending", "application/octet-stream"),
      ("a.b/c", "application/octet-stream"), ("x.unheard-of", "application/octet-stream"), ("a.csv", "text/csv; charset=utf-8"),
    ])
  func types(path: String, type: String) {
    #expect(FileType.of(path) == type)
  }
}
