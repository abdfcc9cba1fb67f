import Diagnostics
import FlowEvents

/// What the last line of a terminal says about the step that runs.
struct StatusText {
  var step: StepStart
  var time: String
  var more: String

  /// Shortened in the middle, so that the time stays in sight.
  func fitting(_ columns: Int, style: ConsoleStyle) -> String {
    let ending = time + more
    let id = shownText(step.step.title)
    let action = shownText(step.action)
    let room = max(columns - ending.utf8.count, 0)
    let head = id.prefix(columns: room)
    let left = room - head.width - 2
    let tail = left > 3 ? "  " + style.painted(action.prefix(columns: left).text, .dim) : ""
    return head.text + tail + (ending.utf8.count <= columns ? ending : "")
  }
}

extension String {
  /// Its widest beginning within so many columns.
  fileprivate func prefix(columns: Int) -> (text: String, width: Int) {
    var width = 0
    var end = startIndex
    for index in indices {
      // Rather too wide than too narrow: a line that wraps cannot be drawn over.
      let own = self[index].utf8.count > 2 ? 2 : 1
      guard width + own <= columns else { break }
      width += own
      end = self.index(after: index)
    }
    return (String(self[..<end]), width)
  }
}
