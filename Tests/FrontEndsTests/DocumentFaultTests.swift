import Diagnostics
import FlowSyntax
import FrontEnds
import SourceText
import TestKit
import Testing

/// Faulty scenarios and projects and what is said about them, recorded as people see it.
@Suite struct DocumentFaultTests {
  @Test func scenarios() throws {
    try expectGolden(report(Documents.scenarios) { NativeFrontEnd.scenarios(from: $0).diagnostics }, "scenarios.txt")
  }

  @Test func projects() throws {
    try expectGolden(report(Documents.projects) { NativeFrontEnd.project(from: $0).diagnostics }, "projects.txt")
  }

  @Test(arguments: Documents.scenarios)
  func everyFaultyTableIsRefused(_ source: String) {
    #expect(NativeFrontEnd.scenarios(from: SourceFile(path: "f", text: source)).diagnostics.hasErrors)
  }

  @Test(arguments: Documents.projects)
  func everyFaultyProjectIsRefused(_ source: String) {
    #expect(NativeFrontEnd.project(from: SourceFile(path: "f", text: source)).diagnostics.hasErrors)
  }

  /// The line of a finding is printed, so a secret's line has none.
  @Test(arguments: [
    "environments:\n  qa:\n    secrets:\n      password: hunter2", "environments: { qa: { secrets: { password: hunter2 } } }",
    "environments: { qa: { secrets: { password: [hunter2] } } }",
  ])
  func aSecretWrittenInTheFileIsNotShown(_ source: String) {
    let file = SourceFile(path: "baton.yaml", text: source)
    let (_, diagnostics) = NativeFrontEnd.project(from: file)
    #expect(diagnostics.count == 1)
    for diagnostic in diagnostics {
      #expect(diagnostic.place.map { file.line($0.start.line).contains("hunter2") } != true)
      #expect(!described([diagnostic]).joined().contains("hunter2"))
    }
  }

  private func report(_ sources: [String], _ read: (SourceFile) -> [Diagnostic]) -> String {
    sources.map { source in
      source + "\n" + described(read(SourceFile(path: "f", text: source))).map { "=> \($0)\n" }.joined()
    }.joined(separator: "\n")
  }
}

private enum Documents {
  static let scenarios = [
    "- a",
    "{}",
    "baton: 2\nscenarios: 1\nflow: 2\ntags: smoke\ndefaults: []\ncases: cases.csv",
    "flow: a.flow.yaml\ncases: []\ncase: x",
    "flow: a.flow.yaml\ncases: csv('a.csv', {'x': 'integer'})",
    "flow: a.flow.yaml\ndefaults: { name: x, skip: y, then: run }\ncases: { a: 1 }",
    "flow: a.flow.yaml\ncases:\n  - expect: { verdict: passed }\n  - name: a\n  - name: a\n    skip: true\n    tags: smoke\n    expects: {}",
    "flow: a.flow.yaml\ncases:\n  - name: a\n    inputs: { x: \"${{ y }}\" }\n    secrets: [a]\n    answers: { pin: 123456, ok: true, each: [], odd: ['1', 2], from: { form: sms }, mail: { from: email }, no: {} }",
    "flow: a.flow.yaml\ncases:\n  - name: a\n    sandbox: { givn: {}, faults: {}, events: [ x, {}, { after: 1, do: [] }, { before: x } ] }",
    "flow: a.flow.yaml\ncases:\n  - name: a\n    sandbox:\n      faults:\n        - {}\n        - { route: POST, status: 503 }\n"
      + "        - { route: post /a, status: 99, delay: 5, after: -1, times: 0 }\n        - { route: POST /a, drop: body, body: x }\n"
      + "        - { route: POST /a, kill: now, match: [a] }\n        - { status: \"${{ x }}\" }\n        - { route: POST /a, stauts: 503 }",
    "flow: a.flow.yaml\ncases:\n  - name: a\n    routes:\n      - {}\n      - { route: GET a }\n      - { route: GET /a, json: {}, body: x, status: 2000, delay: 1, times: 0 }",
    "flow: a.flow.yaml\ncases:\n  - name: a\n    expect: {}\n  - name: b\n    expect: passed\n  - name: c\n    expect: { verdict: pass, steps: { a: ok, b: skiped }, outputs: [a], max_duration: 5 }\n"
      + "  - name: d\n    expect: { verdict: passed, code: http.500 }",
    "flow: a.flow.yaml\ncases:\n  - name: a\n    expect:\n      requests: { POST /a: one, /b: 1, GET /c: {}, GET /d: { count: -1, that: [a: b], if: x }, GET /e: -1 }",
    "flow: a.flow.yaml\ncases:\n  - name: a\n    then: again\n  - name: b\n    then: []\n  - name: c\n    then: { expect: {} }\n  - name: d\n    then: { run: {}, resume: {} }\n"
      + "  - name: e\n    then: [ { resume: { inputs: {} } }, { run: [] }, {}, [run], { rum: {} } ]",
  ]

  static let projects = [
    "- a",
    "{}",
    "baton: 2\nenvironments: []\nenvironment: {}",
    "environments:\n  a: x\n  b:\n    extend: a\n    extends: 1\n    live: yes\n    exec: 1\n    connections: { x: borrowed, y: 1, z: { token: \"${{ secrets.t }}\" } }\n"
      + "    inputs: { email: \"${{ x }}\" }",
    "environments:\n  a:\n    secrets:\n      one: hunter2\n      two: {}\n      three: { env: A, file: b }\n      four: { vault: x }\n      five: { env: 1 }\n"
      + "      six: { command: pass show x }\n      seven: { command: [] }\n      eight: { command: [a, 1] }\n      nine: { file: }",
    "environments:\n  a:\n    answers: { pin: 123456, code: { from: sms }, ok: { command: x } }\n    hosts: api.example.com",
    "environments:\n  a:\n    hosts: [ \"https://api.example.com/v1\", api.example.com/v1, \"*\", \"*.\", \"a b\", \"api.*.com\", \"x:99999\", \"user@host\", 1 ]",
  ]
}
