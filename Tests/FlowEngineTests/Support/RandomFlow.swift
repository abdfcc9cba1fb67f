import Values

/// Writes flows of every action, as a seed has it; `call` calls `sub.flow.yaml`.
struct RandomFlow {
  private var random: SeededGenerator
  private var count = 0
  /// How many bodies around run beside others.
  private var concurrent = 0
  /// Whether nothing in it depends on time: then a run that was cut off ends as one that was not.
  private let isCalm: Bool
  private let leavesOutUndo: Bool
  /// Requests of the flow's own list of steps, which later steps and `outputs` may read.
  private var readable: [String] = []
  private var assigned: [String] = []

  /// - Parameter leavesOutUndo: writes the same flow without one `undo`.
  init(seed: UInt64, isCalm: Bool = false, leavesOutUndo: Bool = false) {
    random = SeededGenerator(seed)
    self.isCalm = isCalm
    self.leavesOutUndo = leavesOutUndo
  }

  mutating func yaml() -> String {
    var text = "connections: { api: { system: http, base_url: https://api.test } }\n"
    text += "inputs: { n: { type: integer, default: 5 } }\nstate: { n: { type: integer, default: 0 } }\n"
    if !isCalm, chance(4) { text += "budget: { time: \(number(1...20))s }\n" }
    text += "steps:\n" + steps(depth: 0, indent: 2) + "finally:\n" + request(indent: 2, mayUndo: false) + request(indent: 2, mayUndo: false)
    let outputs =
      readable.map { "  \($0): \"${{ default(steps.\($0).outputs.n, 0) }}\"\n" }
      + assigned.map { "  \($0): \"${{ default(vars.\($0), 0) }}\"\n" }
    return text + (outputs.isEmpty ? "" : "outputs:\n" + outputs.joined())
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func chance(_ of: Int) -> Bool { number(1...of) == 1 }

  private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

  private mutating func steps(depth: Int, indent: Int) -> String {
    (0..<number(1...3)).map { _ in depth < 3 && chance(2) ? nested(depth: depth, indent: indent) : request(depth: depth, indent: indent) }
      .joined()
  }

  private mutating func head(_ indent: Int) -> String {
    count += 1
    return String(repeating: " ", count: indent) + "- id: s\(count)\n"
  }

  // MARK: - one step

  private mutating func request(depth: Int = 3, indent: Int, mayUndo: Bool = true) -> String {
    let pad = String(repeating: " ", count: indent + 2)
    if chance(8) { return head(indent) + pad + "wait: \(number(1...5))s\n" }
    if concurrent == 0, chance(8) { return head(indent) + pad + assignment(depth: depth) }
    var text = head(indent)
    let id = "s\(count)"
    let method = pick(["get", "put", "post", "once", "keyed"])
    text += pad + (["once", "keyed"].contains(method) ? "post" : method) + ": /x\n"
    if method == "once" { text += pad + "effect: once\n" }
    if method == "keyed" { text += pad + "idempotency_key: \"${{ uuid() }}\"\n" }
    if method != "get" {
      text +=
        pad
        + "with: { json: { of: \"${{ \(readable.last.map { "default(steps.\($0).outputs.n, 0)" } ?? "1") }}\", at: \"${{ now() }}\" } }\n"
    }
    if depth == 0 {
      text += pad + "outputs: { n: { value: \"${{ response.body.n }}\", type: integer } }\n"
    }
    if chance(2) { text += pad + "retry: { attempts: \(number(1...4)), delay: \(number(0...3000))ms }\n" }
    if !isCalm, chance(3) { text += pad + "timeout: \(number(1...6000))ms\n" }
    if method == "get" || method == "put", chance(4) { text += pad + poll() }
    if !isCalm, chance(8) { text += pad + "save: out.txt\n" }
    if mayUndo, chance(3) { text += undo(pad) }
    let doubts = method == "once" || method == "post"
    if doubts, isCalm || chance(3) { text += reconcile(pad, gives: depth == 0) }
    if depth < 3, chance(2) {
      text += branches(depth: depth, indent: indent + 2, hasOnce: method == "once", isSafe: !doubts)
    }
    if depth == 0 { readable.append(id) }
    return text
  }

  private mutating func assignment(depth: Int) -> String {
    if chance(2) { return "set: { state.n: \(number(1...9)) }\n" }
    let name = "v\(count)"
    if depth == 0 { assigned.append(name) }
    return "set: { \(name): \(number(1...9)) }\n"
  }

  private mutating func poll() -> String {
    let tolerate = chance(2) ? ", tolerate: [http.4xx, network]" : ""
    let timeout = isCalm ? 600 : number(3...9)
    return "poll: { every: \(number(1...2000))ms, timeout: \(timeout)s, "
      + "until: \"response.status == 200 && response.headers['x-done'] == '1'\"\(tolerate) }\n"
  }

  private mutating func undo(_ pad: String) -> String {
    count += 1
    let text =
      pad + "undo:\n" + pad + "  always: \(chance(4) && !isCalm)\n" + pad + "  steps:\n" + pad
      + "    - { id: u\(count), \(pick(["delete", "post", "put"])): /x }\n"
    return leavesOutUndo ? "" : text
  }

  /// What it looks up is answered `there`.
  private mutating func reconcile(_ pad: String, gives: Bool) -> String {
    count += 1
    let id = "l\(count)"
    var text = pad + "reconcile:\n" + pad + "  steps:\n" + pad + "    - { id: \(id), get: /there }\n"
    if chance(3) {
      text +=
        pad
        + "    - { id: \(id)_more, get: /x, retry: { attempts: 2 }, on_error: [ { when: [http, network, timeout], then: continue } ] }\n"
    }
    text += pad + "  delivered: steps.\(id).response.body.there\n"
    return gives ? text + pad + "  outputs: { n: \"${{ steps.\(id).response.body.n }}\" }\n" : text
  }

  // MARK: - steps around others

  private mutating func nested(depth: Int, indent: Int) -> String {
    let pad = String(repeating: " ", count: indent + 2)
    var text = head(indent)
    let start = text.utf8.count
    switch number(1...7) {
    case 1, 2: text += pad + "group:\n" + steps(depth: depth + 1, indent: indent + 4)
    case 3:
      let width = number(1...3)
      let onError = isCalm && width > 1 ? "finish" : pick(["stop", "finish"])
      text += pad + "for_each: { in: [a, b, c, d], as: item, key: item, concurrency: \(width), on_item_error: \(onError) }\n"
      text += pad + "steps:\n" + inside(isConcurrent: width > 1) { $0.steps(depth: depth + 1, indent: indent + 4) }
    case 4:
      text += pad + "repeat: { max: \(number(1...3)), every: \(number(1...3000))ms, carry: { n: 1 } }\n"
      text += pad + "steps:\n" + steps(depth: depth + 1, indent: indent + 4)
    case 5:
      text += pad + "parallel:\n" + pad + "  on_branch_error: \(isCalm ? "finish" : pick(["stop", "finish"]))\n" + pad + "  branches:\n"
      for name in ["left", "right"] {
        text += pad + "    \(name):\n" + inside(isConcurrent: true) { $0.steps(depth: depth + 1, indent: indent + 8) }
      }
    case 6: text += pad + "call: sub.flow.yaml\n"
    default:
      text += pad + "switch:\n" + pad + "  - if: inputs.n > \(number(1...9))\n" + pad + "    steps:\n"
      text += steps(depth: depth + 1, indent: indent + 8) + pad + "  - else:\n" + steps(depth: depth + 1, indent: indent + 8)
    }
    let body = String(decoding: text.utf8.dropFirst(start), as: UTF8.self)
    if !isCalm, chance(2) { text += pad + "timeout: \(number(1...9000))ms\n" }
    if chance(2), body.contains("/x") || body.contains("call:") {
      text += branches(depth: depth, indent: indent + 2, hasOnce: body.contains("once"), isSafe: !body.contains("once"))
    }
    return text
  }

  private mutating func inside(isConcurrent: Bool, _ body: (inout RandomFlow) -> String) -> String {
    concurrent += isConcurrent ? 1 : 0
    defer { concurrent -= isConcurrent ? 1 : 0 }
    return body(&self)
  }

  private mutating func branches(depth: Int, indent: Int, hasOnce: Bool, isSafe: Bool) -> String {
    let pad = String(repeating: " ", count: indent)
    var text = pad + "on_error:\n"
    for code in ["network.connect", "timeout", "http.4xx", "indeterminate"] where chance(2) && (hasOnce || code != "indeterminate") {
      text += pad + "  - when: \(code)\n"
      if chance(3) { text += pad + "    do:\n" + steps(depth: depth + 2, indent: indent + 6) }
      let retry = isSafe || !hasOnce && code == "network.connect" ? ["then: retry\n\(pad)    max: 2"] : []
      // What ends the flow ends what runs beside it as well, wherever that stands.
      let end = isCalm && concurrent > 0 ? [] : ["then: end\n\(pad)    verdict: passed"]
      text += pad + "    " + pick(["then: continue", "then: fail"] + end + retry) + "\n"
    }
    return text == pad + "on_error:\n" ? "" : text
  }
}
