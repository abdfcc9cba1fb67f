import HTTPTypes
import StepKit
import Steps
import Synchronization
import Testing
import Values

/// A step of SecureNode against answers that are written down, on a connection of its own.
struct SecureNodeScript {
  let transport: ScriptedTransport
  var base = "https://edge.test"
  var files: any FilePort = NoFiles()
  var hooks = HTTPHooks()
  let clock = StepClock()

  init(_ answers: [Result<TransportReply, TransportFailure>], base: String = "https://edge.test", files: any FilePort = NoFiles()) {
    transport = ScriptedTransport(answers)
    self.base = base
    self.files = files
  }

  @discardableResult
  func run(_ name: String, _ with: String) async throws -> ValueMap {
    let step = try #require(StepCatalogue.standard.step(name))
    let system = try #require(StepCatalogue.standard.system("securenode"))
    let settings = try JSON.parse(#"{"api_key": "sn-live-key", "base_url": "\#(base)"}"#).mapValue ?? ValueMap()
    let input = try JSON.parse(with).mapValue ?? ValueMap()
    #expect(step.input().violations(in: input).map(\.message) == [])
    let http = ConnectedHTTP(
      endpoint: try system.endpoint(settings), session: NoSession(), transport: transport, clock: clock, effect: step.about.effect,
      token: step.about.token, hooks: hooks)
    return try await step.run(
      input,
      Ports(
        http: http, clock: clock, random: ZeroRandom(), prompt: AnswerList([]), session: NoSession(), settings: settings, files: files,
        log: { _ in }, stepID: "step"))
  }

  func failure(_ name: String, _ with: String) async -> StepFailure? {
    await #expect(throws: StepFailure.self) { try await run(name, with) }
  }

  /// `GET https://edge.test/api/mobile/…`, in the order of their sending.
  var asked: [String] { transport.asked.map { "\($0.method.rawValue) \($0.url)" } }

  /// The body of the request of this number.
  func body(_ index: Int = 0) throws -> Value {
    let requests = transport.asked
    return try JSON.parse(try #require(requests.indices.contains(index) ? requests[index].body : nil))
  }

  func key(_ index: Int = 0) throws -> String? {
    let requests = transport.asked
    return requests.indices.contains(index) ? requests[index].headers[try #require(HTTPField.Name("X-API-Key"))] : nil
  }
}

extension Result where Success == TransportReply, Failure == TransportFailure {
  static func broken(_ reason: TransportFailure.Reason, sent: Sent) -> Self {
    .failure(TransportFailure(reason, sent: sent, message: "broken"))
  }
}

/// Files that are a dictionary, with folders; writing a file of a certain name can be made to fail.
final class FolderFiles: FilePort {
  private let state = Mutex((contents: [String: [UInt8]](), refused: Set<String>(), log: [String]()))

  init(_ texts: [String: String] = [:]) { state.withLock { $0.contents = texts.mapValues { Array($0.utf8) } } }

  /// What has been written and removed, in order.
  var log: [String] { state.withLock { $0.log } }
  var paths: [String] { state.withLock { $0.contents.keys.sorted() } }
  func text(_ path: String) -> String? { state.withLock { $0.contents[path] }.map { String(decoding: $0, as: UTF8.self) } }
  func put(_ text: String, at path: String) { state.withLock { $0.contents[path] = Array(text.utf8) } }
  func refuse(_ paths: Set<String>) { state.withLock { $0.refused = paths } }

  func read(_ path: String) async throws(StepFailure) -> [UInt8] {
    guard let bytes = state.withLock({ $0.contents[path] }) else { throw .file("`\(path)` cannot be read: there is no such file") }
    return bytes
  }

  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) {
    let isRefused = state.withLock { state in
      guard !state.refused.contains(path) else { return true }
      state.contents[path] = bytes
      state.log.append("write \(path)")
      return false
    }
    if isRefused { throw .file("`\(path)` cannot be written: the disk is full") }
  }

  func names(in folder: String) async throws(StepFailure) -> [String] {
    state.withLock { state in
      state.contents.keys.filter { $0.hasPrefix("\(folder)/") }.map { String($0.dropFirst(folder.count + 1)) }.sorted()
    }
  }

  func remove(_ path: String) async throws(StepFailure) {
    state.withLock { state in
      state.contents[path] = nil
      state.log.append("remove \(path)")
    }
  }
}
