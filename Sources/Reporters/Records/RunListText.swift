import Diagnostics
package import Values

/// What `baton runs` lists: the triggers that somebody must settle, then the runs, latest first.
package struct RunList: Sendable {
  package var triggers: [RecordedTrigger]
  package var runs: [RecordedRun]
  /// Whether there are more runs than are listed.
  package var isCut: Bool
  /// Whether only what is unresolved is listed.
  package var isUnresolved: Bool
  /// Whether something kept other runs out.
  package var isFiltered: Bool

  package init(triggers: [RecordedTrigger], runs: [RecordedRun], isCut: Bool, isUnresolved: Bool, isFiltered: Bool) {
    self.triggers = triggers
    self.runs = runs
    self.isCut = isCut
    self.isUnresolved = isUnresolved
    self.isFiltered = isFiltered
  }

  /// As lines for people; every line ends with a line break.
  ///
  /// - Parameter now: what ages are counted to.
  package func text(style: ConsoleStyle, now: Timestamp) -> String {
    var blocks: [String] = []
    if !triggers.isEmpty { blocks.append(triggerBlock(style, now)) }
    if !runs.isEmpty { blocks.append(table(style)) }
    if blocks.isEmpty { blocks.append(nothing) }
    if isCut { blocks.append("there are more; list them with `--limit N`\n") }
    return blocks.joined(separator: "\n")
  }

  private var nothing: String {
    if isUnresolved { return "nothing is unresolved\n" }
    return isFiltered ? "there is no such run\n" : "there are no runs yet\n"
  }

  // MARK: triggers

  private func triggerBlock(_ style: ConsoleStyle, _ now: Timestamp) -> String {
    let title = "\(counted(triggers.count, "trigger")) unresolved: nobody knows whether it happened\n"
    return style.painted(triggers.count == 1 ? title : title.replacing("it happened", with: "they happened"), .alarm)
      + triggers.map { lines(of: $0, style, now) }.joined()
  }

  private func lines(of trigger: RecordedTrigger, _ style: ConsoleStyle, _ now: Timestamp) -> String {
    let run = shownText(trigger.runID) + (trigger.isJournaled ? "" : " (not in this journal)")
    let columns = [
      shownText(trigger.key), TriggerTexts.scope(trigger), "\(shownText(trigger.state)) for \(trigger.since.age(at: now))",
      "run \(run) by \(shownText(trigger.operator))",
    ]
    let advice =
      ["ask \(shownText(trigger.system)) whether it happened, then say so:"]
      + DoubtTexts.settling(trigger.runID, step: nil).map { "  \($0)" }
    return "\(style.mark(.unknown)) \(columns.joined(separator: "  "))\n" + advice.map { "    \($0)\n" }.joined()
  }

  // MARK: runs

  private static let headings = ["run", "started (UTC)", "verdict", "flow", "environment", "took", "by"]

  private func table(_ style: ConsoleStyle) -> String {
    let rows = runs.map(cells)
    let widths = Self.headings.indices.map { column in (rows + [Self.headings]).map { $0[column].count }.max() ?? 0 }
    var text = style.painted(Self.line(Self.headings, widths), .dim) + "\n"
    for (run, cells) in zip(runs, rows) {
      text += Self.line(cells, widths) { column, cell in column == 2 ? style.painted(run.standing, as: cell) : cell } + "\n"
      if let hint = hint(for: run) { text += "    \(hint)\n" }
    }
    return text
  }

  private func cells(of run: RecordedRun) -> [String] {
    let duration = run.endedAt.flatMap { run.startedAt.duration(until: $0)?.text }
    return [
      run.id, run.startedAt.displayText, run.standing.rawValue, run.flow, run.environment.isEmpty ? "-" : run.environment,
      duration ?? "-", run.operator,
    ].map(shownText)
  }

  /// The last cell is not filled up: lines have no blanks at their ends.
  private static func line(_ cells: [String], _ widths: [Int], paint: (Int, String) -> String = { $1 }) -> String {
    cells.indices.map { column in
      let gap = column == cells.count - 1 ? 0 : widths[column] - cells[column].count
      return paint(column, cells[column]) + String(repeating: " ", count: gap)
    }.joined(separator: "  ")
  }

  private func hint(for run: RecordedRun) -> String? {
    let id = shownText(run.id)
    if let first = run.doubts.first {
      let more = run.doubts.count > 1 ? ", and \(run.doubts.count - 1) more" : ""
      return "nobody knows whether \(DoubtTexts.subject(first)) took effect\(more): `baton show \(id)`"
    }
    return run.standing == .interrupted ? "its process ended before the run did; go on with `baton resume \(id)`" : nil
  }
}

/// The words for triggers.
enum TriggerTexts {
  /// `rapidsos (production)`
  static func scope(_ trigger: RecordedTrigger) -> String {
    shownText(trigger.system) + (trigger.environment.isEmpty ? "" : " (\(shownText(trigger.environment)))")
  }
}
