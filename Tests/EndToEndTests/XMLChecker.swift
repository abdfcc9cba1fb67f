/// The elements of a well-formed document; it knows no DTD, comments or processing instructions but the declaration.
struct XMLChecker {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
  }

  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  private(set) var elements: [Element] = []
  private var rest: Substring

  init(_ document: String) throws {
    rest = document[...]
    if rest.hasPrefix("<?xml ") { rest = try after("?>") }
    var open: [Int] = []
    repeat {
      let text = rest.prefix { $0 != "<" }
      rest = rest.dropFirst(text.count)
      let content = try Self.unescaped(text)
      if let current = open.last {
        elements[current].text += content
      } else if content.contains(where: { !$0.isWhitespace }) {
        throw Fault(description: "text outside the root: \(content)")
      }
      guard !rest.isEmpty else { break }
      if rest.hasPrefix("</") {
        let name = rest.dropFirst(2).prefix { $0 != ">" }
        guard let current = open.popLast(), elements[current].name == name else { throw Fault(description: "</\(name)> closes nothing") }
        rest = try after(">")
      } else {
        if open.isEmpty, !elements.isEmpty { throw Fault(description: "a second root") }
        if try !readTag() { open.append(elements.count - 1) }
      }
    } while !rest.isEmpty
    guard open.isEmpty, !elements.isEmpty else { throw Fault(description: "an element is not closed") }
  }

  func elements(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  /// Whether it closed itself.
  private mutating func readTag() throws -> Bool {
    rest = rest.dropFirst()
    let name = rest.prefix { $0.isLetter || $0 == "-" }
    guard !name.isEmpty else { throw Fault(description: "a tag has no name: \(rest.prefix(20))") }
    rest = rest.dropFirst(name.count)
    var element = Element(name: String(name), attributes: [:])
    while true {
      rest = rest.drop(while: \.isWhitespace)
      if rest.hasPrefix("/>") || rest.hasPrefix(">") { break }
      let attribute = rest.prefix { $0.isLetter || $0 == "-" || $0 == ":" }
      rest = rest.dropFirst(attribute.count)
      guard !attribute.isEmpty, rest.hasPrefix("=\"") else { throw Fault(description: "not an attribute: \(rest.prefix(20))") }
      rest = rest.dropFirst(2)
      let value = rest.prefix { $0 != "\"" }
      guard !value.contains("<"), element.attributes[String(attribute)] == nil else {
        throw Fault(description: "bad attribute \(attribute)")
      }
      element.attributes[String(attribute)] = try Self.unescaped(value)
      rest = rest.dropFirst(value.count + 1)
    }
    elements.append(element)
    let isEmpty = rest.hasPrefix("/>")
    rest = rest.dropFirst(isEmpty ? 2 : 1)
    return isEmpty
  }

  private func after(_ end: String) throws -> Substring {
    guard let range = rest.firstRange(of: end) else { throw Fault(description: "no \(end)") }
    return rest[range.upperBound...]
  }

  private static func unescaped(_ text: Substring) throws -> String {
    let allowed = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || [0x09, 0x0A, 0x0D].contains($0.value) }
    guard allowed else { throw Fault(description: "a control character in \(text)") }
    var result = ""
    var rest = text
    while let ampersand = rest.firstIndex(of: "&") {
      result += rest[..<ampersand]
      guard let end = rest[ampersand...].firstIndex(of: ";") else { throw Fault(description: "a bare & in \(text)") }
      switch rest[rest.index(after: ampersand)..<end] {
      case "lt": result += "<"
      case "gt": result += ">"
      case "amp": result += "&"
      case "quot": result += "\""
      case "apos": result += "'"
      case let entity where entity.hasPrefix("#"): result += "?"
      case let entity: throw Fault(description: "unknown entity \(entity)")
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
