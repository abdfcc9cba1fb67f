import Diagnostics
import SourceText

/// What tests are called, and tagged with.
struct TestNames: Sendable {
  var cases: [String] = []
  var tags: Set<String> = []
}

/// Which tests of many run: by tag, by name, by shard.
struct TestSelection: Sendable {
  private var wanted: [String] = []
  private var unwanted: [String] = []
  private var names: [String] = []
  /// From 1.
  private var shard = (index: 1, count: 1)

  /// - Parameters:
  ///   - tags: `nightly` takes those that have it, `!slow` leaves out those that have it.
  ///   - shard: `2/5`.
  /// - Throws: what is wrong with them, as findings.
  init(tags: [String], names: [String], shard: String?) throws(Findings) {
    for tag in tags {
      guard tag != "!", !tag.isEmpty else {
        throw Findings([Diagnostic(.invalidValue, "`--tag \(tag)` names no tag", at: nil, help: ["write `--tag NAME`, or `--tag '!NAME'`"])]
        )
      }
      if tag.hasPrefix("!") { unwanted.append(String(tag.dropFirst())) } else { wanted.append(tag) }
    }
    self.names = names
    if let shard { self.shard = try Self.shard(shard) }
  }

  private static func shard(_ text: String) throws(Findings) -> (index: Int, count: Int) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1, (1...count).contains(index) else {
      throw Findings([
        Diagnostic(.invalidValue, "`--shard \(text)` is no shard", at: nil, help: ["write `--shard 2/5` for the second of five"])
      ])
    }
    return (index, count)
  }

  /// Whether a test has a wanted tag and no unwanted one, and the name that was asked for.
  func accepts(tags: [String], name: String?) -> Bool {
    guard wanted.isEmpty || tags.contains(where: { wanted.contains($0) }) else { return false }
    guard !tags.contains(where: { unwanted.contains($0) }) else { return false }
    return names.isEmpty || name.map { names.contains($0) } ?? false
  }

  /// Whether a test is of this shard: decided by its file and its name alone, so that every machine agrees.
  func isInShard(file: String, name: String?) -> Bool {
    stableHash("\(file)\u{0}\(name ?? "")") % UInt64(shard.count) == UInt64(shard.index - 1)
  }

  /// Whether it may leave something out, which then must not be all.
  var isFiltering: Bool { !wanted.isEmpty || !unwanted.isEmpty || !names.isEmpty }

  /// As it was asked for, for a message.
  var description: String {
    (wanted.map { "`--tag \($0)`" } + unwanted.map { "`--tag !\($0)`" } + names.map { "`--case '\($0)'`" }).joined(separator: ", ")
  }

  /// What was most likely meant by names that there are not; empty where nothing is close.
  func suggestions(among names: TestNames) -> [String] {
    let tags = wanted.filter { !names.tags.contains($0) }.compactMap { tag in
      nearestName(to: tag, among: names.tags.sorted()).map { "did you mean `--tag \($0)`?" }
    }
    let cases = self.names.filter { !names.cases.contains($0) }.compactMap { name in
      nearestName(to: name, among: names.cases).map { "did you mean `--case '\($0)'`?" }
    }
    return tags + cases
  }

  /// `shard 2/5`; nil for all.
  var shardName: String? { shard.count == 1 ? nil : "shard \(shard.index)/\(shard.count)" }
}
