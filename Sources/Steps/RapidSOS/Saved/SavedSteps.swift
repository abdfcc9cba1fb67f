import HTTPTypes
package import StepKit
import Values

extension RapidSOS {
  /// `rapidsos/list-locations`, `rapidsos/list-devices`
  package enum ListSaved<Thing: SavedThing>: StepHandler {
    package static var about: About {
      About("rapidsos/list-\(Thing.plural)", "Lists the \(Thing.plural) of the person who is signed in.", effect: .read, token: .user)
    }
    package static var errors: [StepError] { [validationFailed, notFound] }
    package static var example: Example {
      Example(with: "{}", outputs: #"{"\#(Thing.plural)": "*"}"#, given: Thing.exampleGiven, before: [.signIn])
    }

    package struct Input: DescribedRecord {
      package init(_ field: inout Fields) {}
    }

    package typealias Output = Thing.All

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/v1/rain/\(Thing.plural)")
      guard reply.isSuccess else { throw failure(reply) }
      guard reply.body.listValue != nil else {
        throw StepFailure(
          "decode", title: "the answer is not of the documented shape", detail: "the answer must be a list, not \(reply.body.typeName)",
          sent: .yes, answer: reply.answer)
      }
      // The answer is a bare array, and outputs are records.
      var wrapped = reply
      wrapped.body = [Thing.plural: reply.body]
      do throws(StepFailure) {
        return try Thing.All.decode(wrapped)
      } catch {
        var failure = error
        failure.answer = reply.answer
        throw failure
      }
    }
  }

  /// `rapidsos/create-location`, `rapidsos/create-device`
  package enum CreateSaved<Thing: SavedThing>: StepHandler {
    package static var about: About {
      About("rapidsos/create-\(Thing.noun)", "Saves a new \(Thing.noun) for the person who is signed in.", effect: .unsafe, token: .user)
    }
    package static var errors: [StepError] { [validationFailed, notFound] }
    package static var example: Example {
      Example(
        with: "{\(Thing.exampleSections)}", outputs: #"{"id": "*", "\#(Thing.exampleSection)": "*"}"#,
        given: #"{"users": [{"username": "dana.reyes"}]}"#, before: [.signIn])
    }

    package typealias Input = Thing.Sections
    package typealias Output = Thing

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      try await send(.post, "/v1/rain/\(Thing.plural)", input, ports)
    }
  }

  /// `rapidsos/get-location`, `rapidsos/get-device`
  package enum GetSaved<Thing: SavedThing>: StepHandler {
    package static var about: About {
      About("rapidsos/get-\(Thing.noun)", "Reads one \(Thing.noun) of the person who is signed in.", effect: .read, token: .user)
    }
    package static var errors: [StepError] { [notFound, missingID, validationFailed] }
    package static var example: Example { .ofOne(Thing.self) }

    package typealias Input = SavedReference<Thing>
    package typealias Output = Thing

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get(try input.path())
      guard reply.isSuccess else { throw failure(reply) }
      return try Thing.decode(reply)
    }
  }

  /// `rapidsos/update-location`, `rapidsos/update-device`
  package enum UpdateSaved<Thing: SavedThing>: StepHandler {
    package static var about: About {
      About(
        "rapidsos/update-\(Thing.noun)", "Changes the given sections of a \(Thing.noun) and leaves the others.", effect: .idempotent,
        token: .user)
    }
    package static var errors: [StepError] { [notFound, missingID, validationFailed] }
    package static var example: Example { .ofOne(Thing.self, and: Thing.exampleSections) }

    package typealias Input = SavedChange<Thing>
    package typealias Output = Thing

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      try await send(.patch, try input.reference.path(), input.sections, ports)
    }
  }

  /// `rapidsos/replace-location`
  package enum ReplaceSaved<Thing: SavedThing>: StepHandler {
    package static var about: About {
      About(
        "rapidsos/replace-\(Thing.noun)", "Replaces a \(Thing.noun): sections that are not given are gone.", effect: .idempotent,
        token: .user)
    }
    package static var errors: [StepError] { [notFound, missingID, validationFailed] }
    package static var example: Example { .ofOne(Thing.self, and: Thing.exampleSections) }

    package typealias Input = SavedChange<Thing>
    package typealias Output = Thing

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      try await send(.put, try input.reference.path(), input.sections, ports)
    }
  }

  /// `rapidsos/delete-location`, `rapidsos/delete-device`
  package enum DeleteSaved<Thing: SavedThing>: StepHandler {
    package static var about: About {
      About("rapidsos/delete-\(Thing.noun)", "Deletes a \(Thing.noun), and gives it back once more.", effect: .idempotent, token: .user)
    }
    package static var errors: [StepError] { [notFound, missingID, validationFailed] }
    package static var example: Example { .ofOne(Thing.self) }

    package typealias Input = SavedReference<Thing>
    package typealias Output = Thing

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.send(HTTPCall(.delete, try input.path()))
      guard reply.isSuccess else { throw failure(reply) }
      return try Thing.decode(reply)
    }
  }

  private static func send<Thing: SavedThing>(
    _ method: HTTPRequest.Method, _ path: String, _ sections: Thing.Sections, _ ports: Ports
  ) async throws(StepFailure) -> Thing {
    let body = Thing.catalogue.wire(sections.encoded)
    let reply = try await ports.http.send(HTTPCall(method, path, body: .json(.map(body))))
    guard reply.isSuccess else { throw failure(reply) }
    return try Thing.decode(reply)
  }
}

extension SavedThing {
  /// A person with one of them, whose id is 1.
  static var exampleGiven: String {
    #"{"users": [{"username": "dana.reyes", "\#(plural)": [{\#(exampleSections)}]}]}"#
  }
}

extension Example {
  /// Of the first one that somebody has.
  fileprivate static func ofOne<Thing: SavedThing>(_: Thing.Type, and sections: String? = nil) -> Example {
    Example(
      with: #"{"id": 1\#(sections.map { ", \($0)" } ?? "")}"#, outputs: #"{"id": 1, "\#(Thing.exampleSection)": "*"}"#,
      given: Thing.exampleGiven, before: [.signIn])
  }
}
