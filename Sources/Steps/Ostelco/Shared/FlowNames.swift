import StepKit
import Values

extension Value {
  /// The value with every member's name as flows write it: `noOfBytes` is `no_of_bytes`.
  var inFlowNames: Value {
    switch self {
    case .list(let items): return .list(items.map(\.inFlowNames))
    case .map(let map):
      var named = ValueMap()
      for (key, value) in map { named[Self.flowName(key.text)] = value.inFlowNames }
      return .map(named)
    default: return self
    }
  }

  /// `MY_INFO` is a word of its own, and no camel case.
  private static func flowName(_ name: String) -> String { name.contains(where: \.isLowercase) ? snakeCase(name) : name.lowercased() }
}

extension DescribedRecord {
  /// Reads an answer of the operator.
  /// - Parameters:
  ///   - name: the member that a bare list becomes; outputs are records.
  ///   - complete: adds what follows from the answer; it may be of any shape yet.
  /// - Throws: `decode`, with the answer as it came.
  static func read(
    _ reply: HTTPReply, listAs name: String? = nil, complete: (inout ValueMap) -> Void = { _ in }
  ) throws(StepFailure) -> Self {
    var named = reply
    named.body = reply.body.inFlowNames
    if let name {
      guard reply.body.listValue != nil else {
        throw StepFailure(
          "decode", title: "the answer is not of the documented shape", detail: "the answer must be a list, not \(reply.body.typeName)",
          sent: .yes, answer: reply.answer)
      }
      named.body = .map(ValueMap(members: [name: named.body]))
    }
    if case .map(var map) = named.body {
      complete(&map)
      named.body = .map(map)
    }
    do throws(StepFailure) {
      return try decode(named)
    } catch {
      var failure = error
      failure.answer = reply.answer
      throw failure
    }
  }
}
