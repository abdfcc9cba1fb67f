import StepKit
import Steps
import Testing
import Values

/// The examples of steps that need files or a program, which the exam of all steps leaves to their own suite.
@Suite("The example of a step with files or a program")
struct BuiltInExampleTests {
  @Test("answers with the documented outputs", arguments: ["exec", "read-file", "write-file"])
  func run(name: String) async throws {
    let step = try #require(StepCatalogue.standard.step(name))
    let ports = StepPorts(
      files: MemoryFiles(["data/cases.csv": "name,amount\nfirst,1000\n"]), processes: ScriptedProcess("{\"id\":7}\n"))
    let outputs = try await ports.run(step, step.example.with)
    #expect(.map(outputs) == (try JSON.parse(step.example.outputs)))
  }

  @Test(
    "has records that are described as they are",
    arguments: [
      ExecStep.Input.self, ExecStep.Output.self, OAuthTokenStep.Input.self, OAuthTokenStep.Output.self, ReadFileStep.Input.self,
      ReadFileStep.Output.self, WriteFileStep.Input.self, WriteFileStep.Output.self,
    ] as [any DescribedRecord.Type])
  func records(record: any DescribedRecord.Type) {
    func expectDescribed<Record: DescribedRecord>(_: Record.Type) {
      let placeholder = Record.placeholder
      #expect(Mirror(reflecting: placeholder).children.compactMap(\.label).map(snakeCase) == Record.recordShape.fields.map(\.name))
      #expect(Record(valid: placeholder.encoded).encoded == placeholder.encoded)
    }
    expectDescribed(record)
  }
}
