/// Where a value begins in the text: a byte offset, from 0.
public typealias JSONPlace = Int

/// What the parser builds: a tree of values, with or without their places in the text.
///
/// `JSON` is one such tree; a reader that reports line and column makes another.
public protocol JSONTree {
  /// Whether an object with a key twice is built as it stands and not refused: for a reader that
  /// reports it among other faults. False unless a tree says otherwise.
  static var keepsDuplicateKeys: Bool { get }

  static func null(at place: JSONPlace) -> Self
  static func bool(_ value: Bool, at place: JSONPlace) -> Self
  static func number(_ literal: String, at place: JSONPlace) -> Self
  /// nil is a string with half a surrogate pair.
  static func string(_ value: String?, at place: JSONPlace) -> Self
  static func array(_ elements: [Self], at place: JSONPlace) -> Self
  static func object(_ members: [JSONMember<Self>], at place: JSONPlace) -> Self
}

extension JSONTree {
  public static var keepsDuplicateKeys: Bool { false }
}

/// A member of an object, as the parser hands it to a `JSONTree`.
public struct JSONMember<Value> {
  public let key: String
  public let keyPlace: JSONPlace
  public let value: Value
}
