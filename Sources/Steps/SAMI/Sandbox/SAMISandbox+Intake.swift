import SandboxKit
import Values

extension SAMISandbox.State {
  /// Takes a message or an action as REST and sockets bring it; the body's members are of the right types.
  /// - Throws: 400 for what is missing, 403 and 404 for devices.
  mutating func accept(
    _ body: Value, from principal: SAMISandbox.Principal, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SAMISandbox.Message {
    typealias Refusal = SAMISandbox.Refusal
    let ts = body["ts"]?.intValue ?? world.now.milliseconds
    guard ts >= 0 else { throw Refusal.invalid("ts", "Invalid ts value") }
    guard ts <= world.now.advanced(by: switches.futureGrace).milliseconds else {
      throw Refusal.invalid("ts", "Invalid ts value (in future)")
    }
    let data = body["data"] ?? .null
    guard body["type"] == "action" else {
      guard let sdid = body["sdid"]?.stringValue else { throw Refusal.invalid("sdid", "Required parameter") }
      let source = try device(sdid, for: principal)
      if case .app = principal { throw Refusal.forbidden("this token is of the wrong type") }
      let ddid = body["ddid"]?.stringValue
      if let ddid, device(ddid) == nil { throw Refusal.notFound }
      return take(data, of: source, ddid: ddid, ts: ts, cts: world.now.milliseconds, &world)
    }
    guard let ddid = body["ddid"]?.stringValue else { throw Refusal.invalid("ddid", "Required parameter") }
    guard let actions = data["actions"]?.listValue, data.mapValue?.count == 1, !actions.isEmpty,
      actions.allSatisfy({ $0["name"]?.stringValue != nil })
    else { throw Refusal.invalid("data.actions", "Required parameter") }
    guard let target = device(ddid) else { throw Refusal.notFound }
    if let uid = principal.uid { guard target.uid == uid else { throw Refusal.forbidden("devices") } }
    return act(on: target, data, ts: ts, &world)
  }

  /// Keeps a message, tells subscribers of it, and applies the rules.
  @discardableResult
  mutating func take(
    _ data: Value, of device: SAMISandbox.Device, ddid: String?, ts: Int64, cts: Int64, _ world: inout SandboxWorld
  ) -> SAMISandbox.Message {
    let version = manifestVersion(of: device)
    let normalised = type(device.dtid)?.manifest(version)?.normalised(data) ?? [:]
    let message = SAMISandbox.Message(
      mid: "m-\(world.nextID(of: "sami.message"))", sdid: device.id, sdtid: device.dtid, ddid: ddid, uid: device.uid, mv: version, ts: ts,
      cts: cts, data: normalised)
    keep(message)
    deliver(message, &world)
    notify(of: message, &world)
    apply(rulesTo: message, &world)
    return message
  }

  /// Keeps an action for a device, and tells subscribers of it.
  @discardableResult
  mutating func act(on device: SAMISandbox.Device, _ data: Value, ts: Int64, _ world: inout SandboxWorld) -> SAMISandbox.Message {
    let message = SAMISandbox.Message(
      mid: "m-\(world.nextID(of: "sami.message"))", ddid: device.id, uid: device.uid, ts: ts, cts: world.now.milliseconds, data: data)
    keep(message)
    deliver(message, &world)
    notify(of: message, &world)
    return message
  }
}
