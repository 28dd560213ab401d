/// Where a value begins in the text: a byte offset, from 0.
package typealias JSONPlace = Int

/// What the parser builds: a tree of values, with or without their places in the text.
///
/// `JSON` is one such tree; a reader that reports line and column makes another.
package protocol JSONTree {
  /// A member of an object, as this tree keeps it.
  associatedtype Member

  static func null(at place: JSONPlace) -> Self
  static func bool(_ value: Bool, at place: JSONPlace) -> Self
  static func number(_ literal: String, at place: JSONPlace) -> Self
  /// nil is a string with half a surrogate pair.
  static func string(_ value: String?, at place: JSONPlace) -> Self
  static func array(_ elements: [Self], at place: JSONPlace) -> Self
  static func member(_ key: String, at keyPlace: JSONPlace, _ value: Self) -> Member
  static func object(_ members: [Member], at place: JSONPlace) -> Self

  /// Whether one of these members has that key, so that the object is refused. A reader that
  /// reports keys that appear twice among other faults says no, and is given both.
  static func hasMember(_ key: String, among members: [Member]) -> Bool
}
