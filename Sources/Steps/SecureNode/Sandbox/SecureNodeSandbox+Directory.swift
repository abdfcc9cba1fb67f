import HTTPTypes
import SandboxKit
import Values

extension SecureNodeSandbox {
  /// Sync, look-up, and the pictures of brands.
  enum DirectoryRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/mobile/branding/sync", sync),
      SandboxRoute(.post, "/mobile/branding/sync", acknowledge),
      SandboxRoute(.get, "/mobile/branding/lookup", lookup),
      SandboxRoute(.get, "/logos/{name}", logo),
    ]

    @Sendable private static func sync(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      try checkKey(call.request, state.switches)
      let text = call.request.query("since")
      let since = text.flatMap { Timestamp(rfc3339: $0) }
      // Assumed: A cursor that cannot be read is refused.
      guard text == nil || since != nil else { throw Refusal.invalid("`since` must be a time of ISO 8601") }
      let brands = state.brands.filter { brand in
        guard brand.isActive || since != nil && state.switches.sendsInactive else { return false }
        return since.map { brand.updatedAt > $0 } ?? true
      }
      state.deliveries += 1
      var answer = ValueMap(members: [
        "success": true, "branding": .list(brands.map { item($0, call.request, state.switches) }),
        "synced_at": .string(state.stamp(world.now).text),
      ])
      if state.switches.sendsConfigWithSyncs { answer["config"] = state.config }
      return .json(.map(answer))
    }

    private static func item(_ brand: State.Brand, _ request: SandboxRequest, _ switches: Switches) -> Value {
      var map = ValueMap(members: [
        "phone_number_e164": .string(brand.number), "brand_name": .optional(text: brand.name),
        "logo_url": .optional(text: logoURL(brand, request)), "call_reason": .optional(text: brand.reason),
        "updated_at": .string(brand.updatedAt.text),
      ])
      if let id = brand.id { map["brand_id"] = .string(id) }
      if switches.sendsInactive { map["is_active"] = .bool(brand.isActive) }
      return .map(map)
    }

    /// A picture of its own stands where the request has gone.
    private static func logoURL(_ brand: State.Brand, _ request: SandboxRequest) -> String? {
      guard let logo = brand.logo else { return brand.logoURL }
      let prefix = request.path.components(upTo: "/mobile/")
      return "http://\(request.authority ?? "127.0.0.1:1")/securenode\(prefix)/logos/\(logo)"
    }

    @Sendable private static func acknowledge(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try body(call, Forms.ack, state.switches)
      State.keep(body.mapValue ?? ValueMap(), in: &state.acknowledgements)
      return .json(["success": true, "last_synced_at": .string(world.now.text)])
    }

    @Sendable private static func lookup(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      try checkKey(call.request, state.switches)
      guard let number = call.request.query("e164"), (1...20).contains(number.unicodeScalars.count) else {
        throw Refusal.invalid("`e164` must have 1 to 20 characters")
      }
      let format = call.request.query("format")
      // Assumed: Only one is documented, so another is a mistake.
      guard format == nil || format == "public" else { throw Refusal.invalid("`format` must be `public`") }
      let isPublic = format == "public"
      guard let brand = state.brands.first(where: { $0.number == number && $0.isActive }) else {
        switch state.switches.lookupMiss {
        case .notFound: throw Refusal.error(404, "not_found", "Not found")
        case .empty: return SandboxReply(status: 200)
        case .nulls: return .json(isPublic ? publicMiss : plain(number, nil, call.request))
        }
      }
      guard isPublic else { return .json(plain(number, brand, call.request)) }
      return .json([
        "matched": true, "displayed": .bool(state.switches.isBrandingEnabled),
        "brand": ["name": .optional(text: brand.name), "logo": .optional(text: logoURL(brand, call.request))],
        "call_reason": .optional(text: brand.reason), "source": "live",
      ])
    }

    private static let publicMiss: Value = ["matched": false, "displayed": false, "brand": .null, "call_reason": .null, "source": "none"]

    private static func plain(_ number: String, _ brand: State.Brand?, _ request: SandboxRequest) -> Value {
      var map = ValueMap(members: [
        "success": true, "e164": .string(number), "brand_name": .optional(text: brand?.name),
        "logo_url": .optional(text: brand.flatMap { logoURL($0, request) }), "call_reason": .optional(text: brand?.reason),
        "brand_id": .optional(text: brand?.id),
      ])
      if let brand { map["updated_at"] = .string(brand.updatedAt.text) }
      return .map(map)
    }

    /// No key is asked for: pictures stand on a host of their own in the real world.
    @Sendable private static func logo(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      guard state.brands.contains(where: { $0.logo == call["name"] }) else { throw SandboxReply.text("Not Found", status: 404) }
      // The signature of PNG (ISO/IEC 15948 §5.2) is all of it.
      return SandboxReply(status: 200, headers: [.contentType: "image/png"], body: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }
  }
}

extension Value {
  fileprivate static func optional(text: String?) -> Value { text.map { .string($0) } ?? .null }
}

extension String {
  /// What stands before the first such part; empty where it is none.
  fileprivate func components(upTo part: String) -> String { firstRange(of: part).map { String(self[..<$0.lowerBound]) } ?? "" }
}
