internal import Crypto

/// What a person's link ends with: 128 bits of the system's generator, as 26 characters `[0-9a-z]`.
///
/// Who has it may answer. It is never stored as it is: see `hash`.
package struct LinkToken: Sendable {
  private let random: RandomText

  /// A new one.
  package init() { random = RandomText() }

  /// nil where no server would have written such a token.
  package init?(_ text: String) {
    guard let random = RandomText(text) else { return nil }
    self.random = random
  }

  /// The token as the link has it.
  package var text: String { random.text }

  /// What is stored, and what the token is found by.
  package var hash: Hash { Hash(bytes: Array(SHA256.hash(data: random.bytes))) }

  /// A token's SHA-256 digest. The token has too many bits to be guessed from it.
  package struct Hash: Sendable, Equatable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// In a time that does not tell where two digests differ.
    package static func == (one: Hash, other: Hash) -> Bool {
      guard one.bytes.count == other.bytes.count else { return false }
      return zip(one.bytes, other.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
  }
}

extension LinkToken: CustomStringConvertible {
  /// Not the token: a log that prints one by mistake gives nothing away.
  package var description: String { "LinkToken(…)" }
}
