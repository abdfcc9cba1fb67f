/// The files that `baton test` is given, in the order of its reports.
struct TestFiles: Sendable {
  struct File: Sendable {
    enum Kind: Sendable { case flow, scenarios }

    let path: String
    let kind: Kind
    /// Whether it was found in a folder, and not named itself: a flow that has scenarios runs through them alone then.
    let isFound: Bool
    /// The same for every spelling of a path.
    let identity: String
  }

  private(set) var files: [File] = []

  /// Files as they are named, folders searched for flows and scenarios; what is named twice is taken once.
  init(_ arguments: [String]) {
    var seen: Set<String> = []
    for argument in arguments {
      let isFolder = FileAccess.isDirectory(argument)
      let paths = isFolder ? FileAccess.files(below: argument, ending: ".yaml") : [argument]
      for path in paths {
        guard let kind = Self.kind(of: path, isFound: isFolder) else { continue }
        let file = File(path: path, kind: kind, isFound: isFolder, identity: Self.identity(of: path))
        if seen.insert(file.identity).inserted { files.append(file) }
      }
    }
  }

  private static func kind(of path: String, isFound: Bool) -> File.Kind? {
    if path.hasSuffix(ScenarioFile.ending) { return .scenarios }
    return !isFound || path.hasSuffix(".flow.yaml") ? .flow : nil
  }

  /// The same for every spelling of a path.
  static func identity(of path: String) -> String { FileAccess.resolved(path) }
}
