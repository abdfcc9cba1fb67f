import HTTPTypes
import StepKit
import Values

extension SecureNode {
  /// The name of a picture's file: the URL in Base64 for URLs, without padding; nil where that is longer than file systems take.
  static func logoFile(of url: String) -> String? {
    let name = Base64URL.encoded(Array(url.utf8)) + ".png"
    return name.utf8.count > 255 ? nil : name
  }

  /// What asking for a picture came to.
  enum LogoAnswer {
    case image([UInt8])
    /// Whatever else came: then there is no picture.
    case none(String)
  }

  /// Asks for a picture, wherever it is. The key does not go along to another host than the API's.
  ///
  /// The server chooses the host: one that is not allowed has no picture, and stops no other.
  /// - Throws: what no other picture would mend: settings, a spent budget, `cancelled`.
  static func fetchLogo(_ url: String, _ http: any HTTPPort) async throws(StepFailure) -> LogoAnswer {
    // A URL that was cut, or never was one: not for the connection to complete.
    guard url.hasPrefix("http"), (try? WebAddress(url)) != nil else { return .none("`\(url)` is no address") }
    do throws(StepFailure) {
      let reply = try await http.send(HTTPCall(.get, url, token: TokenClass.none, effect: .read))
      guard reply.status == 200 else { return .none("the server answered \(reply.status)") }
      return mayBePicture(reply) ? .image(reply.bytes) : .none("the server answered 200 without a picture")
    } catch {
      guard error.isCatchable || error.code == "config.host" else { throw error }
      return .none(error.isCatchable ? error.title : "\(error.title): \(error.detail)")
    }
  }

  /// Whether there are bytes that do not say to be something else, such as the log-in page of a network.
  private static func mayBePicture(_ reply: HTTPReply) -> Bool {
    let type = (reply.headers[.contentType] ?? "").lowercased()
    return !reply.bytes.isEmpty && !type.hasPrefix("text/") && !type.hasPrefix("application/json")
  }

  /// Pictures in a folder of the project, and beside them an index that says how old each one is.
  struct LogoCache {
    static let indexName = "index.json"
    /// Seconds after which a picture is thrown away.
    static let life: Int64 = 30 * 86_400

    let path: String
    let files: any FilePort
    private var index: ValueMap
    private(set) var isChanged = false

    /// A folder without an index that can be read has none.
    init(_ path: String, _ files: any FilePort) async {
      self.path = path
      self.files = files
      let bytes = try? await files.read(Self.place(of: Self.indexName, in: path))
      index = bytes.flatMap { try? JSON.parse($0) }?.mapValue ?? ValueMap()
    }

    /// The bytes of a picture that is there; nil for one that is not.
    func read(_ file: String) async -> [UInt8]? { try? await files.read(Self.place(of: file, in: path)) }

    /// Whether the index knows it.
    func knows(_ file: String) -> Bool { index[file] != nil }

    mutating func write(_ bytes: [UInt8], _ file: String, of url: String, at now: String) async throws(StepFailure) {
      try await files.write(bytes, to: Self.place(of: file, in: path))
      note(file, of: url, at: now)
    }

    /// Has the index know a picture that is there.
    mutating func note(_ file: String, of url: String, at now: String) {
      index[file] = ["url": .string(url), "saved_at": .string(now)]
      isChanged = true
    }

    /// Removes the pictures that are too old, and answers their files.
    mutating func clean(_ now: Timestamp) async throws(StepFailure) -> [String] {
      let old = index.filter { entry in
        let saved = entry.value["saved_at"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
        return saved.map { now.seconds - $0.seconds > Self.life } ?? true
      }.map(\.key.text)
      for file in old where Self.isPicture(file) { try await files.remove(Self.place(of: file, in: path)) }
      for file in old { index[file] = nil }
      isChanged = isChanged || !old.isEmpty
      return old.filter(Self.isPicture)
    }

    /// Writes the index, last: a picture that it does not know of is only fetched once more.
    func commit() async throws(StepFailure) {
      guard isChanged else { return }
      try await files.write(Array((Value.map(index).json(indent: 2) + "\n").utf8), to: Self.place(of: Self.indexName, in: path))
    }

    /// Whether a file of the folder is one of the cache's own pictures: one with a URL for its name.
    static func isPicture(_ file: String) -> Bool {
      guard file.hasSuffix(".png"), !file.contains("/"), let url = Base64URL.decoded(String(file.dropLast(4))) else { return false }
      return url.starts(with: "http".utf8)
    }

    static func place(of file: String, in path: String) -> String { path.hasSuffix("/") ? path + file : "\(path)/\(file)" }
  }
}
