import Glibc
import Hummingbird
import NIOCore

/// The connection that a request came by, as far as faults end it.
struct Connection: InitializableFromSource {
  let channel: any Channel
  let close: @Sendable () async throws -> Void
  /// Sends what is written, then FIN.
  let closeOutput: @Sendable () async throws -> Void
  /// Sends RST.
  let reset: @Sendable () async throws -> Void

  init(source: ApplicationRequestContextSource) {
    let channel = source.channel
    self.channel = channel
    close = { try await channel.close() }
    closeOutput = { try await channel.close(mode: .output) }
    reset = {
      // A socket that does not linger is closed with RST instead of FIN (socket(7), SO_LINGER). The option's value goes
      // to the kernel as it lies in memory, and `linger` has the size of an Int.
      let hard = unsafe unsafeBitCast(linger(l_onoff: 1, l_linger: 0), to: Int.self)
      try await channel.setOption(.socketOption(.so_linger), value: hard).get()
      try await channel.close()
    }
  }
}
