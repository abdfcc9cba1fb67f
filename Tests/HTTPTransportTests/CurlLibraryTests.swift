import HTTPTransport
import Testing

@Suite struct CurlLibraryTests {
  @Test func anAbsentLibraryIsNamed() throws {
    let failure = try #require(CurlLibrary.load(named: "libnonesuch.so.4"))
    #expect(failure.hasPrefix("libcurl cannot be used (libnonesuch.so.4: "))
    #expect(failure.hasSuffix("; install `libcurl4`"))
  }

  @Test func anotherLibraryIsRefused() throws {
    let failure = try #require(CurlLibrary.load(named: "libc.so.6"))
    #expect(failure == "libcurl cannot be used (libc.so.6 has no function `curl_global_init`); install `libcurl4`")
  }
}
