import Diagnostics
import FlowSyntax
import FrontEnds
import SourceText
import Testing

/// SplitMix64: the same documents on every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

private let flow = """
  baton: 1
  inputs:
    username: { type: string, minLength: 7 }
    phone: phone
  secrets: [client_id, password]
  connections:
    rapidsos:
      client_id: ${{ secrets.client_id }}
  defaults: { timeout: 5m, retry: { attempts: 2 } }
  budget: { time: 1m, requests: 9 }
  steps:
    - id: register
      uses: rapidsos/register
      with:
        username: ${{ inputs.username }}
      on_error:
        - when: rapidsos.username_taken
          then: continue
    - id: verify
      group:
        - id: pin
          uses: prompt
        - get: /v1
          expect: [ outputs.id > 0 ]
      on_error:
        - when: rapidsos.wrong_pin
          then: retry
          max: 2
    - if: steps.a.outputs.b == 'c'
      fail: { code: user.x, message: why }
    - wait: 5s
  outputs:
    id: { value: "${{ steps.a.outputs.id }}", secret: true }
  finally:
    - post: /end
      expect: { status: [200, 2xx] }
  """

private let values = [
  "12", "true", "null", "[]", "{}", "[a, b]", "{ a: b }", "x", "${{ x }}", "5s", "''", "- a", "*a", "&a x", "|", "0x1", "2xx",
]

@Suite(.timeLimit(.minutes(1))) struct MutationTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func noFlowBreaksTheReader(_ seed: UInt64) {
    var dice = Dice(state: seed)
    for _ in 0..<400 {
      var lines = flow.split(separator: "\n").map(String.init)
      for _ in 0..<Int.random(in: 1...4, using: &dice) { mutate(&lines, &dice) }
      let file = SourceFile(path: "f", text: lines.joined(separator: "\n"))
      let (flow, diagnostics) = NativeFrontEnd.flow(from: file)
      #expect(flow != nil || diagnostics.hasErrors, "\(lines)")
      #expect(diagnostics == diagnostics.sortedByPlace())
      for place in diagnostics.compactMap(\.place) + diagnostics.flatMap(\.related).map(\.place) {
        let isInside = 0 <= place.span.start && place.span.start <= place.span.end && place.span.end <= file.bytes.count
        #expect(isInside, "\(lines)")
      }
    }
  }

  private func mutate(_ lines: inout [String], _ dice: inout Dice) {
    let at = Int.random(in: 0..<lines.count, using: &dice)
    switch Int.random(in: 0..<6, using: &dice) {
    case 0: lines.remove(at: at)
    case 1: lines.insert(lines[at], at: Int.random(in: 0...lines.count, using: &dice))
    case 2: lines[at] = "  " + lines[at]
    case 3: lines[at] = lines[at].replacing("e", with: "a")
    case 4: lines.swapAt(at, Int.random(in: 0..<lines.count, using: &dice))
    default:
      guard let colon = lines[at].firstIndex(of: ":") else { return }
      lines[at] = lines[at][...colon] + " " + values[Int.random(in: 0..<values.count, using: &dice)]
    }
    if lines.isEmpty { lines = ["steps: []"] }
  }
}
