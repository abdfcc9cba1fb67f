import StepKit
import Steps
import Testing
import Values

@Suite("The URL that a browser was sent back to")
struct SAMIRedirectTests {
  @Test(
    "is read pair by pair",
    arguments: [
      ("ios-app://redirect#expires_in=7200&token_type=bearer&access_token=abc", "token", "abc"),
      ("ios-app://redirect#expires_in=7200&token_type=bearer&access_token=abc&state=xyz", "token", "abc"),
      ("ios-app://redirect#access_token=abc%3D", "token", "abc="), ("ios-app://redirect#error=access_denied", "denial", nil),
      ("ios-app://redirect?status=logout", "logout", nil), ("https://myapp.test/cb?code=0ee7&state=xyz", "code", nil),
      ("https://accounts.test/login?next=access_token", "other", nil), ("", "other", nil),
    ])
  func table(url: String, kind: String, token: String?) async throws {
    let script = try await SAMIScript([], token: nil)
    let outputs = try await script.run("parse-redirect", #"{"url": "\#(url)", "adopt": false}"#)
    #expect(outputs["kind"] == .string(kind))
    #expect(outputs["access_token"] == token.map { .secret(.string($0)) })
    #expect(script.asked == [])
    #expect(await script.session.held(.user) == nil)
  }

  @Test(
    "signs in, unless it says no",
    arguments: [
      ("#access_token=abc&state=xyz", nil), ("#error=access_denied&state=xyz", "auth.denied"), ("#access_token=abc&state=x", "auth.state"),
      ("#error=access_denied&state=x", "auth.state"), ("?status=logout&state=xyz", "sami.no_token_in_redirect"),
    ] as [(String, String?)])
  func adoption(rest: String, code: String?) async throws {
    let script = try await SAMIScript([], token: nil)
    let with = #"{"url": "ios-app://redirect\#(rest)", "state": "xyz"}"#
    if let code {
      #expect(await script.failure("parse-redirect", with)?.code == code)
    } else {
      try await script.run("parse-redirect", with)
    }
    #expect(await script.session.held(.user)?.accessToken == (code == nil ? "abc" : nil))
  }

  @Test("counts as a sign-in where it is taken on")
  func signsIn() throws {
    let step = try #require(StepCatalogue.standard.step("sami/parse-redirect"))
    #expect(step.signsIn(ValueMap()) == true)
    #expect(step.signsIn(ValueMap(members: ["adopt": false])) == false)
    #expect(step.signsIn(ValueMap(members: ["adopt": .string("?")])) == nil)
  }
}
