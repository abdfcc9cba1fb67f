import Diagnostics
import Glibc
import Values

/// `baton state list | show FLOW | reset FLOW`: what flows keep between runs.
public struct StateCommand: Sendable {
  /// Which states of a flow are meant; nil is any.
  public struct Selection: Sendable {
    public var flow: String
    public var environment: String?
    public var key: String?

    public init(flow: String, environment: String? = nil, key: String? = nil) {
      self.flow = flow
      self.environment = environment
      self.key = key
    }
  }

  public enum Action: Sendable {
    case list
    case show(Selection)
    case reset(Selection)
  }

  public var action: Action
  public var printsJSON: Bool

  public init(_ action: Action, printsJSON: Bool = false) {
    self.action = action
    self.printsJSON = printsJSON
  }

  /// 0, or 2 where there is no such state. A file that holds none is told of, and keeps nobody from the others.
  public func execute(_ terminal: Terminal) -> Int {
    do throws(FileFailure) {
      let store = try StateStore.standard()
      let (entries, broken) = store.entries()
      switch action {
      case .list:
        terminal.write(list(entries), to: .output)
        terminal.show(broken.map { Diagnostic(.invalidValue, $0.message, at: nil, severity: .warning) })
      case .show(let selection):
        for entry in try selection.chosen(from: entries) { terminal.write(Value.map(entry.values).json() + "\n", to: .output) }
      case .reset(let selection):
        if let file = store.brokenFile(of: selection.storeKey) {
          try store.remove(file)
          terminal.write("- \(shownText(file))\n", to: .output)
          return 0
        }
        for entry in try selection.chosen(from: entries) {
          try store.remove(entry.file)
          terminal.write("- \(entry.title)\n", to: .output)
        }
      }
      return 0
    } catch {
      terminal.show([Diagnostic(.invalidValue, error.message, at: nil)])
      return 2
    }
  }

  private func list(_ entries: [StateStore.Entry]) -> String {
    if printsJSON { return Value.list(entries.map(\.json)).json() + "\n" }
    return entries.isEmpty ? "no flow keeps any state\n" : entries.map { "\($0.title)\n" }.joined()
  }
}

extension StateCommand.Selection {
  /// The one state that is meant where what is left open is empty.
  fileprivate var storeKey: StateStore.Key {
    StateStore.Key(flow: FileAccess.resolved(flow), environment: environment ?? "", key: key ?? "")
  }

  fileprivate func chosen(from entries: [StateStore.Entry]) throws(FileFailure) -> [StateStore.Entry] {
    let path = FileAccess.resolved(flow)
    let chosen = entries.filter {
      $0.key.flow == path && (environment == nil || $0.key.environment == environment) && (key == nil || $0.key.key == key)
    }
    guard chosen.isEmpty else { return chosen }
    throw FileFailure(message: "`\(flow)` keeps no such state; `baton state list` shows what there is")
  }
}

extension StateStore.Entry {
  /// One line for people.
  fileprivate var title: String {
    let names = values.map { shownText($0.key.text) }.joined(separator: ", ")
    return [key.flow, key.environment, key.key].filter { !$0.isEmpty }.map { shownText($0) }.joined(separator: "  ") + "  \(names)"
  }

  fileprivate var json: Value {
    ["flow": .string(key.flow), "environment": .string(key.environment), "key": .string(key.key), "values": .map(values)]
  }
}
