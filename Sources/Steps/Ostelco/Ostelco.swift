package import StepKit

/// Ostelco mobile operator, first generation: the self-care app's balance, top-ups, purchases, profile and identity check.
package enum Ostelco: Sendable {
  /// The system as the catalogue lists it: connection, tokens, steps.
  package static let system = SystemDescription(
    name: name, title: "Ostelco mobile operator, first generation", settings: { Settings.recordShape }, tokens: OstelcoTokenIssuer(),
    steps: [
      AnyStep(MobileShop.AddPaymentSource<Ostelco>.self),
      AnyStep(CreateProfile.self),
      AnyStep(CreateScan.self),
      AnyStep(MobileShop.GetBundles<Ostelco>.self),
      AnyStep(GetCustomerState.self),
      AnyStep(GetProfile.self),
      AnyStep(GetPseudonyms.self),
      AnyStep(MobileShop.GetReferrer<Ostelco>.self),
      AnyStep(GetScan.self),
      AnyStep(GetStripeKey.self),
      AnyStep(MobileShop.QueryGraph<Ostelco>.self),
      AnyStep(ListConsents.self),
      AnyStep(MobileShop.ListPaymentSources<Ostelco>.self),
      AnyStep(MobileShop.ListProducts<Ostelco>.self),
      AnyStep(MobileShop.ListPurchases<Ostelco>.self),
      AnyStep(MobileShop.ListReferrals<Ostelco>.self),
      AnyStep(ListSubscriptions.self),
      AnyStep(Login.self),
      AnyStep(Logout.self),
      AnyStep(MobileShop.PurchaseProduct<Ostelco>.self),
      AnyStep(RefreshToken.self),
      AnyStep(RefundPurchase.self),
      AnyStep(MobileShop.RegisterPushToken<Ostelco>.self),
      AnyStep(MobileShop.RemoveSource<Ostelco>.self),
      AnyStep(RevokeRefreshToken.self),
      AnyStep(MobileShop.ScanCallback<Ostelco>.self),
      AnyStep(SetConsent.self),
      AnyStep(MobileShop.SetDefaultSource<Ostelco>.self),
      AnyStep(UpdateProfile.self),
    ],
    // The API's own hosts, the tenant, and the host that later issued the tokens.
    hosts: ["ostelco.org", "*.ostelco.org", "ostelco.eu.auth0.com", "auth-dev.oya.world"], urls: ["base_url", "auth_url"],
    signsIn: { _ in false })
}
