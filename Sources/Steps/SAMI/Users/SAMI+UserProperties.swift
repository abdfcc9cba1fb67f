import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// What an application keeps with a user.
  package struct UserProperties: Sendable {
    let uid: String
    let aid: String
    let properties: String
  }

  /// The input of the steps that send properties.
  package struct UserPropertiesToKeep: Sendable {
    let uid: String
    let aid: String
    let properties: String
  }

  /// The input of the steps that name them alone.
  package struct UserPropertiesReference: Sendable {
    let uid: String
    let aid: String
  }
}

/// One of the four calls on `/users/{id}/properties`.
package protocol UserPropertiesCall: Sendable {
  associatedtype Input: DescribedRecord
  static var about: About { get }
  static var exampleWith: String { get }
  static var exampleResult: String { get }
  static func request(_ input: Input) -> SAMIRequest
}

extension SAMI {
  /// `sami/get-user-properties`, `sami/set-user-properties`, `sami/update-user-properties`, `sami/delete-user-properties`
  package enum UserPropertiesStep<Call: UserPropertiesCall>: SAMIOperation {
    package static var about: About { Call.about }
    package static var example: Example {
      Example(
        with: Call.exampleWith, outputs: #"{"uid": "u-12", "aid": "app-1", "properties": \#(Call.exampleResult)}"#,
        given: #"{"properties": [{"aid": "app-1", "properties": "{\"goal\":10000}"}]}"#, before: [.consent])
    }

    package typealias Input = Call.Input
    package typealias Output = UserProperties

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest { Call.request(input) }
  }

  /// `GET`
  package enum GetUserProperties: UserPropertiesCall {
    package static let about = About(
      "sami/get-user-properties", "Reads what the application keeps with a user.", effect: .read, token: .user)
    package static let exampleWith = UserPropertiesReference.example
    package static let exampleResult = #""{\"goal\":10000}""#
    package static func request(_ input: UserPropertiesReference) -> SAMIRequest { input.request(.get) }
  }

  /// `DELETE`
  package enum DeleteUserProperties: UserPropertiesCall {
    package static let about = About(
      "sami/delete-user-properties", "Deletes what the application keeps with a user.", effect: .idempotent, token: .user)
    package static let exampleWith = UserPropertiesReference.example
    package static let exampleResult = #""""#
    package static func request(_ input: UserPropertiesReference) -> SAMIRequest { input.request(.delete) }
  }

  /// `POST`
  package enum SetUserProperties: UserPropertiesCall {
    package static let about = About(
      "sami/set-user-properties", "Keeps a text of the application with a user.", effect: .unsafe, token: .user)
    package static let exampleWith = UserPropertiesToKeep.example
    package static let exampleResult = #""{\"goal\":12000}""#
    package static func request(_ input: UserPropertiesToKeep) -> SAMIRequest { input.request(.post) }
  }

  /// `PUT`
  package enum UpdateUserProperties: UserPropertiesCall {
    package static let about = About(
      "sami/update-user-properties", "Replaces what the application keeps with a user.", effect: .idempotent, token: .user)
    package static let exampleWith = UserPropertiesToKeep.example
    package static let exampleResult = #""{\"goal\":12000}""#
    package static func request(_ input: UserPropertiesToKeep) -> SAMIRequest { input.request(.put) }
  }
}

extension SAMI.UserPropertiesReference {
  static let example = #"{"uid": "u-12", "aid": "app-1"}"#

  func request(_ method: HTTPRequest.Method) -> SAMIRequest {
    SAMIRequest(method, "users", uid, "properties", query: wire(without: ["uid"]))
  }
}

extension SAMI.UserPropertiesToKeep {
  static let example = #"{"uid": "u-12", "aid": "app-1", "properties": "{\"goal\":12000}"}"#

  func request(_ method: HTTPRequest.Method) -> SAMIRequest { SAMIRequest(method, "users", uid, "properties", body: wire()) }
}

extension SAMI.UserPropertiesReference: DescribedRecord {
  package init(_ field: inout Fields) {
    uid = field("uid", "The user's id.", minLength: 1)
    aid = field("aid", "The application's id, which must be that of the token.", minLength: 1, maxLength: 36)
  }
}

extension SAMI.UserPropertiesToKeep: DescribedRecord {
  package init(_ field: inout Fields) {
    uid = field("uid", "The user's id.", minLength: 1)
    aid = field("aid", "The application's id, which must be that of the token.", minLength: 1, maxLength: 36)
    properties = field("properties", "Any text, often JSON.", maxLength: 10000)
  }
}

extension SAMI.UserProperties: DescribedRecord {
  package init(_ field: inout Fields) {
    uid = field("uid", "The user's id.")
    aid = field("aid", "The application's id.")
    properties = field("properties", "What is kept; empty where it is deleted.")
  }
}
