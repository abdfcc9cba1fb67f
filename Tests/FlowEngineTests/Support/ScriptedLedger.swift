import FlowEngine
import StepKit
import Synchronization
import Values

/// Who knows what was sent that must be sent once, as a test has it; keeps what it is told.
final class ScriptedLedger: TriggerPort {
  /// What a key gave before; nil grants it.
  private let past: ValueMap?
  private let allows: Bool
  private let isFull: Bool
  private let told = Mutex<[String]>([])

  init(past: ValueMap? = nil, allows: Bool = true, isFull: Bool = false) {
    self.past = past
    self.allows = allows
    self.isFull = isFull
  }

  var mayGoLive: Bool { false }

  /// One line for each thing that was asked or said.
  var lines: [String] { told.withLock { $0 } }

  func admit(_ order: TriggerOrder) async throws(StepFailure) -> TriggerAdmission {
    told.withLock { $0.append("admit \(order.name.system) \(order.name.key)") }
    return past.map { .replayed($0) } ?? .granted(Grant(ledger: self))
  }

  func settle(_ name: TriggerName, delivered: Bool) async throws(StepFailure) {
    told.withLock { $0.append("settle \(name.key) \(delivered)") }
    if isFull { throw Self.full }
  }

  private static let full = StepFailure("indeterminate", title: "the disk is full")

  private struct Grant: TriggerGrant {
    let ledger: ScriptedLedger

    func maySend() -> Bool {
      ledger.told.withLock { $0.append("send") }
      return ledger.allows
    }

    func record(_ outcome: TriggerResult) async throws(StepFailure) {
      let line =
        switch outcome {
        case .notSent(let failure): "not sent: \(failure.code)"
        case .acknowledged(let outputs): "acknowledged \(Value.map(outputs).json())"
        case .rejected(let failure): "rejected: \(failure.code)"
        case .unknown(let failure): "unknown: \(failure.code), sent \(failure.sent.rawValue)"
        }
      ledger.told.withLock { $0.append(line) }
      if ledger.isFull { throw ScriptedLedger.full }
    }
  }
}

/// A flow around an emergency, to be continued after `fire`.
let emergency =
  rapidsos + """
    steps:
      - id: fire
        uses: rapidsos/trigger-call-flow
        dedupe_key: k
        with:
          call_flow: kronos_contacts
          variables:
            location: { latitude: 42.6, longitude: -73.7, uncertainty: 12.0 }
            user: { full_name: Dana Reyes, phone_number: "(234) 567-8888" }
            contacts: [ { full_name: Ira Reyes, phone_number: "(234) 567-0000" } ]
            company: Kronos

    """
