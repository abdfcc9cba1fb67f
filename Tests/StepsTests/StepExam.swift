import StepKit
import Steps
import Testing
import Values

/// What holds for every step of the catalogue.
@Suite("Every step of the catalogue")
struct StepExam {
  static let names = StepCatalogue.standard.stepNames

  private func step(_ name: String) throws -> AnyStep { try #require(StepCatalogue.standard.step(name)) }

  @Test("there are steps, each under one name")
  func catalogue() {
    let catalogue = StepCatalogue.standard
    #expect(Self.names.count == catalogue.builtIn.count + catalogue.systems.reduce(0) { $0 + $1.steps.count })
    #expect(
      Self.names.filter { $0.hasPrefix("rapidsos/") }.map { $0.dropFirst("rapidsos/".count) } == [
        "authenticate", "create-device", "create-location", "delete-device", "delete-location", "fetch-profile", "get-device",
        "get-location", "get-upload-url", "list-devices", "list-locations", "register", "register-push", "replace-location",
        "request-pin", "reset-password", "trigger-call-flow", "update-device", "update-location", "update-profile", "upload-photo",
        "validate-pin",
      ])
  }

  @Test("stands under its system, and is named in kebab-case", arguments: names)
  func name(name: String) throws {
    let about = try step(name).about
    #expect(about.name == name)
    #expect(about.name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-" || $0 == "/") })
    let isBuiltIn = StepCatalogue.standard.builtIn.contains { $0.about.name == name }
    if let system = about.system, !isBuiltIn { #expect(StepCatalogue.standard.system(system) != nil) }
  }

  @Test("says what it does, in one sentence, and what each field is", arguments: names)
  func prose(name: String) throws {
    let step = try step(name)
    let sentences = [step.about.summary] + (step.input().fields + step.output().fields).map(\.about)
    for sentence in sentences {
      #expect(sentence.hasSuffix("."), "\(sentence)")
      #expect(sentence.count > 4, "\(sentence)")
    }
    for name in (step.input().fields + step.output().fields).map(\.name) {
      #expect(name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "_") }, "\(name)")
    }
  }

  @Test("declares errors, those of a system under it or `auth`, each with one meaning", arguments: names)
  func errors(name: String) throws {
    let step = try step(name)
    #expect(Set(step.errors.map(\.code)).count == step.errors.count)
    for error in step.errors {
      if let system = step.about.system {
        #expect(error.code.hasPrefix("\(system).") || error.code.hasPrefix("auth."), "\(error.code)")
      }
      #expect(!error.title.isEmpty && !error.title.hasSuffix("."))
    }
  }

  @Test("is safe by its effect: what is an emergency is sent once", arguments: names)
  func effects(name: String) throws {
    let about = try step(name).about
    if about.isEmergency { #expect(about.effect == .once) }
    if about.token != .none { #expect(about.system != nil) }
  }

  @Test("has an example that is valid", arguments: names)
  func example(name: String) throws {
    let step = try step(name)
    let with = try #require(try JSON.parse(step.example.with).mapValue)
    let system = step.about.system.flatMap { StepCatalogue.standard.system($0)?.name }
    let settings = try system.map { try StepWorld($0).settings } ?? ValueMap()
    #expect(step.refine(with, settings).violations(in: with).map(\.message) == [])
  }

  // These need files, programs, or a server of their own; their suites run them.
  @Test(
    "answers its example in the sandbox with the documented outputs",
    arguments: names.filter {
      ![
        "exec", "read-file", "write-file", "oauth/authorize", "oauth/device-code", "oauth/revoke",
      ].contains($0)
    })
  func run(name: String) async throws {
    let step = try step(name)
    let world = try world(of: step)
    for preparation in step.example.before { try await world.run(preparation.step, preparation.with) }
    let with = try #require(try JSON.parse(step.example.with).mapValue)
    let outputs =
      name.hasPrefix("rapidsos/")
      ? try await step.run(with, MediaWorld.ports(world, step.about)) : try await world.run(name, step.example.with)

    let expected = try #require(try JSON.parse(step.example.outputs).mapValue)
    #expect(outputs.map(\.key.text).sorted() == expected.map(\.key.text).sorted())
    for (key, value) in expected where value != "*" { #expect(outputs[key]?.fullyExposed == value, "\(key.text)") }
    #expect(step.refineOutput(with).violations(in: outputs).map(\.message) == [])
  }

  /// Steps of no system talk to the sandbox of RapidSOS, plain ones to all of it.
  private func world(of step: AnyStep) throws -> StepWorld {
    let example = step.example
    switch step.about.system {
    case "rapidsos": return try StepWorld(given: example.given)
    case let system? where StepCatalogue.standard.system(system) != nil: return try StepWorld(system, given: example.given)
    default:
      let settings = step.about.name == "http" ? #"{"base_url": "\#(SandboxTransport.origin)"}"# : "{}"
      return try StepWorld(given: example.given, settings: settings, answers: step.about.name == "prompt" ? ["staging"] : [])
    }
  }

  @Test("gives JSON Schemas that take its example", arguments: names)
  func schemas(name: String) throws {
    let step = try step(name)
    let with = try #require(try JSON.parse(step.example.with).mapValue)
    let input = RecordShape([
      .init("with", "", .any, isRequired: true, constraint: .conforms(try SchemaShape(step.input().jsonSchema)))
    ])
    var map = ValueMap()
    map["with"] = .map(with)
    #expect(input.violations(in: map).map(\.message) == [])
    map["with"] = ["no_such_key": 1]
    #expect(!input.violations(in: map).isEmpty)
    #expect(throws: Never.self) { try SchemaShape(step.output().jsonSchema) }
  }

  @Test("describes its records as they are", arguments: described)
  func records(record: any DescribedRecord.Type) {
    expectDescribed(record)
  }

  static let described: [any DescribedRecord.Type] = inSteps + ExamSettings.records + rapidSOS

  /// Inputs and outputs, each type once.
  private static let inSteps: [any DescribedRecord.Type] = {
    var seen: Set<ObjectIdentifier> = []
    return names.compactMap { StepCatalogue.standard.step($0) }.flatMap(\.records).filter { seen.insert(ObjectIdentifier($0)).inserted }
  }()

  private static let rapidSOS: [any DescribedRecord.Type] = [
    RapidSOS.Settings.self, RapidSOS.ProfileSections.self, RapidSOS.LocationSections.self, RapidSOS.DeviceSections.self,
    RapidSOS.UploadFields.self,
  ]

  /// Labels equal described names, describing twice gives the same, and what was written is read again.
  private func expectDescribed<Record: DescribedRecord>(_: Record.Type) {
    let placeholder = Record.placeholder
    #expect(labels(of: placeholder) == Record.recordShape.fields.map(\.name), "\(Record.self)")
    #expect(Record.placeholder.encoded == placeholder.encoded, "\(Record.self)")
    #expect(Record(valid: placeholder.encoded).encoded == placeholder.encoded, "\(Record.self)")
  }

  /// The names of its fields in flows; a record that it embeds, which no field of its own has the name of, stands for its fields.
  private func labels<Record: DescribedRecord>(of record: Record) -> [String] {
    Mirror(reflecting: record).children.flatMap { child -> [String] in
      guard let label = child.label.map(snakeCase), !(child.value is FurtherMembers) else { return [] }
      guard let embedded = child.value as? any DescribedRecord, Record.recordShape.field(label) == nil else { return [label] }
      return labels(of: embedded)
    }
  }
}
