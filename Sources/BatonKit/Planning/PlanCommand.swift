import Diagnostics
import FlowPlan
import Reporters
import StepKit
import Values

/// `baton plan FLOW`: proves a flow, prepares it as a run would, and shows what that run would do.
///
/// It sends nothing, opens no connection, resolves no name, runs no program and writes nothing.
public struct PlanCommand: Sendable {
  public var flow: String
  public var givens: Givens
  /// Whether the run is to be live: then it is judged as such.
  public var isLive: Bool
  /// The keys that are confirmed.
  public var confirmed: [String]
  public var printsJSON: Bool

  public init(flow: String, givens: Givens = Givens(), isLive: Bool = false, confirmed: [String] = [], printsJSON: Bool = false) {
    self.flow = flow
    self.givens = givens
    self.isLive = isLive
    self.confirmed = confirmed
    self.printsJSON = printsJSON
  }

  /// 0 where nothing that is known refuses the run, else 2.
  public func execute(_ terminal: Terminal) async -> Int {
    let file = FlowFile.load(flow)
    terminal.hide(file.openSecrets)
    do throws(Findings) {
      guard let plan = file.plan else { throw Findings(file.diagnostics) }
      var outline = try await FlowPlanning(
        plan: plan, givens: givens, terminal: terminal, isLive: isLive, confirmed: confirmed, records: LiveRecords.untouched,
        canAsk: terminal.canAsk
      ).outline()
      outline.findings = (file.diagnostics + outline.findings).sortedByPlace()
      if !outline.findings.isEmpty { terminal.show(outline.findings) }
      if printsJSON {
        print(OutlineJSON.value(outline), terminal)
      } else {
        terminal.write(OutlineText(outline, isUTF8: terminal.isUTF8).text, to: .output)
      }
      return outline.isSound ? 0 : 2
    } catch {
      terminal.show(error.diagnostics)
      if printsJSON { print(OutlineJSON.value(file: flow, findings: error.diagnostics), terminal) }
      return 2
    }
  }

  private func print(_ value: Value, _ terminal: Terminal) {
    terminal.writeRedacted(JSONText.inert(value.redacted.redacted(by: terminal.redactor).json(indent: 2)) + "\n", to: .output)
  }
}
