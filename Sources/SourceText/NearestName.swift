/// The one candidate that a misspelt name most likely meant: equal but for case and separators first, then one that
/// differs by a single letter, then the shortest that begins with the whole of it (`shop/order` for `shop/order-item`), then
/// the smallest edit distance within a third of the name's length. Nil where nothing is close.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  let folded = foldedName(name)
  var longer: String?
  var best: (name: String, distance: Int)?
  for candidate in candidates where candidate != name {
    if foldedName(candidate) == folded { return candidate }
    if continues(candidate, name), candidate.count < longer?.count ?? .max { longer = candidate }
    let distance = editDistance(name, candidate)
    if distance <= max(1, max(name.count, candidate.count) / 3), distance < name.count, distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  if let best, best.distance <= 1 { return best.name }
  return longer ?? best?.name
}

/// Whether a candidate is the name and more words behind it.
private func continues(_ candidate: String, _ name: String) -> Bool {
  guard name.count > 2, candidate.hasPrefix(name) else { return false }
  return candidate.dropFirst(name.count).first.map { "-_/.".contains($0) } ?? false
}

private func foldedName(_ name: String) -> String {
  String(name.lowercased().filter { $0 != "_" && $0 != "-" })
}

/// Levenshtein's distance with neighbours that changed places counted once (optimal string alignment).
private func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a.unicodeScalars)
  let b = Array(b.unicodeScalars)
  if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
  var rows = [Array(0...b.count)]
  for i in 1...a.count {
    var row = [i] + Array(repeating: 0, count: b.count)
    for j in 1...b.count {
      row[j] = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], rows[i - 2][j - 2] + 1) }
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
