import HTTPTypes
package import StepKit
import Values

/// What an account keeps: groups, rules and schedules. Making, changing and deleting them is the same for all.
package protocol AferoKeptThing: DescribedRecord {
  /// `group`, as the steps are called.
  static var noun: String { get }
  /// `deviceGroups`: the segment of the path.
  static var plural: String { get }
  static var exampleID: String { get }
  /// Members of `with` that make one, and of a user of the sandbox who has one under `exampleID`.
  static var exampleMembers: String { get }
  static var exampleUser: String { get }
  static var exampleOutputs: String { get }
}

/// The input of what concerns an account and something that it keeps, or will.
package protocol AferoKeptInput: DescribedRecord {
  associatedtype Thing: AferoKeptThing
  var accountID: String { get }
  /// Members of the input that stand in the path and not in the body.
  static var pathMembers: Set<String> { get }
}

/// The same where it is there already.
package protocol AferoKeptReference: AferoKeptInput {
  /// The input's name for `id`.
  static var idName: String { get }
  var id: String { get }
}

extension AferoKeptReference {
  static var exampleReference: String { #""account_id": "acc-1", "\#(idName)": "\#(Thing.exampleID)""# }
}

extension Afero {
  /// `afero/create-group`, `afero/create-schedule`
  package enum CreateKept<Input: AferoKeptInput>: AferoOperation {
    package static var about: About {
      About("afero/create-\(Input.Thing.noun)", "Makes a new \(Input.Thing.noun) in an account.", effect: .unsafe, token: .user)
    }
    package static var example: Example {
      .afero(#"{"account_id": "acc-1", \#(Input.Thing.exampleMembers)}"#, Input.Thing.exampleOutputs, user: DeviceExample.user)
    }

    package typealias Output = Input.Thing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.post, try path("accounts", input.accountID, Input.Thing.plural), body: body(input, without: Input.pathMembers))
    }
  }

  /// `afero/update-group`, `afero/update-schedule`
  package enum UpdateKept<Input: AferoKeptReference>: AferoOperation {
    package static var about: About {
      About(
        "afero/update-\(Input.Thing.noun)", "Replaces a \(Input.Thing.noun): what is not given is gone.", effect: .idempotent, token: .user)
    }
    package static var example: Example {
      .afero(
        #"{\#(Input.exampleReference), \#(Input.Thing.exampleMembers)}"#, Input.Thing.exampleOutputs,
        user: DeviceExample.user + Input.Thing.exampleUser)
    }

    package typealias Output = Input.Thing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.put, try path("accounts", input.accountID, Input.Thing.plural, input.id), body: body(input, without: Input.pathMembers))
    }
  }

  /// `afero/delete-group`, `afero/delete-rule`, `afero/delete-schedule`
  package enum DeleteKept<Input: AferoKeptReference>: AferoOperation {
    package static var about: About {
      About("afero/delete-\(Input.Thing.noun)", "Deletes a \(Input.Thing.noun).", effect: .idempotent, token: .user)
    }
    package static var example: Example {
      .afero("{\(Input.exampleReference)}", user: DeviceExample.user + Input.Thing.exampleUser)
    }

    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.delete, try path("accounts", input.accountID, Input.Thing.plural, input.id))
    }
  }
}
