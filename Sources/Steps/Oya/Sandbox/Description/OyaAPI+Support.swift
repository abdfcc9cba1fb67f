import HTTPTypes
import SandboxKit
import Values

extension OyaSandbox.API {
  /// What both generations have, with the statuses of this one; the purchase names what pays, and GraphQL is there by GET too.
  static var shared: [APIOperation] {
    let api = OperatorAPI(rules: .second)
    return api.shop + api.sources + api.referrals + [
      api.push(at: Oya.pushTokenPath), api.graph,
      APIOperation(
        "graphql-get", .get, "/graphql", "The same, by its query alone.", security: user,
        parameters: [query("query", "The query.", "query { context { customer { id } } }")],
        answers: [
          APIAnswer(200, "The data, or errors; neither where there is no customer.", schema: free), invalid, unauthorized,
        ]),
    ]
  }

  static var support: [APIOperation] {
    let one = [path("id", "The customer's id.", "c-mei")]
    func reading(_ id: String, _ path: String, _ about: String, _ answer: APIAnswer) -> APIOperation {
      APIOperation(id, .get, path, about, security: admin, parameters: one, answers: [answer, unauthorized, noCustomer])
    }
    return [
      APIOperation(
        "support-find-profile", .get, "/support/profiles/{query}", "Finds customers.", security: admin,
        parameters: [path("query", "A contact address, or a phone number.", "mei@example.test")],
        answers: [list("Everybody who is meant.", "Customer"), unauthorized, noCustomer]),
      reading(
        "support-list-subscriptions", "/support/profiles/{id}/subscriptions", "Lists phone numbers.", list("All of them.", "Subscription")),
      reading("support-list-scans", "/support/profiles/{id}/scans", "Lists checks of papers.", list("All of them.", "Scan")),
      reading("support-get-bundles", "/support/bundles/{id}", "Reads the balance.", list("All of them.", "Bundle")),
      reading("support-list-purchases", "/support/purchases/{id}", "Lists what was bought.", list("All of them.", "Purchase")),
      reading("support-get-context", "/support/context/{id}", "Reads customer and regions.", ok("Both.", "Context")),
      APIOperation(
        "support-get-audit-log", .get, "/support/auditLog/{id}", "Reads what has happened.", security: admin, parameters: one,
        answers: [list("All of it.", "AuditEntry"), unauthorized]),
      APIOperation(
        "support-refund", .put, "/support/refund/{id}", "Gives money back.", security: admin,
        parameters: one + [
          query("purchaseRecordId", "The purchase.", "ch_1Dq"),
          query("reason", "Why.", "duplicate", schema: ["enum": ["duplicate", "fraudulent", "requested_by_customer"]]),
        ],
        answers: [
          ok("It is given back.", "Reference", ["id": "1GB_15SGD"]), invalid, unauthorized,
          refusal(403, "It was given back before, or it was free."), noCustomer,
        ]),
      APIOperation(
        "support-notify", .put, "/support/notify/{id}", "Sends a push message.", security: admin,
        parameters: one + [query("title", "Its title.", "Hello"), query("message", "Its text.", "Your plan is about to end")],
        answers: [APIAnswer(200, "It is sent.", schema: ["const": "Message Sent"]), invalid, unauthorized]),
      APIOperation(
        "support-delete-customer", .delete, "/support/customer/{id}", "Deletes a customer.", security: admin, parameters: one,
        answers: [empty("They are gone."), unauthorized, noCustomer]),
      APIOperation(
        "support-create-sim-profile", .post, "/support/simprofile/{id}", "Orders an eSIM.", security: admin,
        parameters: one + [
          query("regionCode", "The region.", "no"), query("profileType", "How it is installed.", "iphone"),
          query("alias", "Its name.", "Work"),
        ],
        answers: [ok(201, "It is ordered.", "SimProfile"), invalid, unauthorized, noCustomer]),
    ]
  }

  static var webhooks: [APIOperation] {
    var callback = OperatorAPI(rules: .second).callback(at: "/ekyc/callback")
    callback.security = key
    callback.answers.append(unauthorized)
    return [
      callback,
      APIOperation(
        "stripe-event", .post, "/stripe/event", "Reports what happened at the payment provider.", security: key,
        body: body("StripeEvent", ["id": "evt_1", "type": "charge.succeeded", "data": [:]]),
        answers: [
          empty(200, "It is noted."),
          OperatorAPI.unreadable, unauthorized, otherMediaType,
        ]),
    ]
  }
}
