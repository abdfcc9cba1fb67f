import HTTPTypes
package import StepKit

extension Oya {
  /// `oya/get-myinfo-config`
  package enum GetMyInfoConfig: Operation {
    package static let about = About(
      "oya/get-myinfo-config", "Asks where a person of Singapore lets MyInfo speak of them.", effect: .read, token: .user)
    package static let example = Oya.example(with: "{}", outputs: #"{"url": "*"}"#)

    package typealias Input = MobileShop.NoInput
    package struct Output: Sendable { let url: String }

    package static func call(_ input: Input) -> HTTPCall { HTTPCall(.get, "/regions/sg/kyc/myInfo/v3/config") }
  }

  /// `oya/get-myinfo`
  package enum GetMyInfo: Operation {
    package static let about = About(
      "oya/get-myinfo", "Fetches the person from MyInfo, which is the region's check `my_info`.", effect: .unsafe, token: .user)
    package static let refusals =
      customerMissing + [RefusalRule(404, 500, saying: "FAILED_TO_FETCH_CUSTOMER_MYINFO_DATA", is: myInfoFailed)]
    package static let example = Oya.example(
      with: #"{"code": "authcode-1"}"#,
      outputs: #"{"name": {"value": "TAN MEI"}, "dob": "*", "uinfin": "*", "passexpirydate": "*", "regadd": "*", "mailadd": {}}"#)

    package struct Input: Sendable { let code: Secret<String> }
    package typealias Output = MyInfo

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        .get, "/regions/sg/kyc/myInfo/v3/personData/\(try segment(input.code.exposed, "code"))", hidden: [input.code.exposed],
        secretMembers: ["uinfin"], isTextSecret: true)
    }
  }

  /// What MyInfo knows of a person, each in a wrapping of its own.
  package struct MyInfo: Sendable {
    let name: MyInfoText?
    let dob: MyInfoText?
    let uinfin: Secret<MyInfoText>?
    let passexpirydate: MyInfoText?
    let regadd: MyInfoAddress?
    let mailadd: MyInfoAddress?
    let further: FurtherMembers
  }

  /// One text of MyInfo.
  package struct MyInfoText: Sendable { let value_: String? }

  /// An address of MyInfo.
  package struct MyInfoAddress: Sendable {
    let floor: MyInfoText?
    let unit: MyInfoText?
    let block: MyInfoText?
    let building: MyInfoText?
    let street: MyInfoText?
    let postal: MyInfoText?
    let further: FurtherMembers
  }
}

extension Oya.GetMyInfoConfig.Output: DescribedRecord {
  package init(_ field: inout Fields) { url = field("url", "A page of MyInfo; it leads back to the app with a code.") }
}

extension Oya.GetMyInfo.Input: DescribedRecord {
  package init(_ field: inout Fields) { code = field("code", "The code that MyInfo led the person back with.", minLength: 1) }
}

extension Oya.MyInfo: DescribedRecord {
  package init(_ field: inout Fields) {
    name = field("name", "Their name.")
    dob = field("dob", "When they were born.")
    uinfin = field("uinfin", "The number of their identity card.")
    passexpirydate = field("passexpirydate", "When a foreigner's pass ends.")
    regadd = field("regadd", "Where they are registered.")
    mailadd = field("mailadd", "Where their mail goes.")
    further = field.further()
  }
}

extension Oya.MyInfoText: DescribedRecord {
  package init(_ field: inout Fields) { value_ = field("value", "The text itself.") }
}

extension Oya.MyInfoAddress: DescribedRecord {
  package init(_ field: inout Fields) {
    floor = field("floor", "The storey.")
    unit = field("unit", "The flat.")
    block = field("block", "The number of the house.")
    building = field("building", "The name of the house.")
    street = field("street", "The street.")
    postal = field("postal", "The postal code.")
    further = field.further()
  }
}
