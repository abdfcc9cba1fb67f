import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox.API {
  private static let device: Value = [
    "id": "d-31", "uid": "u-12", "dtid": "dt-7", "name": "a1b2c3d4e5f60718293a4b5c6d7e8f90", "manifestVersion": 2,
    "manifestVersionPolicy": "LATEST", "needProviderAuth": false,
  ]

  /// Devices and their tokens.
  static var devices: [APIOperation] {
    let fields = SAMISandbox.DeviceRoutes.fields
    let one = data("The device.", .named("Device"), device)
    let token = data("The token.", .named("DeviceToken"), ["accessToken": "dtk-77", "uid": "u-12", "did": "d-31"])
    var created = one
    created.links = ["get", "delete"].map { verb in
      (name: "\(verb)-device", operation: "\(verb)-device", parameters: ["id": "$response.body#/data/id"] as Value)
    }
    return [
      operation(
        "create-device", .post, "/devices", "Adds a device.",
        body: (fields(true), ["uid": "u-12", "dtid": "dt-7", "name": "a1b2c3d4e5f60718293a4b5c6d7e8f90"]), created),
      operation("get-device", .get, "/devices/{id}", "Reads a device.", query: [.init("properties", .flag)], one),
      operation(
        "update-device", .put, "/devices/{id}", "Replaces a device.",
        body: (fields(false), ["uid": "u-12", "dtid": "dt-7", "name": "Left pocket", "manifestVersion": 1]), one),
      operation("delete-device", .delete, "/devices/{id}", "Deletes a device.", one),
      operation("get-device-token", .get, "/devices/{id}/tokens", "Reads a device's token.", token),
      operation("create-device-token", .put, "/devices/{id}/tokens", "Makes a device's token.", token),
      operation("delete-device-token", .delete, "/devices/{id}/tokens", "Deletes a device's token.", token),
    ]
  }

  static var deviceTypes: [APIOperation] {
    [
      operation(
        "find-device-types", .get, "/devicetypes", "Finds device types by name.", query: [.id("name")] + SAMIPage.fields(),
        page("deviceTypes", "DeviceType")),
      operation("get-device-type", .get, "/devicetypes/{id}", "Reads a device type.", data("The type.", .named("DeviceType"))),
      operation(
        "get-manifest-versions", .get, "/devicetypes/{id}/availablemanifestversions", "Lists the versions of its manifest.",
        data("The versions.", object([("versions", list(of: count))]), ["versions": [1, 2]])),
      operation(
        "get-manifest", .get, "/devicetypes/{id}/manifests/{version}/properties", "Reads a manifest.",
        data("The manifest.", .named("Manifest"))),
    ]
  }
}
