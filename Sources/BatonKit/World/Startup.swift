import HTTPTransport

/// What a process may begin before it knows its command's arguments.
public enum Startup {
  private static let sending: Set = ["run", "test"]

  /// Loads libcurl, which costs more than all of the rest, on a thread of its own where the command will need it.
  public static func begin(arguments: [String]) {
    guard let command = arguments.dropFirst().first, sending.contains(command) else { return }
    CurlTransport.shared.preload()
  }
}
