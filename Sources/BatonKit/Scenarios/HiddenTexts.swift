import Synchronization

/// Hides texts on a terminal, each once: hundreds of cases hold the same secrets.
final class HiddenTexts: Sendable {
  private let terminal: Terminal
  private let known = Mutex<Set<String>>([])

  init(_ terminal: Terminal) { self.terminal = terminal }

  func hide(_ texts: [String]) {
    let new = known.withLock { known in texts.filter { known.insert($0).inserted } }
    if !new.isEmpty { terminal.hide(new) }
  }
}
