import CEL
import Glibc
import Values

// Measures expressions: nanoseconds of the processor for one evaluation, the least of several rounds, beside what cel-go
// takes for the same kind on the same kind of machine.
//
//     swift run -c release --package-path Benchmarks/cel
//
// With `--once NAME COUNT` it evaluates one of them COUNT times and prints nothing, for a profiler.

let user = RecordType("a user", [RecordType.Field("name", .string), RecordType.Field("age", .int), RecordType.Field("email", .string)])
let environment = Environment(variables: [
  Variable(name: "inputs.user", type: .record(user), slot: 0),
  Variable(name: "response.status", type: .int, slot: 1),
  Variable(name: "body", type: .dyn, slot: 2),
  Variable(name: "items", type: .list(.int), slot: 3),
  Variable(name: "username", type: .string, slot: 4),
])

let body: Value = [
  "id": 17, "count": 41, "price": 12.5, "status": "paid", "owner": ["login": "ada", "id": 7],
  "lines": .list((0..<10).map { ["sku": .string("sku-\($0)"), "amount": .int($0 * 10), "open": .bool($0 % 2 == 0)] }),
]
let slots: [Value?] = [
  ["name": "Ada Lovelace", "age": 36, "email": "ada@example.test"], 200, body, .list((0..<10).map { .int($0) }), "ada.lovelace",
]

struct Subject {
  let name: String
  let source: String
  /// Nanoseconds, from the least to the most of its kind.
  let celGo: ClosedRange<Double>
}

let simple = 100.0...280.0
let comprehension = 2_500.0...6_800.0
let subjects = [
  Subject(name: "field", source: "body.owner.login", celGo: simple),
  Subject(name: "condition", source: "response.status == 200 && inputs.user.age >= 18 || username == 'root'", celGo: simple),
  Subject(name: "concatenation", source: "'Hello, ' + inputs.user.name + '!'", celGo: simple),
  Subject(name: "number of JSON", source: "body.count + 1 > 40", celGo: simple),
  Subject(name: "string function", source: "username.contains('love')", celGo: simple),
  Subject(name: "map over 10", source: "items.map(i, i * 2)", celGo: comprehension),
  Subject(name: "filter over 10", source: "body.lines.filter(l, l.open && l.amount > 20)", celGo: comprehension),
  Subject(name: "exists over 10", source: "body.lines.exists(l, l.sku == 'sku-9')", celGo: comprehension),
]
let parsed = Subject(
  name: "parse and check",
  source: "response.status == 200 && inputs.user.age >= 18 && items.filter(i, i % 2 == 0).map(i, 'n' + string(i)).join(',') != ''",
  celGo: 29_000...114_000)

func now() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// The least of the rounds: whatever else the machine does can only add.
func nanoseconds(rounds: Int = 15, _ work: () throws -> Void) rethrows -> Double {
  var count = 1
  while true {
    let start = now()
    for _ in 0..<count { try work() }
    if now() - start > 5e6 { break }
    count *= 2
  }
  var least = Double.infinity
  for _ in 0..<rounds {
    let start = now()
    for _ in 0..<count { try work() }
    least = min(least, (now() - start) / Double(count))
  }
  return least
}

func program(_ source: String) -> Program {
  let compilation = environment.compile(source)
  guard let program = compilation.program else {
    print("`\(source)`: \(compilation.issues.map(\.message).joined(separator: "; "))")
    exit(2)
  }
  return program
}

nonisolated(unsafe) var sink: Value = .null

func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
  let space = String(repeating: " ", count: max(0, width - text.count))
  return right ? space + text : text + space
}

func row(_ subject: Subject, _ time: Double) {
  let range = "\(Int(subject.celGo.lowerBound))-\(Int(subject.celGo.upperBound))"
  let ratio = time / subject.celGo.upperBound
  print(
    padded(subject.name, 18) + padded("\(Int(time.rounded()))", 10, right: true) + padded(range, 16, right: true)
      + padded("\((ratio * 100).rounded() / 100)", 10, right: true))
}

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "--once", let count = Int(arguments[3]),
  let subject = subjects.first(where: { $0.name == arguments[2] })
{
  let program = program(subject.source)
  for _ in 0..<count { unsafe sink = try program.evaluate(slots) }
  exit(0)
}

print(padded("", 18) + padded("ns", 10, right: true) + padded("cel-go, ns", 16, right: true) + padded("of it", 10, right: true))
for subject in subjects {
  let program = program(subject.source)
  row(subject, try nanoseconds { unsafe sink = try program.evaluate(slots) })
}
row(parsed, nanoseconds { _ = environment.compile(parsed.source) })

// What a hostile expression takes until it ends, in an error or not: the aim is 100 ms.
let long = Value.string(String(repeating: "a", count: 50_000))
let many = Value.list((0..<1000).map { .int($0) })
let hostile = [
  "items.map(a, items.map(b, items.map(c, a + b + c)))", "items.all(a, items.exists(b, b < 0) || true)", "lists.range(1000000000)",
  "items.map(i, username + string(i))", "items.map(i, username.matches('^(a+)+$!'))", "(username + '!').matches('^(a+)+$')",
  "items.map(i, json.encode(items))", "username.replace('', username)", "lists.range(100000).distinct()",
  "items.map(i, username.contains('aaaaaaaab'))", "items.map(i, username == username + 'b')",
]
print("\n" + padded("hostile", 58) + padded("ms", 6, right: true))
for source in hostile {
  let program = program(source)
  var least = Double.infinity
  for _ in 0..<3 {
    let start = now()
    _ = try? program.evaluate([nil, nil, nil, many, long])
    least = min(least, now() - start)
  }
  print(padded(source, 58) + padded("\((least / 1e5).rounded() / 10)", 6, right: true))
}
