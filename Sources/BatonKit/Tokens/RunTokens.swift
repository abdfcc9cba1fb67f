import Journal
import StepKit
import TokenStore

/// Where the tokens of a run with `token_store: true` outlive it: sealed in the state directory, but in memory for the
/// sandbox and for tests, which leave nothing behind.
enum RunTokens {
  /// - Parameters:
  ///   - environment: the name of the run's environment; empty without one.
  ///   - processes: asks the desktop's keyring.
  ///   - variables: of this process.
  static func stores(
    environment: String, endsWithRun: Bool, processes: any ProcessPort, variables: [String: String]
  ) -> any SessionStores {
    if endsWithRun { return TokenMemory() }
    return TokenFiles(
      state: { () throws(JournalError) in try StateDirectory(placed: RecordPlaces.state) }, environment: environment,
      service: SecretService(processes, environment: variables))
  }
}
