/// How much a JSON text may hold before it is refused.
public struct JSONLimits: Sendable {
  /// Levels of objects and arrays.
  public var depth: Int
  /// Keys of one object.
  public var keys: Int
  /// Bytes of UTF-8 in one key.
  public var key: Int
  /// Bytes of UTF-8 in one string that is no key.
  public var string: Int

  /// - Parameter key: or `nil` for as many as a string.
  public init(depth: Int, keys: Int, string: Int, key: Int? = nil) {
    self.depth = depth
    self.keys = keys
    self.string = string
    self.key = key ?? string
  }

  /// For what a stranger sends: 32 levels, 256 keys an object, strings of 16 KiB.
  public static let request = JSONLimits(depth: 32, keys: 256, string: 16 * 1024)

  /// For what the operator wrote: 64 levels, ten thousand keys an object, strings of 1 MiB.
  public static let file = JSONLimits(depth: 64, keys: 10_000, string: 1 << 20)
}
