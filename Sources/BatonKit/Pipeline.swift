// The pipeline of a flow, spelled as types. Each arrow is one call; nothing else connects the stages.
//
//   path ──FlowFile.load──► SourceFile ──NativeFrontEnd.flow──► FlowDocument ──Planner.plan──► Plan
//   Plan + RunGivens ──Plan.prepare──► PreparedRun ──FlowRun.run──► RunEvent… ──► RunReport
//   a case ──ScenarioFile.load──► ScenariosPlan ──ScenarioRun.run──► TestRun, over a sandbox and a clock of its own
//   RunEvent ──ConsoleReporter, LiveConsoleReporter──► what a person sees
//   RunReport ──TestReport──► JSONReport, JUnitReport
//
// Every arrow that can refuse answers findings (`Diagnostic`); only `FlowRun` touches the world, through `RunWorld`.
