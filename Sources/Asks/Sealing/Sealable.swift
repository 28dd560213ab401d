/// Bytes as a store keeps them: plain, or sealed by a `SecretBox`.
///
/// Sealed bytes begin with `sealed:`, which no JSON text does, so that what is kept says itself
/// which it is.
public struct Sealable: Hashable, Sendable {
  /// As they are kept.
  public let stored: [UInt8]

  static let mark = Array("sealed:".utf8)

  init(stored: [UInt8]) { self.stored = stored }

  public var isSealed: Bool { stored.starts(with: Self.mark) }
}
