extension String {
  /// At most so many characters of the text, and a word about how much there is.
  func cut(at limit: Int) -> String {
    guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else { return self }
    return "\(self[..<end])... (\(utf8.count) bytes in all)"
  }
}
