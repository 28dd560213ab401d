/// How much a JSON text may hold before it is refused.
package struct JSONLimits: Sendable {
  /// Levels of objects and arrays.
  package var depth: Int
  /// Keys of one object.
  package var keys: Int
  /// Bytes of UTF-8 in one key.
  package var key: Int
  /// Bytes of UTF-8 in one string that is no key.
  package var string: Int

  /// - Parameter key: or `nil` for as many as a string.
  package init(depth: Int, keys: Int, string: Int, key: Int? = nil) {
    self.depth = depth
    self.keys = keys
    self.string = string
    self.key = key ?? string
  }

  /// For what a stranger sends: 32 levels, 256 keys an object, strings of 16 KiB.
  package static let request = JSONLimits(depth: 32, keys: 256, string: 16 * 1024)

  /// For what the operator wrote: 64 levels, ten thousand keys an object, strings of 1 MiB.
  package static let file = JSONLimits(depth: 64, keys: 10_000, string: 1 << 20)
}
