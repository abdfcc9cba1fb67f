import HTTPTransport
import StepKit
import Testing

@Suite struct CurlVerdictTests {
  /// A code that a newer header brings must be thought about.
  @Test func everyCodeHasAVerdict() {
    let missing = (1..<CurlVerdict.codeCount).filter { CurlVerdict.of($0) == nil }
    #expect(missing == [])
    #expect(CurlVerdict.codeCount >= 100)
    #expect(CurlVerdict.of(0) == nil)
    #expect(CurlVerdict.of(-1) == nil)
  }

  @Test(arguments: [(6, TransportFailure.Reason.dns), (7, .connect), (35, .tlsHandshake), (60, .tlsCertificate)])
  func nothingHasLeftBefore(_ code: Int, _ reason: TransportFailure.Reason) {
    #expect(CurlVerdict.of(code)?.reason == reason)
    #expect(CurlVerdict.of(code)?.sent == .no)
  }

  @Test(arguments: [(8, TransportFailure.Reason.malformed), (18, .reset), (52, .reset), (61, .malformed)])
  func somethingHasLeftBefore(_ code: Int, _ reason: TransportFailure.Reason) {
    #expect(CurlVerdict.of(code)?.reason == reason)
    #expect(CurlVerdict.of(code)?.sent == .maybe)
  }

  @Test func noCodeClaimsAWholeAnswer() {
    #expect(!(1..<CurlVerdict.codeCount).contains { CurlVerdict.of($0)?.sent == .yes })
  }
}
