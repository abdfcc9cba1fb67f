/// What a command says of emergencies that lead to somebody real.
public struct LiveOptions: Sendable {
  /// `--live`
  public var isAsked: Bool
  /// `--confirm KEY`: the keys that are confirmed beforehand.
  public var confirmed: [String]

  public init(isAsked: Bool = false, confirmed: [String] = []) {
    self.isAsked = isAsked
    self.confirmed = confirmed
  }
}
