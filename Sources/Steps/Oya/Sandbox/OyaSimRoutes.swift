import HTTPTypes
import SandboxKit
import Values

extension OyaSandbox {
  /// `/regions/{code}/simProfiles` and `/regions/{code}/subscriptions`.
  enum SimRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/regions/{code}/simProfiles", list),
      SandboxRoute(.post, "/regions/{code}/simProfiles", create),
      SandboxRoute(.put, "/regions/{code}/simProfiles/{iccId}", rename),
      SandboxRoute(.put, "/regions/{code}/simProfiles/{iccId}/installed", markInstalled),
      SandboxRoute(.get, "/regions/{code}/simProfiles/{iccId}/resendEmail", resendMail),
      SandboxRoute(.get, "/regions/{code}/subscriptions", subscriptions),
    ]

    private static let listing = OperatorTask("FAILED_TO_FETCH_SIM_PROFILES", "Failed to fetch SIM profiles.")
    private static let change = OperatorTask("FAILED_TO_UPDATE_SIM_PROFILE", "Failed to update SIM profile.")
    private static let report = OperatorTask("FAILED_TO_UPDATE_SIM_PROFILE", "Failed to mark SIM profile as installed.")
    private static let mail = OperatorTask(
      "FAILED_TO_SEND_EMAIL_WITH_ESIM_ACTIVATION_QR_CODE", "Failed to send email with Activation QR code.")
    static let subscriptionListing = OperatorTask("FAILED_TO_FETCH_SUBSCRIPTIONS", "Failed to get subscriptions.")
    private static let provision = OperatorTask("FAILED_TO_PROVISION_SIM_PROFILE", "Failed to provision SIM profile.")

    /// Here each has the status that it really has.
    @Sendable private static func list(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      .json(.list(try sims(call, state, world, listing).map { $0.value() }))
    }

    @Sendable private static func subscriptions(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      .json(.list(try sims(call, state, world, subscriptionListing).map(\.subscription)))
    }

    private static func sims(_ call: SandboxCall, _ state: State, _ world: SandboxWorld, _ task: OperatorTask) throws(SandboxReply)
      -> [SimCard]
    {
      let customer = state.customers[try state.asking(call, world, for: task)]
      let region = try state.asked(call, for: task).code
      return customer.sims.filter { $0.region == region }
    }

    @Sendable private static func create(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let position = try state.asking(call, world, for: provision)
      let card = try provide(call["code"], call.request.query("profileType"), to: position, &state, &world)
      return .json(card.value())
    }

    /// Orders an eSIM, and sends its QR code unless the type of the profile says that an app installs it.
    static func provide(
      _ code: String, _ profileType: String?, alias: String = "", to position: Int, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SimCard {
      guard state.region(code) != nil else {
        throw State.rules.refusal(provision, .notFound, nested: OperatorRules.missing("Region", code))
      }
      guard state.customers[position].progress(in: code)?.isApproved ?? false else {
        state.customers[position].note("Failed to provision SIM profile.", severity: "ERROR", at: world.now)
        throw State.rules.refusal(
          provision, .notFound, nested: OperatorRules.missing("BELONG_TO_REGION", "\(state.customers[position].id) -> \(code)"))
      }
      var card = SimCard(region: code, world: &world)
      card.alias = alias
      state.customers[position].sims.append(card)
      state.customers[position].note("Provisioned SIM profile \(card.iccID) for \(code)", at: world.now)
      if !["iphone", "android", "test"].contains(profileType) { state.sendQRCode(of: card, to: position, &world) }
      return card
    }

    @Sendable private static func rename(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let (position, place) = try find(call, state, world, change)
      state.customers[position].sims[place].alias = try call.request.required("alias")
      return .json(state.customers[position].sims[place].value())
    }

    @Sendable private static func markInstalled(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let (position, place) = try find(call, state, world, report)
      state.customers[position].sims[place].reportedByApp = world.now
      return .json(state.customers[position].sims[place].value())
    }

    @Sendable private static func resendMail(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let (position, place) = try find(call, state, world, mail)
      let card = state.customers[position].sims[place]
      state.sendQRCode(of: card, to: position, &world)
      return .json(card.value())
    }

    private static func find(
      _ call: SandboxCall, _ state: State, _ world: SandboxWorld, _ task: OperatorTask
    ) throws(SandboxReply) -> (customer: Int, sim: Int) {
      let position = try state.asking(call, world, for: task)
      let region = try state.asked(call, for: task).code
      guard let place = state.customers[position].sims.firstIndex(where: { $0.iccID == call["iccId"] && $0.region == region }) else {
        throw State.rules.refusal(task, .notFound, nested: OperatorRules.missing("SimProfile", call["iccId"]))
      }
      return (position, place)
    }
  }
}

extension OyaSandbox.State {
  /// Mails the QR code of an eSIM; its text is the activation code.
  mutating func sendQRCode(of card: OyaSandbox.SimCard, to position: Int, _ world: inout SandboxWorld) {
    let address = customers[position].contactEmail
    // Assumed: the words of the mail.
    let message = SandboxMessage(
      .mail, to: address, subject: "Your eSIM is ready", text: "Scan the QR code to install your eSIM: \(card.activationCode)",
      code: card.activationCode)
    world.post(message)
    mails = mails.suffix(99) + [["to": .string(address), "subject": .string(message.subject), "code": .string(card.activationCode)]]
  }

  /// Pushes to all phones of a customer; a token that FCM has forgotten is deleted.
  mutating func push(to id: String, title: String, text: String, data: Value, world: inout SandboxWorld) {
    shop.accounts[id]?.pushTokens.removeAll { switches.deadPushTokens.contains($0.token) }
    shop.push(to: id, title: title, text: text, data: data, world: &world)
    let phones = shop.account(id).pushTokens.filter { $0.type == "FCM" }
    pushes =
      pushes.suffix(99) + phones.map { ["to": .string($0.applicationID), "title": .string(title), "text": .string(text), "data": data] }
  }
}
