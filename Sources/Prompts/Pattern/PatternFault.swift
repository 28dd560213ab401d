/// Why a pattern is not one that browsers and the server both know: its first fault, and with it all others.
public struct PatternFault: Error, Hashable, Sendable {
  public let reason: Reason

  /// Where in the pattern, counted in code points from 1.
  public let column: Int

  /// The pattern's other faults by their columns, at most nine.
  package internal(set) var others: [PatternFault] = []

  /// The pattern without all these faults, or `nil` if it is not beyond doubt what was meant.
  package internal(set) var mended: String?

  /// Where what is wrong ends, counted from 0.
  let end: Int

  init(_ reason: Reason, column: Int, end: Int = 0) {
    self.reason = reason
    self.column = column
    self.end = max(end, column)
  }

  /// The facts of a fault. What a pattern's author reads is `PatternFault.description`.
  public enum Reason: Hashable, Sendable {
    /// The pattern has that many bytes, more than 1024.
    case tooLong(bytes: Int)
    /// RE2's program for it would not fit its memory.
    case tooLarge
    /// To compile it would cost more than its sender may spend.
    case tooCostly
    /// RE2 refuses it for a reason of its own.
    case notCompiled(String)

    // What JavaScript knows and RE2 does not.
    case lookaround(String)
    case backReference(String)
    case inlineFlags
    case boundaryIgnoringCase(String)
    case boundTooLarge
    /// The bounds of quantifiers within each other multiply to that much, more than 1000.
    case nestedBoundsTooLarge(Int)

    // What the `u` mode refuses.
    case nothingToRepeat(String)
    case quantifiedAssertion(String)
    case quantifierOnQuantifier(String)
    case boundsOutOfOrder(min: Int, max: Int)
    case unescaped(String)
    case groupNotClosed
    case groupNotOpened
    case unknownGroup
    case groupName
    case duplicateGroupName(String)
    case classNotClosed
    case classEscapeInRange(String)
    case rangeOutOfOrder(String)
    case trailingBackslash
    case needlessEscape(String)
    case unknownEscape(String)
    /// An escape that marks the text's beginning or end, as `\A` does in other engines.
    case wholeText(String)
    case incompleteEscape(String)
    case codePointTooLarge
    case loneSurrogate(String)
    case incompleteProperty
    case unknownProperty(String)

    // What both know, and is better written otherwise.
    case controlEscape(String, codePoint: UInt32)

    /// The reason's name, as the conformance corpus spells it.
    package var name: String {
      String("\(self)".prefix { $0 != "(" })
    }
  }
}
