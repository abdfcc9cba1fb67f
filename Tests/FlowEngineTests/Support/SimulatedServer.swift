import FlowEvents
import FlowPlan
import HTTPTypes
import StepKit
import Values

@testable import FlowEngine

/// One execution of a step, over all processes that take part in it.
struct Execution: Hashable {
  var path: String
  var seed: UInt64
}

/// The servers of a simulated run and the way to them: what they answer comes from a seed, and what has reached them
/// stands in a log of their own, whatever the run was told.
struct SimulatedServer {
  /// How often requests fail, of a hundred.
  private let harshness: Int
  /// Whether every answer is that of the execution alone, and a doubt can be looked up.
  private let isCalm: Bool
  private let seed: UInt64
  private var random: SeededGenerator
  private var order: [String: [Execution]] = [:]
  private var travelling: [(at: Duration, execution: Execution, isCarriedOut: Bool, id: Int)] = []
  private var lastID = 0
  private(set) var received: [Execution: Int] = [:]
  private var done: Set<Execution> = []

  /// An attempt as the world has it.
  struct Exchange {
    var id: Int
    var outcome: AttemptOutcome
    var duration: Duration
  }

  init(seed: UInt64, isCalm: Bool) {
    self.seed = seed
    self.isCalm = isCalm
    random = SeededGenerator(seed &+ 0x5E4)
    harshness = [5, 20, 50][Int(seed % 3)]
  }

  /// Whether it was carried out, as its own log has it.
  func hasDone(_ execution: Execution) -> Bool { done.contains(execution) }

  /// What it would be asked for an execution that nobody has answered.
  func number(of execution: Execution) -> Int64 { Int64(hash(execution.path, index(of: execution) ?? 0, 0) % 1000) }

  // MARK: - requests

  /// A request leaves.
  mutating func send(_ order: AttemptOrder, _ execution: Execution, lookingUp owner: Execution?, at now: Duration) -> Exchange {
    if index(of: execution) == nil { self.order[execution.path, default: []].append(execution) }
    lastID += 1
    let index = index(of: execution) ?? 0
    var chance = isCalm ? SeededGenerator(hash(execution.path, index, order.attempt)) : random
    defer { if !isCalm { random = chance } }
    let duration = Duration.milliseconds(Int.random(in: 1...4000, using: &chance))
    let roll = owner != nil && isCalm ? 100 : Int.random(in: 0..<100, using: &chance)
    let isDone = Bool.random(using: &chance)
    // What a flow without a crash does not look up is not lost where both are to end alike.
    let mayBeLost = !isCalm || ![.read, .unsafe].contains(order.handler.effect)
    switch roll {
    case harshness...:
      let reply = reply(200, isDone: isDone, body: body(of: execution, lookingUp: owner, &chance))
      arrive(execution, at: now + duration * Double.random(in: 0..<1, using: &chance), isCarriedOut: true)
      return exchange(.success(ValueMap()), reply, duration)
    case (harshness * 4 / 10)...:
      let status = [401, 404, 409, 429, 500, 503].randomElement(using: &chance) ?? 500
      let reply = reply(status, isDone: false, body: .null)
      arrive(execution, at: now + duration * Double.random(in: 0..<1, using: &chance), isCarriedOut: status >= 500 && isDone && !isCalm)
      return exchange(.failure(.http(reply)), reply, duration)
    case (harshness * 2 / 10)... where mayBeLost:
      if isDone {
        // Some arrive behind the moment at which nobody waits any more.
        arrive(execution, at: now + .milliseconds(Int.random(in: 1...9000, using: &chance)), isCarriedOut: true)
      }
      return exchange(.failure(StepFailure("timeout.attempt", title: "", sent: .maybe)), nil, duration)
    default: return exchange(.failure(StepFailure("network.connect", title: "", sent: .no)), nil, duration)
    }
  }

  private func exchange(_ result: Result<ValueMap, StepFailure>, _ reply: HTTPReply?, _ duration: Duration) -> Exchange {
    Exchange(id: lastID, outcome: AttemptOutcome(result: result, response: reply, duration: .milliseconds(1)), duration: duration)
  }

  private mutating func arrive(_ execution: Execution, at time: Duration, isCarriedOut: Bool) {
    travelling.append((time, execution, isCarriedOut, lastID))
  }

  private func reply(_ status: Int, isDone: Bool, body: Value) -> HTTPReply {
    var headers: HTTPFields = status == 503 ? [.retryAfter: "2"] : [:]
    if let name = HTTPField.Name("x-done") { headers[name] = isDone ? "1" : "0" }
    return HTTPReply(status: status, headers: headers, bytes: [], body: body, url: "https://api.test/", duration: .zero)
  }

  /// A look-up is answered truthfully: what it calls not there will not come any more.
  private mutating func body(of execution: Execution, lookingUp owner: Execution?, _ chance: inout SeededGenerator) -> Value {
    guard let owner else { return ["n": .int(number(of: execution))] }
    let isKnown = isCalm || Int.random(in: 0..<4, using: &chance) > 0
    if isKnown { close(owner) }
    return ["there": isKnown ? .bool(hasDone(owner)) : .null, "n": .int(number(of: owner))]
  }

  // MARK: - what is under way

  /// When the next request arrives.
  var nextArrival: Duration? { travelling.map(\.at).min() }

  mutating func arriveNext() {
    guard let index = travelling.indices.min(by: { travelling[$0].at < travelling[$1].at }) else { return }
    let request = travelling.remove(at: index)
    received[request.execution, default: 0] += 1
    if request.isCarriedOut { done.insert(request.execution) }
  }

  /// Whether a request has not arrived, and may.
  func isTravelling(_ id: Int) -> Bool { travelling.contains { $0.id == id } }

  /// It never arrives.
  mutating func drop(_ id: Int) { travelling.removeAll { $0.id == id } }

  /// Nothing of an execution arrives from here on.
  mutating func close(_ execution: Execution) { travelling.removeAll { $0.execution == execution } }

  /// The process died: half of what it had under way does not arrive.
  mutating func cutOff() {
    var chance = random
    travelling.removeAll { _ in Bool.random(using: &chance) }
    random = chance
  }

  /// The record of these was lost: they begin anew.
  mutating func forget(_ isLost: (Execution) -> Bool) {
    order = order.mapValues { $0.filter { !isLost($0) } }
  }

  private func index(of execution: Execution) -> Int? { order[execution.path]?.firstIndex(of: execution) }

  private func hash(_ path: String, _ index: Int, _ attempt: Int) -> UInt64 {
    // FNV-1a
    var hash = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    hash ^= seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(index) << 8 &+ UInt64(attempt)
    var mixed = SeededGenerator(hash)
    return mixed.next()
  }
}
