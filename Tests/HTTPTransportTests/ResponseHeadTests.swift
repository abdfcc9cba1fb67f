import HTTPTransport
import HTTPTypes
import Testing

@Suite struct ResponseHeadTests {
  /// Feeds lines and returns the fields, or the fault of the first bad one.
  private func read(_ lines: String...) -> Result<[String], ResponseHeadFault> {
    var head = ResponseHead()
    for line in lines {
      if let fault = head.take(Array((line + "\r\n").utf8).span) { return .failure(.init(fault: fault)) }
    }
    return .success(head.fields().map { "\($0.name.rawName)=\($0.value)" })
  }

  struct ResponseHeadFault: Error, Hashable { let fault: ResponseHead.Fault }

  @Test func fields() {
    #expect(read("HTTP/1.1 200 OK", "A: 1", "b:2 ", "A:", "") == .success(["A=1", "b=2", "A="]))
    #expect(read("HTTP/2 200", "A: x: y", "") == .success(["A=x: y"]))
  }

  @Test func onlyTheLastAnswerCounts() {
    #expect(read("HTTP/1.1 100 Continue", "A: 1", "", "HTTP/1.1 200 OK", "B: 2", "", "C: 3") == .success(["B=2"]))
  }

  @Test func theLengthsOfTwoAnswersDoNotConflict() {
    let lines = read("HTTP/1.1 103 Hints", "Content-Length: 1", "", "HTTP/1.1 200 OK", "Content-Length: 2", "")
    #expect(lines == .success(["Content-Length=2"]))
  }

  @Test func theSameLengthTwiceIsNoConflict() {
    #expect(read("HTTP/1.1 200 OK", "Content-Length: 2", "content-length: 2, 2", "") != .failure(.init(fault: .malformed(""))))
  }

  @Test func aLineThatIsNoFieldIsLeftOut() {
    #expect(read("HTTP/1.1 200 OK", "no colon", "B(d: 1", "C: 2", "") == .success(["C=2"]))
  }

  @Test func completeness() {
    var head = ResponseHead()
    for line in ["HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 200 OK\r\n"] { #expect(head.take(Array(line.utf8).span) == nil) }
    #expect(!head.isComplete)
    #expect(head.take(Array("\n".utf8).span) == nil)
    #expect(head.isComplete)
  }
}
