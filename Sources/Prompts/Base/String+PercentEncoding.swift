internal import Platform

package extension String {
  /// The text with each byte as `%XX` that is none of these characters (RFC 3986, section 2.1).
  func percentEncoded(except kept: CharacterClass) -> String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      if kept.contains(byte) { bytes.append(byte) } else { bytes.append(percentEncoding: byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
