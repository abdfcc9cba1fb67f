import HTTPTypes
import SandboxKit
import StepKit

/// The media host and the store of photos, as steps reach them in a sandbox.
enum MediaWorld {
  static let settings = #"{"media_url": "\#(SandboxTransport.origin)/rapidsos"}"#
  static let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + (0..<1000).map { UInt8($0 % 256) } + [0xFF, 0xD9]

  /// The world's ports with a picture among the files, and with the store where its URLs say.
  static func ports(_ world: StepWorld, _ about: About) throws -> Ports {
    var ports = try world.ports(for: about)
    ports.files = Pictures()
    var http = ConnectedHTTP(
      endpoint: try ConnectionEndpoint(settings: world.settings), session: world.session, transport: StoreTransport(sandbox: world.sandbox),
      clock: world.clock, effect: about.effect, token: about.token, staysHere: about.isEmergency)
    http.hooks = HTTPHooks(observe: world.events.append)
    ports.http = http
    return ports
  }
}

private struct Pictures: FilePort {
  func read(_ path: String) async throws(StepFailure) -> [UInt8] {
    guard path == "photos/dana.jpeg" else { throw .file("`\(path)` is not there") }
    return MediaWorld.photo
  }
  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) { throw .file("`\(path)` cannot be written") }
}

/// Knows who is asked, as a socket does, and has the store's own address lead into the sandbox.
private struct StoreTransport: HTTPTransporting {
  static let store = "https://kronos-images.s3.amazonaws.com/"
  let sandbox: Sandbox

  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    var target = request.url
    if target.hasPrefix(Self.store) { target = "\(SandboxTransport.origin)/rapidsos/kronos-images/" + target.dropFirst(Self.store.count) }
    guard target.hasPrefix(SandboxTransport.origin) else {
      throw TransportFailure(.connect, sent: .no, message: "nothing listens at \(target)")
    }
    var asked = SandboxRequest(
      request.method, target: String(target.dropFirst(SandboxTransport.origin.count)), headers: request.headers, body: request.body ?? [])
    asked.authority = String(SandboxTransport.origin.dropFirst("http://".count))
    let reply = sandbox.answer(asked).reply
    return TransportReply(status: reply.status, headers: reply.headers, body: reply.body, url: request.url)
  }
}
