package import StepKit
package import Values

// What OYA refuses, in the codes of flows. The envelope is the same as in the first generation; statuses and codes are not.
extension Oya {
  static let customerNotFound = StepError(
    "oya.customer_not_found", "nobody has signed up for this person", help: "sign them up with `oya/create-customer`")
  static let alreadyExists = StepError("oya.already_exists", "this person has signed up already")
  static let notReferrable = StepError("oya.not_referrable", "nobody refers themselves", help: "give the `referral_id` of somebody else")
  static let regionNotFound = StepError("oya.region_not_found", "OYA has no such region", help: "`oya/list-regions` lists them by code")
  static let regionNotApproved = StepError(
    "oya.region_not_approved", "the customer gets no eSIM before the region is approved",
    help: "complete one of the region's sets of checks; `oya/get-region` shows them")
  static let simProfileNotFound = StepError("oya.sim_profile_not_found", "the customer has no such eSIM in this region")
  static let scanNotFound = StepError("oya.scan_not_found", "OYA has no such scan")
  static let scanNotYours = StepError("oya.scan_not_yours", "the scan belongs to another customer")
  static let incompleteScan = StepError("oya.incomplete_scan", "a field of the callback is missing, or cannot be read")
  static let invalidNRIC = StepError(
    "oya.invalid_nric", "this is no NRIC or FIN", help: "compare it with the paper; its last letter is a checksum")
  static let myInfoFailed = StepError(
    "oya.myinfo_failed", "MyInfo gave no person", help: "send the person to the `url` of `oya/get-myinfo-config` once more")
  static let productNotFound = StepError(
    "oya.product_not_found", "OYA does not sell this product to the customer", help: "take a `sku` of `oya/list-products`")
  static let paymentSourceRejected = StepError(
    "oya.payment_source_rejected", "the payment source was rejected", help: "nothing was bought; `error.errors` has the bank's reason")
  static let alreadySubscribed = StepError("oya.already_subscribed", "the customer has this plan already")
  static let paymentRefused = StepError(
    "oya.payment_refused", "the payment provider refuses the request", help: "a token is good once; get a new one")
  static let sourceNotFound = StepError("oya.source_not_found", "the customer has no such payment source")
  /// Whether money has moved is not known: the connection to the provider may have broken behind the charge.
  static let paymentFailed = StepError(
    "oya.payment_failed", "the payment provider or the store failed", help: "look into `oya/list-purchases` before it is tried again",
    isRejected: false)
  static let refundRefused = StepError(
    "oya.refund_refused", "this purchase is not refunded", help: "it has been refunded before, or it was free")
  static let purchaseNotFound = StepError("oya.purchase_not_found", "the customer has no such purchase")
  static let incompletePushToken = StepError(
    "oya.incomplete_push_token", "the push token is not whole", help: "`token`, `application_id` and `token_type` must not be empty")
  static let adminTokenRefused = StepError(
    "oya.admin_token_refused", "the token of support is not accepted", help: "put a new `admin_token` into the connection")
  static let webhookKeyRefused = StepError(
    "oya.webhook_key_refused", "the key of the webhooks is not accepted", help: "compare `webhook_key` with the API's console")
  static let eventRefused = StepError("oya.event_refused", "the event cannot be read")
}

extension Oya: MobileOperator {
  package static let name = "oya"
  package static let pushTokenPath = "/applicationToken"

  // The store names what it did not find: `Identity - mei@example.test not found.`
  static let customerMissing = [
    RefusalRule(404, saying: "Identity - ", is: customerNotFound), RefusalRule(404, saying: "Customer - ", is: customerNotFound),
  ]

  package static let customerRefusals = [RefusalRule(404, needsEnvelope: true, is: customerNotFound)]
  package static let pushRefusals = [
    RefusalRule(400, saying: "FAILED_TO_STORE_APPLICATION_TOKEN", is: incompletePushToken),
    RefusalRule(404, needsEnvelope: true, is: customerNotFound),
  ]
  package static let purchaseRefusals =
    customerMissing + [
      RefusalRule(403, saying: "PAYMENT_SOURCE_REJECTED", is: paymentSourceRejected),
      RefusalRule(403, saying: "ALREADY_SUBSCRIBED_TO_PLAN", is: alreadySubscribed),
      RefusalRule(403, saying: "FAILED_TO_PURCHASE_PRODUCT", is: paymentRefused),
      RefusalRule(404, saying: "FAILED_TO_PURCHASE_PRODUCT", is: productNotFound),
      RefusalRule(400, 500, saying: "FAILED_TO_PURCHASE_PRODUCT", is: paymentFailed),
    ]
  package static let sourceRefusals =
    customerMissing + [
      RefusalRule(403, saying: "PAYMENT_SOURCE_REJECTED", is: paymentSourceRejected),
      RefusalRule(403, needsEnvelope: true, is: paymentRefused),
      RefusalRule(404, needsEnvelope: true, is: sourceNotFound),
    ]
  package static let callbackRefusals =
    keyRefusals + [RefusalRule(400, needsEnvelope: true, is: incompleteScan), RefusalRule(404, needsEnvelope: true, is: scanNotFound)]
  static let keyRefusals = [RefusalRule(401, is: webhookKeyRefused)]
  static let regionRefusals = customerMissing + [RefusalRule(404, needsEnvelope: true, is: regionNotFound)]
  static let simRefusals =
    customerMissing + [
      RefusalRule(404, saying: "Region - ", is: regionNotFound), RefusalRule(404, needsEnvelope: true, is: simProfileNotFound),
    ]

  package static func callbackTarget(_ settings: ValueMap) throws(StepFailure) -> String {
    try Host.webhooks.base("webhook_url", settings) + "/ekyc/callback"
  }
  package static var callbackNeeds: [NeededSetting] { Host.webhooks.needs }
  package static func callbackKey(_ settings: ValueMap) throws(StepFailure) -> String? {
    try Host.webhooks.proof("webhook_key", settings)
  }

  package static func exampleGiven(_ members: String) -> String {
    #"{"people": [{"customer": {"nickname": "Mei", "contact_email": "mei@example.test"\#(members.isEmpty ? "" : ", \(members)")}}]}"#
  }

  package static let exampleSignIn = Example.Preparation("oya/authorize-apple", with: #"{"auth_code": "c0ffee.0.mei"}"#)
}
