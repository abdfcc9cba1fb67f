import FlowPlan

/// What is still to do, in the order in which it is best begun: cases whose file is loaded, then files of cases, then
/// flows that no scenarios cover.
struct TestQueue {
  typealias Ready = (file: Int, position: Int, table: ScenariosPlan, scenario: ScenarioPlan)

  private let files: [TestFiles.File]
  private var ready: [Ready] = []
  private var scenarios: ArraySlice<Int>
  private var flows: ArraySlice<Int>
  /// Files of cases that are being loaded.
  private var loading = 0
  /// Flows that a file of cases is about.
  private var covered: Set<String> = []
  /// Whether the selection has taken anything, whichever shard it is of.
  var hasSelected = false
  /// What the selection may choose from, as far as it is loaded.
  private(set) var names = TestNames()

  init(_ files: TestFiles) {
    self.files = files.files
    scenarios = self.files.indices.filter { files.files[$0].kind == .scenarios }[...]
    flows = self.files.indices.filter { files.files[$0].kind == .flow }[...]
  }

  mutating func add(_ cases: [ScenarioPlan], of table: ScenariosPlan, file: Int) {
    // The last is taken first.
    ready.insert(contentsOf: cases.enumerated().map { (file, $0, table, $1) }.reversed(), at: 0)
  }

  mutating func noteLoaded(about flows: [String]) {
    loading -= 1
    covered.formUnion(flows.map(TestFiles.identity))
  }

  mutating func note(_ table: ScenariosPlan) {
    for scenario in table.cases {
      names.cases.append(scenario.name)
      names.tags.formUnion(scenario.tags)
    }
  }

  mutating func takeScenario() -> Ready? { ready.popLast() }

  mutating func takeScenariosFile() -> Int? {
    guard let file = scenarios.popFirst() else { return nil }
    loading += 1
    return file
  }

  /// The next flow and whether it runs; one that was found in a folder does not where scenarios cover it. Nil too while
  /// files of cases are being loaded, any of which may cover it.
  mutating func takeFlow() -> (file: Int, isCovered: Bool)? {
    guard scenarios.isEmpty, loading == 0, let file = flows.popFirst() else { return nil }
    return (file, files[file].isFound && covered.contains(files[file].identity))
  }
}
