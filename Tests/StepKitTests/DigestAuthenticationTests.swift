import HTTPTypes
import Testing

@testable import StepKit

@Suite("Digest authentication")
struct DigestAuthenticationTests {
  @Test(
    "hashes as the standards' own examples",
    arguments: [
      ("", "d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "900150983cd24fb0d6963f7d28e17f72", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890", "57edf4a22be3c955ac49da2e2107b67a",
        "f371bc4a311f2b009eef952dd83ca80e2b60026c8e935592d0f9c308453c813e"
      ),
      // 55 and 56 bytes: the last that fits one block, and the first that does not.
      (
        String(repeating: "a", count: 55), "ef1772b6dff9a122358552954ad0df65",
        "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
      ),
      (
        String(repeating: "a", count: 56), "3b0c8ac703f828b04c6c197006d17218",
        "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"
      ),
    ])
  func hashes(text: String, md5: String, sha256: String) {
    #expect(HashDigest.md5(Array(text.utf8)) == md5)
    #expect(HashDigest.sha256(Array(text.utf8)) == sha256)
  }

  private static let rfc7616 =
    #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=%, "#
    + #"nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#

  @Test(
    "answers the challenges of RFC 7616 §3.9.1",
    arguments: [
      ("MD5", "8ca523f5e9506fed4657c9700eebdbec"), ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
  func examples(algorithm: String, response: String) throws {
    let challenge = try #require(strongest(Self.rfc7616.replacing("%", with: algorithm)))
    #expect(
      challenge.answer(
        DigestCredentials(username: "Mufasa", password: "Circle of Life"), method: "GET", target: "/dir/index.html",
        clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        == #"Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "#
        + #"uri="/dir/index.html", algorithm=\#(algorithm), qop=auth, nc=00000001, "#
        + #"cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", response="\#(response)", "#
        + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#)
  }

  @Test("answers a challenge without `qop` as RFC 2069 has it, and one of a session")
  func variants() throws {
    let person = DigestCredentials(username: "Mufasa", password: "Circle Of Life")
    let fields = #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
    let old = try #require(strongest(fields)).answer(person, method: "GET", target: "/dir/index.html", clientNonce: "0a4f113b")
    #expect(old.contains(#"response="670fd8c2df070c60b045671b8b24ff02""#))
    #expect(!old.contains("cnonce") && !old.contains("qop"))
    let session = try #require(strongest("\(fields), qop=auth, algorithm=MD5-sess"))
    #expect(
      session.answer(person, method: "GET", target: "/dir/index.html", clientNonce: "0a4f113b")
        .contains(#"response="8e3825c57e897f5a0dec6c2d4e5059d0""#))
  }

  @Test("hashes the name where the server asks for it")
  func userhash() throws {
    let fields = #"Digest realm="http-auth@example.org", nonce="n", qop="auth", algorithm=SHA-256, userhash=true"#
    let answer = try #require(strongest(fields))
      .answer(DigestCredentials(username: "Mufasa", password: "x"), method: "GET", target: "/", clientNonce: "c")
    #expect(answer.hasPrefix(#"Digest username="a947aad205e80e429958a387394944c6b496301e79f89d35a4cc23b6ee12b5b6""#))
    #expect(answer.hasSuffix("userhash=true"))
    #expect(!answer.contains("Mufasa"))
  }

  @Test("takes the strongest of several challenges, in one header or in several")
  func choice() throws {
    var headers = HTTPFields()
    headers[values: .wwwAuthenticate] = [
      #"Basic realm="a, b", Digest realm="md5", nonce="1", qop="auth""#,
      #"Digest realm="sha", nonce="2", algorithm=SHA-256, qop="auth", Negotiate"#,
    ]
    #expect(DigestChallenge.strongest(in: headers)?.realm == "sha")
    #expect(strongest(#"Basic realm="a, b", Digest realm="md5", nonce="1", qop="auth""#)?.realm == "md5")
  }

  @Test(
    "has no answer to what it does not know, and to what is broken",
    arguments: [
      #"Basic realm="a""#, #"Digest realm="a", nonce="1", algorithm=SHA-512-256"#, #"Digest realm="a", nonce="1", qop="auth-int""#,
      #"Digest realm="a""#, "Digest", "", "===", #"Digest realm="unclosed"#, ", ,",
    ])
  func unknown(text: String) {
    #expect(strongest(text) == nil)
  }

  @Test("keeps quotes inside their quotes")
  func quotes() throws {
    let challenge = try #require(strongest(#"Digest realm="a\"b\\c", nonce="1""#))
    #expect(challenge.realm == #"a"b\c"#)
    let answer = challenge.answer(DigestCredentials(username: #"x", y="z"#, password: ""), method: "GET", target: "/", clientNonce: "c")
    #expect(answer.hasPrefix(#"Digest username="x\", y=\"z", realm="a\"b\\c", "#))
  }

  private func strongest(_ text: String) -> DigestChallenge? {
    DigestChallenge.strongest(in: [.wwwAuthenticate: text])
  }
}
