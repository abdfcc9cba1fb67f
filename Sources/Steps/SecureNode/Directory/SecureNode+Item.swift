package import StepKit
import Values

extension SecureNode {
  /// One branded number, as a directory holds it.
  package struct Item: Hashable, Sendable {
    let phoneNumberE164: String
    let brandName: String
    let brandID: String?
    let logoURL: String?
    let callReason: String?
    let updatedAt: String?

    /// The item with every text cut to the length that SecureNode's clients store, counted in characters as people see
    /// them. A URL that is cut may lead nowhere.
    init(clamping wire: WireItem) {
      phoneNumberE164 = String(wire.phoneNumberE164.prefix(20))
      brandName = String((wire.brandName ?? "").prefix(100))
      brandID = wire.brandID
      logoURL = wire.logoURL.map { String($0.prefix(2048)) }
      callReason = wire.callReason.map { String($0.prefix(200)) }
      updatedAt = wire.updatedAt
    }
  }

  /// One branded number, as a sync brings it.
  package struct WireItem: Sendable {
    let phoneNumberE164: String
    let brandName: String?
    let brandID: String?
    let logoURL: String?
    let callReason: String?
    let updatedAt: String?
    /// Older servers send those that are switched off, too.
    let isActive: Bool?
  }

  /// The numbers of a device, in the order in which they came.
  struct Directory: Sendable {
    private(set) var items: [Item]
    private var positions: [String: Int] = [:]

    init(_ items: [Item]) {
      self.items = []
      for item in items { put(item) }
    }

    /// Takes over what a sync brought. Of a number that comes twice the last one counts.
    mutating func merge(_ delta: [WireItem]) {
      var gone: Set<String> = []
      for wire in delta {
        let item = Item(clamping: wire)
        if wire.isActive == false {
          gone.insert(item.phoneNumberE164)
        } else {
          gone.remove(item.phoneNumberE164)
          put(item)
        }
      }
      if !gone.isEmpty { self = Directory(items.filter { !gone.contains($0.phoneNumberE164) }) }
    }

    /// Nil for a number that nobody has branded.
    subscript(_ number: String) -> Item? { positions[number].map { items[$0] } }

    private mutating func put(_ item: Item) {
      if let position = positions[item.phoneNumberE164] {
        items[position] = item
      } else {
        positions[item.phoneNumberE164] = items.count
        items.append(item)
      }
    }
  }
}

extension SecureNode.Item: DescribedRecord {
  package init(_ field: inout Fields) {
    phoneNumberE164 = field("phone_number_e164", "The number, such as `+61412345678`; 20 characters at most.")
    brandName = field("brand_name", "Whose number it is; 100 characters at most, and empty where nobody said.", default: "")
    brandID = field("brand_id", "The brand's id.")
    logoURL = field("logo_url", "Where its picture is; 2048 characters at most.")
    callReason = field("call_reason", "Why it calls; 200 characters at most.")
    updatedAt = field("updated_at", "When it was changed last, in ISO 8601.")
  }
}

extension SecureNode.WireItem: DescribedRecord {
  package init(_ field: inout Fields) {
    phoneNumberE164 = field("phone_number_e164", "The number.")
    brandName = field("brand_name", "Whose number it is.")
    brandID = field("brand_id", "The brand's id.")
    logoURL = field("logo_url", "Where its picture is.")
    callReason = field("call_reason", "Why it calls.")
    updatedAt = field("updated_at", "When it was changed last.")
    isActive = field("is_active", "Whether it is still branded.")
  }
}
