import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// One field that a device's messages may have.
  package struct ManifestField: Sendable {
    let type: String
    let unit: String?
    let isCollection: Bool?
    let description: String?
  }

  /// The fields by name.
  package struct ManifestProperties: Sendable { let fields: NamedMembers<ManifestField> }

  /// `sami/get-manifest`
  package enum GetManifest: SAMIOperation {
    package static let about = About(
      "sami/get-manifest", "Reads which fields and actions a device type has.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"id": "dt-7"}"#, outputs: #"{"properties": "*", "actions": {}}"#, before: [.consent])

    package struct Input: Sendable {
      let id: String
      let version: Int?
      let as_: SAMICaller
    }

    package struct Output: Sendable {
      let properties: ManifestProperties
      let actions: Value?
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      let version = input.version.map(String.init) ?? "latest"
      return SAMIRequest(.get, "devicetypes", input.id, "manifests", version, "properties", as: input.as_)
    }
  }

  /// `sami/get-manifest-versions`
  package enum GetManifestVersions: SAMIOperation {
    package static let about = About(
      "sami/get-manifest-versions", "Lists the versions of a device type's manifest.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example(with: #"{"id": "dt-7"}"#, outputs: #"{"versions": [1, 2]}"#, before: [.consent])

    package struct Input: Sendable {
      let id: String
      let as_: SAMICaller
    }

    package struct Output: Sendable { let versions: [Int] }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "devicetypes", input.id, "availablemanifestversions", as: input.as_)
    }
  }
}

extension SAMI.GetManifest.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The type's id.", minLength: 1)
    version = field("version", "Which version; the newest unless stated.", minimum: 1)
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.GetManifest.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    properties = field("properties", "The fields of messages.")
    actions = field("actions", "What its devices can be told to do.")
  }
}

extension SAMI.GetManifestVersions.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The type's id.", minLength: 1)
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.GetManifestVersions.Output: DescribedRecord {
  package init(_ field: inout Fields) { versions = field("versions", "The versions, oldest first.") }
}

extension SAMI.ManifestProperties: DescribedRecord {
  package init(_ field: inout Fields) { fields = field("fields", "The fields by name.") }
}

extension SAMI.ManifestField: DescribedRecord {
  package init(_ field: inout Fields) {
    type = field("type", "The type of its values, such as `Integer`.")
    unit = field("unit", "What they are counted in, such as `SI.ONE`.")
    isCollection = field("is_collection", "Whether it holds a list of them.")
    description = field("description", "What it is.")
  }
}
