import FoundationEssentials
import Glibc
import StepKit
import Testing

@testable import BatonKit

/// Programs get what their step names, and nothing else of this process.
@Suite("A program that a flow runs")
struct ProcessesTests {
  private let processes = Processes(folder: "/", path: "/usr/bin:/bin")

  private func run(
    _ arguments: [String], _ environment: [String: String] = [:], input: String = "", timeout: Duration = .seconds(60), limit: Int = 1 << 20
  ) async throws -> ProcessResult {
    try await processes.run(
      ProcessRequest(arguments: arguments, environment: environment, input: Array(input.utf8), timeout: timeout, maxOutputBytes: limit))
  }

  private func output(_ arguments: [String], _ environment: [String: String] = [:], input: String = "") async throws -> String {
    String(decoding: try await run(arguments, environment, input: input).output, as: UTF8.self)
  }

  private func failure(_ request: ProcessRequest) async -> StepFailure? {
    await #expect(throws: StepFailure.self) { try await processes.run(request) }
  }

  @Test("sees `PATH`, what is named, and no other variable")
  func environment() async throws {
    unsafe setenv("BATON_TEST_LEAK", "leak", 1)
    #expect(try await output(["env"], ["TOKEN": "t=1"]).split(separator: "\n").sorted() == ["PATH=/usr/bin:/bin", "TOKEN=t=1"])
    #expect(try await output(["/usr/bin/env"], ["PATH": "/other"]) == "PATH=/other\n")
  }

  @Test("sees its three streams, and no other descriptor")
  func descriptors() async throws {
    // Open, and not marked to be closed.
    let leak = unsafe open("/etc/hostname", O_RDONLY)
    defer { close(leak) }
    #expect(leak > 2)
    // The fourth is the folder that `ls` itself has open.
    #expect(try await output(["ls", "/proc/self/fd"]).split(separator: "\n") == ["0", "1", "2", "3"])
  }

  @Test("gets its arguments as they are: there is no shell")
  func arguments() async throws {
    #expect(try await output(["printf", "%s|", "a b", "$HOME", "*", "; ls", ""]) == "a b|$HOME|*|; ls||")
  }

  @Test("starts in the project's folder, and reads its input to the end")
  func folderAndInput() async throws {
    #expect(try await output(["pwd"]) == "/\n")
    let text = String(repeating: "line\n", count: 40_000)
    #expect(try await output(["cat"], input: text) == text)
    // One that reads nothing of it ends well all the same.
    #expect(try await run(["true"], input: text).exitCode == 0)
  }

  @Test("says how it ended", arguments: [("exit 3", 3), ("kill -TERM $$", 143), ("kill -KILL $$", 137), ("echo bad >&2; exit 1", 1)])
  func exitCode(script: String, code: Int) async throws {
    let result = try await run(["sh", "-c", script])
    #expect(result.exitCode == code)
    #expect(String(decoding: result.errorOutput, as: UTF8.self) == (code == 1 ? "bad\n" : ""))
  }

  @Test("that cannot start is told by its name and the reason")
  func absent() async {
    #expect(
      await failure(ProcessRequest(arguments: ["no-such-program"]))?.detail
        == "`no-such-program` cannot be run: there is no such program in `PATH`")
    #expect(await failure(ProcessRequest(arguments: ["./none"]))?.detail == "`./none` cannot be run: there is no such file")
    #expect(
      await failure(ProcessRequest(arguments: ["/etc/hostname"]))?.detail == "`/etc/hostname` cannot be run: it is no file that can be run")
    #expect(await failure(ProcessRequest(arguments: []))?.code == "config.exec")
    #expect(await failure(ProcessRequest(arguments: ["printf", "a\0b"]))?.code == "config.exec")
  }

  @Test("that says too much is ended")
  func flood() async {
    let failure = await failure(ProcessRequest(arguments: ["yes"], maxOutputBytes: 1 << 16))
    #expect(failure?.code == "decode.too_large")
    #expect(failure?.sent == .maybe)
  }

  @Test("is ended when its time is up")
  func timeout() async {
    let failure = await failure(ProcessRequest(arguments: ["tail", "-f", "/dev/null"], timeout: .milliseconds(20)))
    #expect(failure?.code == "timeout.attempt")
    #expect(failure?.sent == .maybe)
  }

  @Test("is ended with all that it started, even what takes no notice of SIGTERM")
  func group() async throws {
    let pipe = FileManager.default.temporaryDirectory.path() + "/baton-group-\(UInt64.random(in: .min ... .max))"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    defer { unsafe unlink(pipe) }
    let reader = unsafe open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }

    let script = "(trap '' TERM; exec 3>\(pipe); echo up >&3; exec tail -f /dev/null) & wait"
    var processes = processes
    processes.grace = .milliseconds(10)
    let task = Task { [processes] in try await processes.run(ProcessRequest(arguments: ["bash", "-c", script])) }
    #expect(await Self.wait(reader, for: POLLIN))
    var text = [UInt8](repeating: 0, count: 3)
    #expect(unsafe text.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) } == 3)

    task.cancel()
    let failure = await #expect(throws: StepFailure.self) { try await task.value }
    #expect(failure?.code == "cancelled")
    // The pipe hangs up when the last process that holds it has ended.
    #expect(await Self.wait(reader, for: POLLHUP))
  }

  /// Waits until a descriptor says this, for half a minute at most; on a thread of its own, since others need the pool's.
  private static func wait(_ descriptor: Int32, for event: Int32) async -> Bool {
    await withCheckedContinuation { waiting in
      ProcessThread.run {
        var asked = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        waiting.resume(returning: unsafe poll(&asked, 1, 30_000) == 1 && asked.revents & Int16(event) != 0)
      }
    }
  }
}
