internal import CLibYAML
internal import SourceText

/// One step of libyaml through a file, with byte offsets.
struct Event {
  enum Kind {
    case streamStart
    case streamEnd
    /// `version` is that of a `%YAML` directive.
    case documentStart(version: (major: Int, minor: Int)?, hasTagDirective: Bool)
    case documentEnd
    case alias(String)
    case scalar(text: [UInt8], style: Scalar.Style)
    case sequenceStart(isFlow: Bool)
    case sequenceEnd
    case mappingStart(isFlow: Bool)
    case mappingEnd
  }

  var kind: Kind
  var anchor: String?
  /// Resolved: `tag:yaml.org,2002:str` for `!!str`, `!x` for a local one.
  var tag: String?
  /// With the anchor and the tag, if there are any.
  var span: Span
}

/// What libyaml says about text that it cannot read.
struct SyntaxProblem: Error {
  var problem: String
  var context: String
  var offset: Int
  var contextOffset: Int
}

/// The only owner of a libyaml parser: bytes in, events out, freed with it.
@safe struct EventParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// libyaml keeps a pointer to its input, so the bytes need a place that does not move.
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let offsets: CharacterOffsets

  /// - Parameter bytes: UTF-8 that passed `ByteCheck`; a byte order mark at the start is passed over.
  init?(_ bytes: [UInt8]) {
    let start = bytes.starts(with: ByteCheck.byteOrderMark) ? ByteCheck.byteOrderMark.count : 0
    unsafe parser = .allocate(capacity: 1)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      return nil
    }
    unsafe input = .allocate(capacity: max(bytes.count - start, 1))
    _ = unsafe input.update(fromContentsOf: bytes[start...])
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count - start)
    offsets = CharacterOffsets(bytes, from: start)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe input.deallocate()
  }

  /// The next event; after `streamEnd` there is nothing more to ask for.
  mutating func next() throws(SyntaxProblem) -> Event {
    var raw = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &raw) == 1 else { throw problem() }
    defer { unsafe yaml_event_delete(&raw) }
    let span = unsafe Span(offsets[raw.start_mark.index], max(offsets[raw.start_mark.index], offsets[raw.end_mark.index]))
    var event = Event(kind: .streamEnd, span: span)
    switch unsafe raw.type {
    case YAML_STREAM_START_EVENT: event.kind = .streamStart
    case YAML_DOCUMENT_START_EVENT:
      let document = unsafe raw.data.document_start
      let version = unsafe document.version_directive.map { unsafe (major: Int($0.pointee.major), minor: Int($0.pointee.minor)) }
      event.kind = unsafe .documentStart(
        version: version, hasTagDirective: document.tag_directives.start != document.tag_directives.end)
    case YAML_DOCUMENT_END_EVENT: event.kind = .documentEnd
    case YAML_ALIAS_EVENT: event.kind = .alias(unsafe text(raw.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = unsafe raw.data.scalar
      event.kind = unsafe .scalar(text: Array(UnsafeBufferPointer(start: scalar.value, count: scalar.length)), style: style(scalar.style))
      event.anchor = unsafe text(scalar.anchor)
      event.tag = unsafe text(scalar.tag)
    case YAML_SEQUENCE_START_EVENT:
      let sequence = unsafe raw.data.sequence_start
      event.kind = unsafe .sequenceStart(isFlow: sequence.style == YAML_FLOW_SEQUENCE_STYLE)
      event.anchor = unsafe text(sequence.anchor)
      event.tag = unsafe text(sequence.tag)
    case YAML_SEQUENCE_END_EVENT: event.kind = .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      let mapping = unsafe raw.data.mapping_start
      event.kind = unsafe .mappingStart(isFlow: mapping.style == YAML_FLOW_MAPPING_STYLE)
      event.anchor = unsafe text(mapping.anchor)
      event.tag = unsafe text(mapping.tag)
    case YAML_MAPPING_END_EVENT: event.kind = .mappingEnd
    default: event.kind = .streamEnd
    }
    return event
  }

  private func problem() -> SyntaxProblem {
    let state = unsafe parser.pointee
    let problem = unsafe state.problem.map { unsafe String(cString: $0) } ?? "out of memory"
    let offset = offsets[unsafe state.problem_mark.index]
    guard let context = unsafe state.context else {
      return SyntaxProblem(problem: problem, context: "", offset: offset, contextOffset: offset)
    }
    return unsafe SyntaxProblem(
      problem: problem, context: String(cString: context), offset: offset, contextOffset: offsets[state.context_mark.index])
  }

  private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer)
  }

  private func style(_ style: yaml_scalar_style_t) -> Scalar.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }
}

/// From libyaml's marks, which count characters, to byte offsets of the file.
struct CharacterOffsets {
  private let start: Int
  private let count: Int
  /// The offset of each character; nil where every character is one byte.
  private let table: [Int32]?

  init(_ bytes: [UInt8], from start: Int) {
    self.start = start
    count = bytes.count
    guard bytes[start...].contains(where: { $0 >= 0x80 }) else {
      table = nil
      return
    }
    table = (start..<bytes.count).lazy.filter { bytes[$0] & 0xC0 != 0x80 }.map { Int32($0) }
  }

  subscript(_ character: Int) -> Int {
    guard let table else { return min(start + character, count) }
    return character < table.count ? Int(table[character]) : count
  }
}
