import HTTPTypes
package import StepKit

extension Oya {
  /// `oya/save-address`
  package enum SaveAddress: Operation {
    package static let about = About(
      "oya/save-address", "Saves where the customer lives, which is the region's check `address`.", effect: .idempotent, token: .user)
    package static let refusals = regionRefusals
    package static let example = Oya.example(
      with: #"{"region": "sg", "floor": "02", "unit": "10", "block": "5", "street": "MAIN ST", "postcode": "460005"}"#,
      outputs: #"{"address": "02;;;10;;;5;;;;;;MAIN ST;;;460005"}"#)

    package struct Input: Sendable {
      let region: AddressRegion
      let floor: String?
      let unit: String?
      let block: String?
      let building: String?
      let street: String
      let postcode: String

      /// In the order of OYA's app, with its separator; what is not given is empty.
      var joined: String { [floor ?? "", unit ?? "", block ?? "", building ?? "", street, postcode].joined(separator: ";;;") }
    }

    package struct Output: Sendable { let address: String }

    package static func call(_ input: Input) -> HTTPCall {
      HTTPCall(.put, "/regions/\(input.region.rawValue)/kyc/profile", query: [("address", input.joined)])
    }

    package static func output(_ reply: HTTPReply, of input: Input) -> Output { Output(address: input.joined) }
  }

  /// The regions that ask for an address.
  enum AddressRegion: String, Choice { case sg, my }
}

extension Oya.SaveAddress.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    region = field("region", "The region; the others take no address.")
    floor = field("floor", "The storey.")
    unit = field("unit", "The flat.")
    block = field("block", "The number of the house.")
    building = field("building", "The name of the house.")
    street = field("street", "The street.")
    postcode = field("postcode", "The postal code.")
  }
}

extension Oya.SaveAddress.Output: DescribedRecord {
  package init(_ field: inout Fields) { address = field("address", "The address as it was sent: its parts, joined by `;;;`.") }
}
