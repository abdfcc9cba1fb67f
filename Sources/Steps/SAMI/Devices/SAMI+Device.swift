package import StepKit
import Values

extension SAMI {
  /// A device of a user.
  package struct Device: Sendable {
    let id: String
    let uid: String?
    let dtid: String
    let name: String
    let manifestVersion: Int?
    let manifestVersionPolicy: String?
    let needProviderAuth: Bool?
    let properties: Value?
  }

  /// Which manifest reads a device's messages.
  package enum ManifestPolicy: String, Choice {
    /// The newest.
    case latest = "LATEST"
    /// That of `manifest_version`, for good.
    case device = "DEVICE"
  }
}

extension SAMI.Device: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id, which messages call `sdid`.")
    uid = field("uid", "Whose it is.")
    dtid = field("dtid", "The id of its type.")
    name = field("name", "What it is called.")
    manifestVersion = field("manifest_version", "The version of the manifest that reads its messages.")
    manifestVersionPolicy = field("manifest_version_policy", "`LATEST` or `DEVICE`.")
    needProviderAuth = field("need_provider_auth", "Whether its provider still has to be signed in to.")
    properties = field("properties", "What SAMI keeps with it, where that was asked for.")
  }
}
