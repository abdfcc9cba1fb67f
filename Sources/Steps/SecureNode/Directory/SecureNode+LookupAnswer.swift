package import StepKit
import Values

extension SecureNode.Lookup {
  /// What a look-up has found, wherever it was; without a name nothing.
  struct Brand {
    var source: String
    var isStale = false
    var brandName, brandID, logoURL, callReason, updatedAt: String?
    var answer: Answer?

    init(source: String) { self.source = source }

    init(_ item: SecureNode.Item, isStale: Bool) {
      source = "store"
      self.isStale = isStale
      (brandName, brandID, logoURL) = (item.brandName, item.brandID, item.logoURL)
      (callReason, updatedAt) = (item.callReason, item.updatedAt)
    }

    /// A name that is missing, null or empty is no match, and so is `matched: false`, whichever of the two shapes it is.
    init(_ answer: Answer) {
      self.answer = answer
      brandName = answer.matched == false ? nil : SecureNode.stated(answer.brand?.name ?? answer.brandName)
      source = brandName == nil ? "none" : SecureNode.stated(answer.source) ?? "live"
      guard brandName != nil else { return }
      (brandID, logoURL) = (answer.brandID, answer.brand?.logo ?? answer.logoURL)
      (callReason, updatedAt) = (answer.callReason, answer.updatedAt)
    }
  }

  /// The plain answer and the public one in one: every member may be missing.
  struct Answer: Sendable {
    struct PublicBrand: Sendable {
      let name: String?
      let logo: String?
    }

    let success: Bool?
    let e164: String?
    let brandName: String?
    let logoURL: String?
    let callReason: String?
    let brandID: String?
    let updatedAt: String?
    let matched: Bool?
    let displayed: Bool?
    let brand: PublicBrand?
    let source: String?
    let display: Value?
    let config: SecureNode.Config?
    let limits: Value?
  }
}

extension SecureNode.Lookup.Answer: DescribedRecord {
  init(_ field: inout Fields) {
    success = field("success", "")
    e164 = field("e164", "")
    brandName = field("brand_name", "")
    logoURL = field("logo_url", "")
    callReason = field("call_reason", "")
    brandID = field("brand_id", "")
    updatedAt = field("updated_at", "")
    matched = field("matched", "")
    displayed = field("displayed", "")
    brand = field("brand", "")
    source = field("source", "")
    display = field("display", "")
    config = field("config", "")
    limits = field("limits", "")
  }
}

extension SecureNode.Lookup.Answer.PublicBrand: DescribedRecord {
  init(_ field: inout Fields) {
    name = field("name", "")
    logo = field("logo", "")
  }
}

extension SecureNode.Lookup.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    e164 = field("e164", "The number, such as `+61412345678`.", constraint: .written(.phoneNumber))
    directory = field("directory", "The numbers that are stored, which are looked at first.", default: [])
    syncedAt = field(
      "synced_at", "When they were fetched; what is older than a day is used, and said to be stale.", constraint: .written(.timeOrEmpty))
    brandingEnabled = field(
      "branding_enabled", "Whether brands may be shown, as `config` said; the look-up is reported all the same.", default: true)
    format = field("format", "The shape of the answer that is asked for; both are understood.")
    deviceID = field("device_id", "The device that asks.")
    report = field("report", "Whether the look-up is reported as an event.", default: true)
    eventKey = field("event_key", "The key of that event; a fresh one unless given.", maxLength: 200)
    queue = field("queue", "The queue as it was stored: a report that fails goes to its end.", default: [])
  }
}

extension SecureNode.Lookup.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    matched = field("matched", "Whether somebody has branded the number.")
    source = field("source", "Where that was found: `store`, or what the API says: `cache`, `live` or `none`.")
    isStale = field("is_stale", "Whether it comes from a store that is older than a day.")
    e164 = field("e164", "The number that was asked for.")
    brandName = field("brand_name", "Whose number it is.")
    brandID = field("brand_id", "The brand's id.")
    logoURL = field("logo_url", "Where its picture is.")
    callReason = field("call_reason", "Why it calls.")
    updatedAt = field("updated_at", "When it was changed last, in ISO 8601.")
    success = field("success", "What the server says of itself.")
    displayed = field("displayed", "Whether the server says that it may be shown.")
    display = field("display", "What the server says of how to show it.")
    config = field("config", "What the portal says of the account, where an answer had it.")
    limits = field("limits", "What the server says of limits.")
    outcome = field("outcome", "What was reported: `displayed`, `no_match` or `disabled`.")
    eventKey = field("event_key", "The key of the report.")
    eventID = field("event_id", "The id of the report.")
    failure = field("failure", "The code of the error for which the report waits in `queue`.")
    queue = field("queue", "The queue from now on, to be stored.")
  }
}
