import SandboxKit
import StepKit
import Values

extension SAMISandbox {
  struct User: Sendable {
    let id: String
    let name: String
    let email: String
    let fullName: String
    let saIdentity: String?
    let createdOn: Int64
    let modifiedOn: Int64

    var value: Value {
      object([
        ("id", .string(id)), ("name", .string(name)), ("email", .string(email)), ("fullName", .string(fullName)),
        ("saIdentity", saIdentity.map { .string($0) }), ("createdOn", .int(createdOn)), ("modifiedOn", .int(modifiedOn)),
      ])
    }
  }

  /// An application that is registered.
  struct Client: Sendable {
    let id: String
    let secret: String
    let redirects: [String]
  }

  struct Manifest: Sendable {
    let fields: [(name: String, type: String, unit: String?, isCollection: Bool, description: String?)]
    let actions: ValueMap

    var value: Value {
      var map = ValueMap()
      for field in fields {
        map[field.name] = object([
          ("type", .string(field.type)), ("unit", field.unit.map { .string($0) }), ("isCollection", .bool(field.isCollection)),
          ("description", field.description.map { .string($0) }),
        ])
      }
      return ["properties": ["fields": .map(map)], "actions": .map(actions)]
    }

    /// The fields that fit. One that the manifest does not have, or of another type, is left out; the message is taken all the
    /// same, which is assumed.
    func normalised(_ data: Value) -> Value {
      var map = ValueMap()
      for field in fields {
        guard let value = data[field.name] else { continue }
        let items = field.isCollection ? value.listValue : [value]
        guard let items, items.allSatisfy({ Self.fits($0, field.type) }) else { continue }
        map[field.name] = value
      }
      return .map(map)
    }

    private static func fits(_ value: Value, _ type: String) -> Bool {
      switch type {
      case "Integer", "Long": value.intValue != nil
      case "Double", "Float": value.number != nil
      case "Boolean": value.boolValue != nil
      default: value.stringValue != nil
      }
    }
  }

  struct DeviceType: Sendable {
    let id: String
    let uid: String
    let name: String
    let uniqueName: String
    let isPublished: Bool
    /// The first is version 1.
    let manifests: [Manifest]

    var value: Value {
      [
        "id": .string(id), "uid": .string(uid), "name": .string(name), "published": .bool(isPublished), "approved": true,
        "latestVersion": .int(Int64(manifests.count)), "uniqueName": .string(uniqueName), "vid": "0", "rsp": false, "issuerDn": .null,
        "description": .null,
      ]
    }

    func manifest(_ version: Int) -> Manifest? { manifests.indices.contains(version - 1) ? manifests[version - 1] : nil }
  }

  struct Device: Sendable {
    let id: String
    var uid: String
    var dtid: String
    var name: String
    var manifestVersion: Int
    var policy: String
    var needsProviderAuth: Bool

    func value(withProperties: Bool = false) -> Value {
      object([
        ("id", .string(id)), ("uid", .string(uid)), ("dtid", .string(dtid)), ("name", .string(name)),
        ("manifestVersion", .int(Int64(manifestVersion))), ("manifestVersionPolicy", .string(policy)),
        ("needProviderAuth", .bool(needsProviderAuth)),
        // Assumed: What SAMI keeps with a device; the document has no example.
        ("properties", withProperties ? [:] : nil),
      ])
    }
  }

  struct Message: Sendable {
    let mid: String
    /// Nil for an action.
    var sdid: String?
    var sdtid: String?
    var ddid: String?
    var uid: String
    var mv: Int?
    var ts: Int64
    var cts: Int64
    var data: Value

    var value: Value {
      object([
        ("mid", .string(mid)), ("sdid", sdid.map { .string($0) }), ("ddid", sdid == nil ? ddid.map { .string($0) } : nil),
        ("sdtid", sdtid.map { .string($0) }), ("uid", .string(uid)), ("mv", mv.map { .int(Int64($0)) }), ("ts", .int(ts)),
        ("cts", .int(cts)), ("data", data),
      ])
    }
  }

  /// `d-1`, the next one that nothing has yet: what is given has ids of its own.
  static func newID(_ prefix: String, of kind: String, _ world: inout SandboxWorld, unless isTaken: (String) -> Bool) -> String {
    var id = "\(prefix)-\(world.nextID(of: "sami.\(kind)"))"
    while isTaken(id) { id = "\(prefix)-\(world.nextID(of: "sami.\(kind)"))" }
    return id
  }

  /// An object without the members that are nil.
  static func object(_ members: [(String, Value?)]) -> Value {
    .map(members.reduce(into: ValueMap()) { $0[$1.0] = $1.1 })
  }
}
