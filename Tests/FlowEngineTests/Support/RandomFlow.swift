import Values

/// Writes flows of every action, as a seed has it; `call` calls `sub.flow.yaml`.
struct RandomFlow {
  private var random: SeededGenerator
  private var count = 0
  /// How many bodies around run beside others.
  private var concurrent = 0

  init(seed: UInt64) { random = SeededGenerator(seed) }

  mutating func yaml() -> String {
    var text = "connections: { api: { system: http, base_url: https://api.test } }\n"
    text += "inputs: { n: { type: integer, default: 5 } }\nstate: { n: { type: integer, default: 0 } }\n"
    if chance(4) { text += "budget: { time: \(number(1...20))s }\n" }
    text += "steps:\n" + steps(depth: 0, indent: 2) + "finally:\n" + request(indent: 2, mayUndo: false) + request(indent: 2, mayUndo: false)
    return text
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

  private mutating func request(depth: Int = 3, indent: Int, mayUndo: Bool = true) -> String {
    let pad = String(repeating: " ", count: indent + 2)
    if chance(8) { return head(indent) + pad + "wait: \(number(1...5))s\n" }
    if concurrent == 0, chance(10) { return head(indent) + pad + "set: { state.n: \(number(1...9)) }\n" }
    var text = head(indent)
    let method = pick(["get", "put", "post", "once"])
    text += pad + (method == "once" ? "post: /x\n\(pad)effect: once\n" : "\(method): /x\n")
    if chance(2) { text += pad + "retry: { attempts: \(number(1...4)), delay: \(number(0...3000))ms }\n" }
    if chance(3) { text += pad + "timeout: \(number(1...6000))ms\n" }
    if method == "get" || method == "put", chance(4) {
      let tolerate = chance(2) ? ", tolerate: [http.4xx, network]" : ""
      text += pad + "poll: { every: \(number(1...2000))ms, timeout: \(number(3...9))s, "
      text += "until: \"response.status == 200 && response.headers['x-done'] == '1'\"\(tolerate) }\n"
    }
    if chance(8) { text += pad + "save: out.txt\n" }
    if mayUndo, chance(3) {
      count += 1
      text += pad + "undo:\n" + pad + "  always: \(chance(4))\n" + pad + "  steps:\n" + pad + "    - { id: u\(count), delete: /x }\n"
    }
    if depth < 3, chance(2) {
      text += branches(depth: depth, indent: indent + 2, hasOnce: method == "once", isSafe: method == "get" || method == "put")
    }
    return text
  }

  private mutating func nested(depth: Int, indent: Int) -> String {
    let pad = String(repeating: " ", count: indent + 2)
    var text = head(indent)
    let start = text.utf8.count
    switch number(1...7) {
    case 1, 2: text += pad + "group:\n" + steps(depth: depth + 1, indent: indent + 4)
    case 3:
      let width = number(1...3)
      text +=
        pad + "for_each: { in: [a, b, c, d], as: item, key: item, concurrency: \(width), on_item_error: \(pick(["stop", "finish"])) }\n"
      text += pad + "steps:\n" + inside(isConcurrent: width > 1) { $0.steps(depth: depth + 1, indent: indent + 4) }
    case 4:
      text += pad + "repeat: { max: \(number(1...3)), every: \(number(1...3000))ms, carry: { n: 1 } }\n"
      text += pad + "steps:\n" + steps(depth: depth + 1, indent: indent + 4)
    case 5:
      text += pad + "parallel:\n" + pad + "  on_branch_error: \(pick(["stop", "finish"]))\n" + pad + "  branches:\n"
      for name in ["left", "right"] {
        text += pad + "    \(name):\n" + inside(isConcurrent: true) { $0.steps(depth: depth + 1, indent: indent + 8) }
      }
    case 6: text += pad + "call: sub.flow.yaml\n"
    default:
      text += pad + "switch:\n" + pad + "  - if: inputs.n > \(number(1...9))\n" + pad + "    steps:\n"
      text += steps(depth: depth + 1, indent: indent + 8) + pad + "  - else:\n" + steps(depth: depth + 1, indent: indent + 8)
    }
    let body = String(decoding: text.utf8.dropFirst(start), as: UTF8.self)
    if chance(2) { text += pad + "timeout: \(number(1...9000))ms\n" }
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
      text += pad + "    " + pick(["then: continue", "then: fail", "then: end\n\(pad)    verdict: passed"] + retry) + "\n"
    }
    return text == pad + "on_error:\n" ? "" : text
  }
}
