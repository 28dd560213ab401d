internal import Crypto
internal import Prompts

/// 128 bits of the system's random generator (`getrandom`) as 26 characters of Crockford's Base32 in lower case: no
/// character is mistaken for another, none needs escaping in a URL, and a double click selects all of them.
///
/// Everything here that nobody may guess is made of it; keys and signing secrets are `randomBytes`.
package struct RandomText: Hashable, Sendable, CustomStringConvertible {
  private let bits: UInt128

  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  /// By character, its place in the alphabet, or 32 if it has none.
  private static let digits = (0...255).map { character in
    UInt8(alphabet.firstIndex(of: UInt8(character)) ?? 32)
  }

  /// A new one.
  package init() { bits = .random(in: .min ... .max) }

  /// A new one that sorts by time: 48 bits are the moment in milliseconds, only the other 80 are random.
  fileprivate init(at moment: Timestamp) {
    bits = UInt128(truncatingIfNeeded: moment.milliseconds) << 80 | .random(in: 0..<1 << 80)
  }

  /// - Returns: `nil` unless this is exactly the `description` of some 128 bits.
  init?(_ text: String) {
    let digits = Self.digits
    var (bits, count) = (UInt128(0), 0)
    for character in text.utf8 {
      let digit = digits[Int(character)]
      // 26 digits hold 130 bits: the first may only use three of its five.
      guard count < 26, digit < (count == 0 ? 8 : 32) else { return nil }
      bits = bits << 5 | UInt128(digit)
      count += 1
    }
    guard count == 26 else { return nil }
    self.bits = bits
  }

  package var description: String {
    // From the last: to shift 128 bits by a number that the compiler does not know takes long.
    var (digits, rest, alphabet) = ([UInt8](repeating: 0, count: 26), bits, Self.alphabet)
    for place in digits.indices.reversed() {
      digits[place] = alphabet[Int(truncatingIfNeeded: rest) & 31]
      rest >>= 5
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The most significant byte first.
  var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: bits >> UInt128(120 - 8 * $0)) } }
}

/// New bytes of the system's random generator, for a key.
func randomBytes(_ count: Int) -> [UInt8] {
  SymmetricKey(size: .init(bitCount: 8 * count)).bytes
}

extension SymmetricKey {
  var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// A random text and nothing else.
package protocol RandomlyMade: Sendable, CustomStringConvertible {
  var random: RandomText { get }
  init(_ random: RandomText)
}

package extension RandomlyMade {
  /// A new one.
  init() { self.init(RandomText()) }

  var description: String { random.description }

  /// - Returns: `nil` if no server would have written this.
  init?(_ text: String) {
    guard let random = RandomText(text) else { return nil }
    self.init(random)
  }
}

extension Sequence<UInt8> {
  /// Two digits a byte, in lower case.
  package var hexadecimal: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}

/// The id by which the waiting program refers to an ask. Only a program with the API token can do anything with it.
///
/// Ids sort by the moment that they were made at, so that a database writes new ones side by side.
package struct AskID: RandomlyMade, Hashable {
  package let random: RandomText
  init(at moment: Timestamp) { random = RandomText(at: moment) }
  package init(_ random: RandomText) { self.random = random }
}

/// Proof that an answer to a standing prompt was accepted.
///
/// The browser that answered gets it. Nobody can make one up, and it says nothing: only a program with the API token
/// can look up the answer.
package struct Receipt: RandomlyMade, Hashable {
  package let random: RandomText
  package init(_ random: RandomText) { self.random = random }
}

/// The end of a person's link. Anyone who has it may answer, so it is never stored as it is.
package struct LinkToken: RandomlyMade {
  package let random: RandomText
  package init(_ random: RandomText) { self.random = random }

  /// The token as the link has it.
  package var text: String { random.description }

  /// Its SHA-256 digest, which is stored and by which the token is looked up. The token has too many bits to be guessed
  /// from it. Lookup timing may reveal something about digests, but that does not help to find a token.
  var digest: [UInt8] { Array(SHA256.hash(data: random.bytes)) }

  /// Not the token: a log that prints one by mistake gives nothing away.
  package var description: String { "LinkToken(…)" }
}
