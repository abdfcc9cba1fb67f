import SandboxKit
import Values

extension OperatorAPI {

  static func nullable(_ schema: Value) -> Value { ["anyOf": [schema, ["type": "null"]]] }

  private static let texts: Value = ["type": "object", "additionalProperties": Self.text]
  private static let anything: Value = true

  /// What the operations above name.
  var schemas: [(name: String, schema: Value)] {
    let product: [(String, Value)] = [
      ("sku", Self.filled), ("price", Self.object([("amount", Self.whole), ("currency", Self.filled)])), ("properties", Self.texts),
      ("presentation", Self.texts), ("payment", Self.anything),
    ]
    let purchase: [(String, Value)] = [
      ("id", Self.filled), ("msisdn", Self.text), ("timestamp", Self.whole), ("product", .named("Product")),
      ("refund", Self.nullable(Self.object([("id", Self.filled), ("reason", Self.text), ("timestamp", Self.whole)]))),
      ("properties", Self.anything),
    ]
    let old = rules.hasMSISDN ? ["msisdn"] : []
    return Self.refusals + [
      (
        "Bundle",
        Self.object([("id", Self.filled), ("balance", Self.whole), ("lastConsumedOn", Self.anything)], required: ["id", "balance"])
      ),
      ("Product", Self.object(product, required: ["sku", "price", "properties", "presentation"])),
      ("Purchase", Self.object(purchase, required: ["id", "timestamp", "product", "refund"] + old)),
      ("Reference", Self.object([("id", Self.filled)])),
      (
        "PaymentSource",
        Self.object([("id", Self.filled), ("type", ["enum": ["card", "source"]]), ("details", Self.free)])
      ),
      ("Person", Self.object([("name", Self.nullable(Self.text))])),
      ("PushToken", Self.open([("token", Self.filled), ("applicationID", Self.filled), ("tokenType", Self.filled)])),
      (
        "GraphQuery",
        Self.open(
          [("query", Self.text), ("operationName", Self.maybeText), ("variables", ["type": ["object", "null"]])],
          required: ["query"])
      ),
      ("ScanCallback", Self.scanCallback),
      (
        "Scan",
        Self.object([
          ("scanId", Self.filled), ("countryCode", Self.filled), ("status", ["enum": ["PENDING", "REJECTED", "APPROVED"]]),
          ("scanResult", ["type": ["object", "null"]]),
        ])
      ),
    ]
  }

  private static let refusals: [(name: String, schema: Value)] = [
    (
      "Refusal",
      object([
        ("errorCode", filled), ("error", ["type": ["object", "null"]]), ("status", whole), ("message", text),
      ])
    ),
    ("Unauthorized", object([("code", whole), ("message", text), ("details", ["type": "array"])])),
    ("Invalid", object([("errors", ["type": "array", "items": text, "minItems": 1])])),
    ("Unreadable", object([("code", whole), ("message", text)])),
  ]

  /// A form: whoever sends more than is known is not refused.
  private static let scanCallback: Value = open(
    ["jumioIdScanReference", "idScanStatus", "verificationStatus", "merchantIdScanReference"].map { ($0, filled) } + [
      ("callbackDate", Self.time),
      ("identityVerification", ["enum": [#"{"similarity":"MATCH","validity":"TRUE"}"#, #"{"similarity":"NO_MATCH","validity":"TRUE"}"#]]),
    ], required: ["jumioIdScanReference", "idScanStatus", "verificationStatus", "callbackDate", "merchantIdScanReference"])
}
