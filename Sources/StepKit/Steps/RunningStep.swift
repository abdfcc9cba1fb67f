/// The step that a task runs, for those who tell afterwards who has done something.
enum RunningStep {
  /// Its id in its flow; nil outside of steps, and where it has none.
  @TaskLocal static var id: String?

  /// Does something as a step.
  /// - Parameter id: empty where it has none.
  static func named<T: Sendable>(_ id: String, _ body: () async throws(StepFailure) -> T) async throws(StepFailure) -> T {
    let outcome: Result<T, StepFailure> = await $id.withValue(id.isEmpty ? nil : id) {
      do throws(StepFailure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
