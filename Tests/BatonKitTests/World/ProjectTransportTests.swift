import FoundationEssentials
import StepKit
import Synchronization
import Testing

@testable import BatonKit

/// The files of `tls` stand in the project, or where its operator says.
@Suite("The transport of a project")
struct ProjectTransportTests {
  /// Keeps the requests that it is given, and answers none.
  private final class Kept: HTTPTransporting {
    private let state = Mutex<[TransportRequest]>([])
    var requests: [TransportRequest] { state.withLock { $0 } }

    func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
      state.withLock { $0.append(request) }
      throw TransportFailure(.cancelled, sent: .no, message: "kept")
    }
  }

  private let folder: String
  private let kept = Kept()

  init() throws {
    folder = FileManager.default.temporaryDirectory.path() + "baton-transport-\(UInt64.random(in: .min ... .max))"
    try FileManager.default.createDirectory(atPath: "\(folder)/project/certs", withIntermediateDirectories: true)
    for path in ["project/certs/ca.pem", "project/key.pem", "operator.pem"] {
      try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(path)"))
    }
  }

  private func send(_ tls: TLSOptions) async throws {
    let places = TLSFilePlaces(
      files: ProjectFiles(root: "\(folder)/project"), operatorPaths: ["\(folder)/operator.pem", "\(folder)/gone.pem"])
    var request = TransportRequest(method: try .init(checked: "GET"), url: "https://api.test/", delivery: .repeatable)
    request.tls = tls
    _ = try await ProjectTransport(transport: kept, places: places).perform(request)
  }

  @Test("finds them from the project's folder on")
  func placed() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try? await send(TLSOptions(caFile: "certs/ca.pem", certificateFile: "./certs/../key.pem", keyFile: "\(folder)/operator.pem"))
    try? await send(TLSOptions(pinnedPublicKey: "sha256//x"))
    let tls = kept.requests.map(\.tls)
    #expect(tls.count == 2)
    #expect(tls.first?.caFile == "\(folder)/project/certs/ca.pem")
    #expect(tls.first?.certificateFile == "\(folder)/project/key.pem")
    #expect(tls.first?.keyFile == "\(folder)/operator.pem")
    #expect(tls.last == TLSOptions(pinnedPublicKey: "sha256//x"))
  }

  @Test(
    "sends nothing where one is not to be had", arguments: ["../operator.pem", "/etc/hosts", "FOLDER/gone.pem", "missing.pem", "certs", ""])
  func refused(path: String) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let failure = await #expect(throws: TransportFailure.self) {
      try await send(TLSOptions(caFile: path.replacing("FOLDER", with: folder)))
    }
    #expect(failure?.reason == .invalidRequest)
    #expect(failure?.sent == .no)
    #expect(failure?.message.hasPrefix("`\(path.replacing("FOLDER", with: folder))` cannot be read: ") == true)
    #expect(kept.requests.isEmpty)
  }
}
