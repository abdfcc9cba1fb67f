import StepKit
import Steps
import Synchronization
import Testing
import Values

/// The world of a built-in step that sends nothing, or what a script answers.
struct StepPorts {
  var files: any FilePort = NoFiles()
  var processes: any ProcessPort = NoProcesses()
  var transport = ScriptedTransport([])
  let events = EventLog()

  /// Validates `with` as a runner does, and runs the step.
  func run(_ step: AnyStep, _ with: ValueMap) async throws -> ValueMap {
    let messages = step.refine(with, ValueMap()).violations(in: with).map(\.message)
    guard messages.isEmpty else { throw InvalidInput(messages: messages) }
    let http = ConnectedHTTP(
      endpoint: ConnectionEndpoint(base: try WebAddress("https://id.test")), session: NoSession(), transport: transport, clock: StepClock(),
      effect: step.about.effect, token: step.about.token, hooks: HTTPHooks(observe: events.append))
    let outputs = try await step.run(
      with,
      Ports(
        http: http, clock: StepClock(), random: ZeroRandom(), prompt: AnswerList([]), session: NoSession(), settings: ValueMap(),
        files: files,
        processes: processes, log: events.append, stepID: "step"))
    #expect(step.refineOutput(with).violations(in: outputs).map(\.message) == [])
    return outputs
  }

  func run(_ step: AnyStep, _ with: String) async throws -> ValueMap { try await run(step, JSON.parse(with).mapValue ?? ValueMap()) }

  /// The failure of a step that must fail.
  func failure(_ step: AnyStep, _ with: String) async -> StepFailure? {
    await #expect(throws: StepFailure.self) { try await run(step, with) }
  }
}

/// Files that are a dictionary.
final class MemoryFiles: FilePort {
  private let contents: Mutex<[String: [UInt8]]>

  init(_ texts: [String: String] = [:]) { contents = Mutex(texts.mapValues { Array($0.utf8) }) }

  func text(_ path: String) -> String? { contents.withLock { $0[path] }.map { String(decoding: $0, as: UTF8.self) } }

  func put(_ bytes: [UInt8], at path: String) { contents.withLock { $0[path] = bytes } }

  func read(_ path: String) async throws(StepFailure) -> [UInt8] {
    guard let bytes = contents.withLock({ $0[path] }) else { throw .file("`\(path)` cannot be read: there is no such file") }
    return bytes
  }

  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) { put(bytes, at: path) }
}

/// A program that ends as it is told to, and keeps what it was asked.
final class ScriptedProcess: ProcessPort {
  private let result: ProcessResult
  private let requests = Mutex<[ProcessRequest]>([])

  init(_ output: String = "", error: String = "", exitCode: Int = 0) {
    result = ProcessResult(exitCode: exitCode, output: Array(output.utf8), errorOutput: Array(error.utf8))
  }

  var asked: [ProcessRequest] { requests.withLock { $0 } }

  func run(_ request: ProcessRequest) async throws(StepFailure) -> ProcessResult {
    requests.withLock { $0.append(request) }
    return result
  }
}
