import FoundationEssentials
import Glibc
package import StepKit

/// The Secret Service of a desktop, through `secret-tool` (libsecret): where the key lies that a person's log-in opens.
package struct SecretService: Sendable {
  private static let attributes = ["application", "baton", "use", "token-store"]

  private let processes: any ProcessPort
  private let environment: [String: String]

  /// Nil where there is no session bus, or no `secret-tool`.
  ///
  /// - Parameter environment: the process's variables.
  package init?(_ processes: any ProcessPort, environment: [String: String]) {
    let names = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "LANG"]
    let bus = environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    guard !bus.isEmpty, folders.contains(where: { unsafe access("\($0)/secret-tool", X_OK) == 0 }) else { return nil }
    self.processes = processes
    self.environment = environment.filter { names.contains($0.key) }
  }

  enum Finding: Equatable {
    case key([UInt8])
    /// The service answers, and has none yet.
    case none
    /// Nobody answers, or the person has not opened it.
    case unavailable(String)
  }

  func find() async throws(StepFailure) -> Finding {
    let result = try await run(["lookup"] + Self.attributes)
    if result.exitCode == 0 {
      guard let bytes = Data(base64Encoded: Self.line(result.output)) else {
        throw .tokenStore("the Secret Service holds no key under `application baton`; remove that item, and what was sealed is given up")
      }
      return .key(Array(bytes))
    }
    // Nothing found is told by the exit code alone; everything else in words.
    let words = Self.line(result.errorOutput)
    return words.isEmpty && result.exitCode == 1 ? .none : .unavailable(words)
  }

  /// - Returns: false where the service does not take it.
  func keep(_ key: [UInt8]) async throws(StepFailure) -> Bool {
    let result = try await run(
      ["store", "--label=Baton: key of the token store"] + Self.attributes, input: Data(key).base64EncodedString())
    return result.exitCode == 0
  }

  private func run(_ arguments: [String], input: String = "") async throws(StepFailure) -> ProcessResult {
    // Whoever is asked to unlock may take their time.
    try await processes.run(
      ProcessRequest(
        arguments: ["secret-tool"] + arguments, environment: environment, input: Array(input.utf8), timeout: .seconds(120)))
  }

  private static func line(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
  }
}
