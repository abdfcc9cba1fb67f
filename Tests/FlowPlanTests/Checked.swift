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

  init(_ text: String) {
    let (document, form) = NativeFrontEnd.flow(from: SourceFile(path: "case.flow.yaml", text: text))
    guard let document else {
      (plan, diagnostics) = (nil, form)
      return
    }
    let (plan, meaning) = Planner.plan(document, catalogue: .standard)
    self.plan = form.hasErrors ? nil : plan
    diagnostics = (form + meaning).sortedByPlace()
  }

  /// As people read them; `no findings` where there are none.
  var text: String {
    diagnostics.isEmpty ? "no findings\n" : HumanRenderer(style: .init(limit: 100)).render(diagnostics)
  }
}

/// Small flows under titles, and what is said of each.
func transcript(_ cases: KeyValuePairs<String, String>) -> String {
  cases.map { title, flow in "## \(title)\n\n\(Checked(flow).text)" }.joined(separator: "\n\n")
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
