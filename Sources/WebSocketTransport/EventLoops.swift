import NIOCore
import NIOPosix
import Synchronization

/// One thread for as long as somebody holds a lease of it.
final class EventLoops: Sendable {
  private struct Current: Sendable {
    weak var lease: EventLoopLease?
  }

  private let current = Mutex(Current())

  /// The lease that others hold, or that of a new thread.
  func lease() -> EventLoopLease {
    current.withLock { current in
      if let lease = current.lease { return lease }
      let lease = EventLoopLease()
      current.lease = lease
      return lease
    }
  }
}

/// Keeps a thread of channels alive.
final class EventLoopLease: Sendable {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  var loop: any EventLoop { group.any() }
  var bootstrap: ClientBootstrap { ClientBootstrap(group: group) }

  /// The last one who lets go may be a channel on this very thread, which cannot wait for its own end.
  deinit { group.shutdownGracefully { _ in } }
}
