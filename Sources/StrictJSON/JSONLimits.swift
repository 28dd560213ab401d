/// The limits of a JSON text; one that exceeds them is refused.
package struct JSONLimits: Sendable {
  /// Levels of objects and arrays.
  var depth: Int
  /// Keys in one object.
  var keys: Int
  /// Bytes of UTF-8 in one key.
  package var key: Int
  /// Bytes of UTF-8 in one string that is not a key.
  package var string: Int
  /// Bytes of a picture's string, if that is more.
  package var image = 0
  /// The paths of keys at which pictures are; elements of arrays have none of their own.
  package var imagePaths: [[String]] = []

  /// - Parameter string: bytes in one key too.
  package init(depth: Int, keys: Int, string: Int) {
    self.depth = depth
    self.keys = keys
    self.string = string
    key = string
  }

  /// For what a stranger sends: 32 levels, 256 keys an object, strings of 16 KiB.
  package static let request = JSONLimits(depth: 32, keys: 256, string: 16 * 1024)

  /// For what the operator wrote: 64 levels, ten thousand keys an object, strings of 1 MiB.
  package static let file = JSONLimits(depth: 64, keys: 10_000, string: 1 << 20)

  /// For what was read by the limits of files and written again: a rule in a rule may then be two levels deeper.
  package static let kept = JSONLimits(depth: 192, keys: 10_000, string: 1 << 20)
}
