import Testing

import Steps

@Suite("Phone numbers at RapidSOS")
struct PhoneNumberTests {
  @Test(
    "are normalised as RapidSOS's own clients do it",
    arguments: [
      ("(234) 567-8888", "12345678888", "+12345678888"),
      ("+1 234-567-8888", "12345678888", "+12345678888"),
      ("567-8888", "5678888", "+5678888"),
      ("+44 20 7946 0958", "442079460958", "+442079460958"),
      ("", "", "+"),
      ("234*567●8", "234*567●8", "+234*567●8"),
      ("0123456789", "10123456789", "+10123456789"),
    ])
  func table(raw: String, digits: String, international: String) {
    #expect(PhoneNumber(raw).normalised == digits)
    #expect(PhoneNumber(raw).international == international)
  }

  @Test(
    "can be called back with eleven digits",
    arguments: [
      ("(234) 567-8888", true), ("567-8888", false), ("+44 20 7946 0958", false), ("2345678901*", false), ("", false),
      ("٢٣٤٥٦٧٨٨٨٨", false),
    ])
  func callable(raw: String, isCallable: Bool) {
    #expect(PhoneNumber(raw).isCallable == isCallable)
  }
}
