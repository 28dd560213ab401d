/// Bytes as a store keeps them: plain, or sealed by a `SecretBox`.
///
/// Sealed bytes begin with `sealed:`, which no JSON text does, so that kept bytes say which they are.
package struct Sealable: Hashable, Sendable {
  /// As they are kept.
  package let stored: [UInt8]
  /// The place to which they belong. Moved to another place, sealed bytes do not open.
  let context: String

  static let mark = Array("sealed:".utf8)

  init(stored: [UInt8], context: String) {
    self.stored = stored
    self.context = context
  }

  /// A part of an ask.
  init(stored: [UInt8], _ part: SecretBox.AskPart, of id: AskID) {
    self.init(stored: stored, context: SecretBox.context(part, of: id))
  }

  package var isSealed: Bool { stored.starts(with: Self.mark) }
}
