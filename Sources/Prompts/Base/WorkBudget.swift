/// The CPU that something may cost, counted before it is done and never timed.
///
/// The unit is about a nanosecond of the worst case on the machines where it was measured; most cases cost a tenth of
/// that. What is counted does not depend on how busy a machine is, so the same request is always refused or never.
package struct WorkBudget: CustomStringConvertible, Sendable {
  /// The work that is left to spend.
  package private(set) var left: Int
  private let whole: Int

  init(_ work: Int) { (left, whole) = (work, work) }

  /// For what the operator wrote.
  static let unlimited = WorkBudget(.max)
  /// Untrusted rules: what 50 ms of CPU can do.
  package static let untrustedRules = WorkBudget(50_000_000)
  /// One form of an operator's prompt, whatever a person enters: 200 ms.
  package static let form = WorkBudget(200_000_000)
  /// The work that an event loop may spend on one judgement before it has to look after its other connections: 1 ms.
  package static let eventLoop = WorkBudget(1_000_000)

  /// Takes this much from what is left; or takes nothing and returns false if there is not enough.
  mutating func spend(_ work: Int) -> Bool {
    guard work <= left else { return false }
    left -= work
    return true
  }

  /// The same after work that was done already.
  package func spending(_ work: Int) -> WorkBudget {
    var rest = self
    rest.left -= min(work, rest.left)
    return rest
  }

  /// All of it in words: `50 ms`.
  package var description: String { Self.milliseconds(whole) }

  /// An amount of work in words: `340 ms`.
  package static func milliseconds(_ work: Int) -> String { "\(max(1, work / 1_000_000)) ms" }
}
