internal import Crypto

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
