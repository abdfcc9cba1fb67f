import SandboxKit
import Values

extension OyaSandbox {
  /// An eSIM, and the phone number that came with it.
  struct SimCard: Sendable {
    enum Status: String, CaseIterable, Sendable {
      case notReady = "NOT_READY"
      case available = "AVAILABLE_FOR_DOWNLOAD"
      case downloaded = "DOWNLOADED"
      case installed = "INSTALLED"
      case enabled = "ENABLED"
      case deleted = "DELETED"
    }

    let iccID: String
    let region: String
    let activationCode: String
    let msisdn: String
    let analyticsID: String
    var status = Status.available
    var alias = ""
    let requested: Timestamp
    var downloaded: Timestamp?
    var installed: Timestamp?
    var reportedByApp: Timestamp?
    var deleted: Timestamp?

    /// What a phone did with it, and when.
    mutating func set(_ status: Status, at now: Timestamp) {
      self.status = status
      switch status {
      case .notReady, .available: break
      case .downloaded: downloaded = now
      case .installed, .enabled:
        downloaded = downloaded ?? now
        installed = installed ?? now
      case .deleted: deleted = now
      }
    }

    /// - Parameter isShownInstalled: the status is `INSTALLED` whatever it is, as customers see it in their regions.
    func value(isShownInstalled: Bool = false) -> Value {
      [
        "iccId": .string(iccID), "eSimActivationCode": .string(activationCode),
        "status": .string((isShownInstalled ? .installed : status).rawValue), "alias": .string(alias),
        "requestedOn": .string(requested.text),
        "downloadedOn": Self.text(downloaded), "installedOn": Self.text(installed), "installedReportedByAppOn": Self.text(reportedByApp),
        "deletedOn": Self.text(deleted),
      ]
    }

    var subscription: Value {
      ["msisdn": .string(msisdn), "analyticsId": .string(analyticsID), "lastActiveOn": .null]
    }

    private static func text(_ time: Timestamp?) -> Value { time.map { .string($0.text) } ?? .null }
  }
}

extension OyaSandbox.SimCard {
  /// The next one of the sandbox.
  init(region: String, iccID: String? = nil, world: inout SandboxWorld) {
    let number = String(world.nextID(of: "oya.sim"))
    self.init(
      iccID: iccID ?? "8947" + String(repeating: "0", count: 15 - number.count) + number, region: region,
      activationCode: "LPA:1$rsp.example$\(world.secret(length: 5).uppercased())-\(world.secret(length: 5).uppercased())",
      msisdn: Self.countryCode(region) + world.digits(8), analyticsID: world.uuid(), requested: world.now)
  }

  private static func countryCode(_ region: String) -> String {
    switch region {
    case "sg": "65"
    case "my": "60"
    case "no": "47"
    default: "1"
    }
  }
}
