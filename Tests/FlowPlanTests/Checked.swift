import Diagnostics
import FlowPlan
import FrontEnds
import SourceText
import StepKit
import Steps

/// A flow as the checker sees it: every finding of its form and of its meaning, sorted by place.
struct Checked {
  let plan: Plan?
  let diagnostics: [Diagnostic]

  /// - Parameter files: the other files that the flow may name, by path.
  init(_ text: String, files: [String: String] = [:]) {
    let (document, form) = NativeFrontEnd.flow(from: SourceFile(path: "case.flow.yaml", text: text))
    guard let document else {
      (plan, diagnostics) = (nil, form)
      return
    }
    let (plan, meaning) = Planner.plan(document, catalogue: .standard, sources: .files(files))
    self.plan = form.hasErrors ? nil : plan
    diagnostics = (form + meaning).sortedByPlace()
  }

  /// As people read them; `no findings` where there are none.
  var text: String {
    diagnostics.isEmpty ? "no findings\n" : HumanRenderer(style: .init(limit: 100)).render(diagnostics)
  }
}

extension PlanSources {
  /// Files that stand in memory.
  static func files(_ files: [String: String]) -> PlanSources {
    PlanSources(
      file: { path, _ in
        files[path].map { .success(SourceFile(path: path, text: $0)) } ?? .failure(Problem("the file `\(path)` does not exist"))
      },
      flow: { file in
        let (document, diagnostics) = NativeFrontEnd.flow(from: file)
        return (document, diagnostics)
      })
  }
}

/// Small flows under titles, and what is said of each.
func transcript(_ cases: KeyValuePairs<String, String>, files: [String: String] = [:]) -> String {
  cases.map { title, flow in "## \(title)\n\n\(Checked(flow, files: files).text)" }.joined(separator: "\n\n")
}

/// A flow that signs in on one connection of RapidSOS before its steps.
func signedIn(_ steps: String, inputs: String = "") -> String {
  rapidsos(
    """
      - id: log_in
        uses: rapidsos/authenticate
        with: { grant: password, username: "${{ inputs.user }}", password: "${{ secrets.password }}" }
    \(steps)
    """, head: "inputs: { user: string\(inputs.isEmpty ? "" : ", \(inputs)") }\n")
}

/// A flow with one connection of RapidSOS.
func rapidsos(_ steps: String, head: String = "") -> String {
  head + """
    secrets: [id, key, password]
    connections:
      rapidsos: { client_id: "${{ secrets.id }}", client_secret: "${{ secrets.key }}" }
    steps:
    \(steps)

    """
}

/// A flow with one plain connection.
func plain(_ steps: String, head: String = "") -> String {
  head + """
    connections:
      api: { system: http, base_url: https://api.example.test }
    steps:
    \(steps)

    """
}

/// An action of another kind than the test is about.
struct Unexpected: Error {}
