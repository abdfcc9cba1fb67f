import SandboxKit
import Values

extension AferoSandbox {
  /// What a part of a JSON body may be. Requests are checked by it, and it is their schema in the description.
  indirect enum Form: Sendable {
    /// The length in code points.
    case text(ClosedRange<Int>)
    case pattern(Pattern)
    case integer(ClosedRange<Int64>)
    case flag
    case choice([String])
    case list(Form)
    case object([Member])
    /// Any object.
    case free

    struct Member: Sendable {
      let name: String
      let form: Form
      let isRequired: Bool
      /// As errors call it, where that is another name.
      let reported: String

      init(_ name: String, _ form: Form, isRequired: Bool = false, reported: String? = nil) {
        self.name = name
        self.form = form
        self.isRequired = isRequired
        self.reported = reported ?? name
      }
    }

    /// Assumed: What fits a 32-bit column.
    static let number = Form.integer(-2_147_483_648...2_147_483_647)
    static let count = Form.integer(0...2_147_483_647)
    static let milliseconds = Form.integer(0...(1 << 53))
    /// Assumed: How long a text may be that nobody states a length of.
    static let anyText = Form.text(0...1000)
    static let filledText = Form.text(1...1000)

    static func required(_ name: String, _ form: Form) -> Member { Member(name, form, isRequired: true) }
    static func optional(_ name: String, _ form: Form) -> Member { Member(name, form) }
  }

  /// How some texts are written.
  enum Pattern: String, Sendable {
    case uuid = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"
    case hex = "^([0-9A-Fa-f]{2})*$"
    case base64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
    case degrees = "^-?[0-9]{1,3}([.][0-9]{1,20})?$"
    case email = "^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}([.][A-Za-z0-9-]{1,63})+$"

    func matches(_ text: String) -> Bool {
      switch self {
      case .uuid: text.wholeMatch(of: /[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}/) != nil
      case .hex: text.wholeMatch(of: /([0-9A-Fa-f]{2})*/) != nil
      case .base64: text.wholeMatch(of: /([A-Za-z0-9+\/]{4})*([A-Za-z0-9+\/]{2}==|[A-Za-z0-9+\/]{3}=)?/) != nil
      case .degrees: text.wholeMatch(of: /-?[0-9]{1,3}([.][0-9]{1,20})?/) != nil
      case .email: text.wholeMatch(of: /[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9\-]{1,63}([.][A-Za-z0-9\-]{1,63})+/) != nil
      }
    }
  }

  /// What is wrong with one field.
  struct FieldProblem: Sendable {
    let error: String
    let text: String
    let field: String
    let value: Value

    var json: Value {
      ["error": .string(error), "error_description": .string(text), "field": .string(field), "rejectedValue": value]
    }
  }
}

extension AferoSandbox.Form {
  /// Adds what is wrong with a value. Assumed: all names of errors but `Length` and `NotEmpty`.
  func check(_ value: Value, at path: String, _ problems: inout [AferoSandbox.FieldProblem]) {
    func refuse(_ error: String, _ text: String) { problems.append(.init(error: error, text: text, field: path, value: value)) }
    switch (self, value) {
    case (.text(let lengths), .string(let text)):
      if lengths.contains(text.unicodeScalars.count) { return }
      if text.isEmpty && lengths.lowerBound == 1 { return refuse("NotEmpty", "may not be empty") }
      refuse("Length", "length must be between \(lengths.lowerBound) and \(lengths.upperBound)")
    case (.pattern(let pattern), .string(let text)):
      if !pattern.matches(text) { refuse("Pattern", "must match \(pattern.rawValue)") }
    case (.integer(let range), _):
      guard let number = value.intValue else { return refuse("Type", "must be a whole number") }
      if !range.contains(number) { refuse("Range", "must be between \(range.lowerBound) and \(range.upperBound)") }
    case (.choice(let names), .string(let text)):
      if !names.contains(text) { refuse("Choice", "must be one of \(names.joined(separator: ", "))") }
    case (.list(let element), .list(let items)):
      for (index, item) in items.enumerated() { element.check(item, at: "\(path)[\(index)]", &problems) }
    case (.object(let members), .map(let map)): Self.check(map, members, at: path, &problems)
    case (.flag, .bool), (.free, .map): break
    case (.text, _), (.pattern, _), (.choice, _): refuse("Type", "must be a text")
    case (.flag, _): refuse("Type", "must be true or false")
    case (.list, _): refuse("Type", "must be a list")
    case (.object, _), (.free, _): refuse("Type", "must be an object")
    }
  }

