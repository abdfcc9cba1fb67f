import HTTPTransport
import Testing

@Suite struct PeerAddressTests {
  @Test(arguments: ["169.254.169.254", "fe80::1", "[fe80::1]", "febf::1", "::ffff:169.254.0.1", "fe80::1%eth0"])
  func linkLocal(_ text: String) { #expect(PeerAddress(text).isLinkLocal) }

  @Test(arguments: ["127.0.0.1", "169.253.0.1", "fec0::1", "10.0.0.1", "169.254.169.254.nip.test", ""])
  func notLinkLocal(_ text: String) { #expect(!PeerAddress(text).isLinkLocal) }

  @Test(arguments: ["127.0.0.1", "127.255.0.1", "::1", "[::1]", "::ffff:127.0.0.1"])
  func loopback(_ text: String) { #expect(PeerAddress(text).isLoopback) }

  @Test(arguments: ["128.0.0.1", "::2", "::", "localhost.test", "127.0.0.1.test"])
  func notLoopback(_ text: String) { #expect(!PeerAddress(text).isLoopback) }
}
