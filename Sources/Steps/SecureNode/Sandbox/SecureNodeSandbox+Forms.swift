extension SecureNodeSandbox {
  /// The bodies of the operations.
  enum Forms {
    static let platform = BodyForm.oneOf(["ios", "android"])
    /// Longer ones do not fit, which is another refusal than that of a wrong form.
    static let mostLogs = 200_000

    static let ack = BodyForm.object(required: [:], ["last_synced_at": .time, "e164_numbers": .list(.number)])

    static let event = BodyForm.object(
      required: ["phone_number_e164": .number, "outcome": .name],
      [
        "surface": .anyText, "displayed_at": .time, "device_id": .anyText, "event_key": .text(1...200), "branding_request_id": .uuid,
        "meta": .free,
      ])

    static let imprint = BodyForm.object(
      required: ["phone_number_e164": .number, "displayed_at": .time, "device_id": .name],
      ["platform": platform, "os_version": .anyText, "device_model": .anyText, "campaign_id": .anyText])

    static let registration = BodyForm.object(
      required: ["device_id": .name, "platform": platform],
      [
        "device_type": .anyText, "os_version": .anyText, "app_version": .anyText, "sdk_version": .anyText, "customer_name": .anyText,
        "customer_account_number": .anyText,
      ])

    static let update = BodyForm.object(
      required: ["device_id": .name, "platform": platform],
      [
        "app_version": .anyText, "sdk_version": .anyText, "os_version": .anyText, "last_seen": .time,
        "capabilities": .object(
          required: [:],
          ["contacts_enabled": .flag, "contacts_photos_enabled": .flag, "call_directory_enabled": .flag, "background_refresh": .flag]),
      ])

    static let presence = BodyForm.object(
      required: ["device_id": .name, "observed_at": .time],
      ["platform": platform, "os_version": .anyText, "last_synced_at": .time])

    static let log = BodyForm.object(
      required: ["device_id": .name, "level": .oneOf(["debug", "info", "warn", "error"]), "message": .anyText],
      ["meta": .free, "occurred_at": .time])

    static let debug = BodyForm.object(
      required: ["device_id": .name, "nonce": .uuid],
      ["created_at": .time, "expires_at": .time, "state": .anything, "logs": .anyText])
  }
}