  /// What nobody reads is let through. Assumed: null stands for a member that is left out.
  private static func check(_ map: ValueMap, _ members: [Member], at path: String, _ problems: inout [AferoSandbox.FieldProblem]) {
    for member in members {
      let place = path.isEmpty ? member.reported : "\(path).\(member.reported)"
      switch map[member.name] {
      case nil, .null:
        if member.isRequired { problems.append(.init(error: "NotEmpty", text: "may not be empty", field: place, value: .null)) }
      case let value?: member.form.check(value, at: place, &problems)
      }
    }
  }

  /// The members of the form that a value has, null left out; free JSON stays as it is.
  func kept(_ value: Value) -> Value {
    switch (self, value) {
    case (.list(let element), .list(let items)): return .list(items.map(element.kept))
    case (.object(let members), .map(let map)):
      var kept = ValueMap()
      for member in members {
        guard let value = map[member.name], value != .null else { continue }
        kept[member.name] = member.form.kept(value)
      }
      return .map(kept)
    case (.text, _), (.pattern, _), (.integer, _), (.flag, _), (.choice, _), (.list, _), (.object, _), (.free, _): return value
    }
  }

  /// A value that a scenario gives, in the names of flows, in those of the API.
  func wire(_ value: Value) -> Value {
    switch (self, value.exposed) {
    case (.list(let element), .list(let items)): return .list(items.map(element.wire))
    case (.object(let members), .map(let map)):
      var wire = ValueMap()
      for (key, value) in map {
        let name = AferoNames.onWire(key.text)
        wire[name] = members.first { $0.name == name }?.form.wire(value) ?? value
      }
      return .map(wire)
    case (.text, _), (.pattern, _), (.integer, _), (.flag, _), (.choice, _), (.list, _), (.object, _), (.free, _): return value.exposed
    }
  }

  /// The form as a JSON Schema.
  var schema: Value { schema { $0 } }

  /// The same in the names of flows.
  var givenSchema: Value { schema { AferoSandbox.flowName($0) } }

  private func schema(_ name: (String) -> String) -> Value {
    switch self {
    case .text(let lengths):
      return ["type": "string", "minLength": .int(Int64(lengths.lowerBound)), "maxLength": .int(Int64(lengths.upperBound))]
    case .pattern(let pattern): return ["type": "string", "pattern": .string(pattern.rawValue)]
    case .integer(let range): return ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
    case .flag: return ["type": "boolean"]
    case .choice(let names): return ["type": "string", "enum": .list(names.map { .string($0) })]
    case .list(let element): return ["type": "array", "items": element.schema(name)]
    case .free: return ["type": "object"]
    case .object(let members):
      var properties = ValueMap()
      for member in members {
        let schema = member.form.schema(name)
        properties[name(member.name)] = member.isRequired ? schema : ["anyOf": [schema, ["type": "null"]]]
      }
      var map = ValueMap()
      map["type"] = "object"
      map["properties"] = .map(properties)
      let required = members.filter(\.isRequired).map { Value.string(name($0.name)) }
      if !required.isEmpty { map["required"] = .list(required) }
      return .map(map)
    }
  }
}

extension AferoSandbox {
  /// `deviceGroupId` → `device_group_id`.
  static func flowName(_ name: String) -> String {
    name.reduce(into: "") { text, letter in text += letter.isUppercase ? "_\(letter.lowercased())" : String(letter) }
  }

  /// The members of a request's body.
  /// - Throws: 400 with everything that is wrong.
  static func read(_ request: SandboxRequest, _ form: Form) throws(SandboxReply) -> Value {
    // Assumed: What a body gets that cannot be read.
    guard let body = request.json else { throw Refusal.badRequest("The request body cannot be read") }
    var problems: [FieldProblem] = []
    form.check(body, at: "", &problems)
    guard problems.isEmpty else { throw Refusal.validation(problems) }
    return form.kept(body)
  }

  /// What a scenario gives under one key, checked as a request would be.
  static func given(_ value: Value, _ form: Form, at path: String) throws(SandboxError) -> ValueMap {
    let wire = form.wire(value)
    var problems: [FieldProblem] = []
    form.check(wire, at: "", &problems)
    if let problem = problems.first { throw SandboxError("`\(flowName(problem.field))` \(problem.text)", at: path) }
    return form.kept(wire).mapValue ?? ValueMap()
  }
}
