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

  /// The library is found at run time and may know more codes than the headers. (A switch that the compiler takes for
  /// exhaustive would be undefined for those, which is why this is a test.)
  @Test func everyCodeOfTheLoadedLibraryHasAVerdict() throws {
    try #require(CurlLibrary.failure == nil)
    let unknown = try #require(CurlVerdict.text(of: 9999))
    let known = (1..<9999).filter { CurlVerdict.text(of: $0) != unknown }
    #expect(known.count >= 80, "the codes that are no longer used have no words")
    #expect(known.filter { CurlVerdict.of($0) == nil }.map { "\($0): \(CurlVerdict.text(of: $0) ?? "")" } == [])
  }

  @Test func everyVerdictSaysWhatToDo() {
    let verdicts = (1..<CurlVerdict.codeCount).compactMap(CurlVerdict.of)
    #expect(verdicts.count == CurlVerdict.codeCount - 1)
    #expect(verdicts.allSatisfy { $0.hint.count > 20 && $0.hint.first?.isUppercase == false && !$0.hint.hasSuffix(".") })
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
