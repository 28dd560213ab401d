/// How much of what needs doing a store holds.
public struct Census: Sendable, Equatable {
  /// Asks without an outcome.
  public let openAsks: Int
  /// Callbacks that are neither delivered nor given up.
  public let waitingCallbacks: Int

  public init(openAsks: Int, waitingCallbacks: Int) {
    self.openAsks = openAsks
    self.waitingCallbacks = waitingCallbacks
  }
}
