/// The width and height of a picture in pixels, from its header: a small file may take a browser gigabytes to draw.
struct PictureSize {
  let width, height: Int

  /// Pixels of the longer side.
  static let longestSide = 8_192
  /// Pixels of all pictures of a context together.
  static let pixelLimit = 16_000_000

  var pixels: Int { width * height }
  var isTaken: Bool { width <= Self.longestSide && height <= Self.longestSide && pixels <= Self.pixelLimit }

  /// `nil` if the header of this PNG, JPEG or WebP does not say it.
  init?(_ bytes: [UInt8]) {
    let file = Header(bytes: bytes)
    guard let size = file.png ?? file.webP ?? file.jpeg, let width = size.width, let height = size.height,
      min(width, height) > 0, max(width, height) <= Int32.max
    else { return nil }
    self.width = width
    self.height = height
  }
}

/// The bytes of a picture's file.
private struct Header {
  typealias Size = (width: Int?, height: Int?)

  let bytes: [UInt8]

  /// A big-endian number, or `nil` if the file ends before it.
  private func big(_ place: Int, _ count: Int) -> Int? {
    place + count <= bytes.count ? bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) } : nil
  }

  private func little(_ place: Int, _ count: Int) -> Int? {
    big(place, count).map { $0.byteSwapped >> (64 - 8 * count) }
  }

  private func says(_ text: String, at place: Int) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }

  /// PNG, 11.2.1 (IHDR); it must come first.
  var png: Size? { says("PNG", at: 1) && says("IHDR", at: 12) ? (big(16, 4), big(20, 4)) : nil }

  /// RFC 9649, 2.5 to 2.7, and RFC 6386, 9.1.
  var webP: Size? {
    if says("VP8X", at: 12) { return (little(24, 3).map { $0 + 1 }, little(27, 3).map { $0 + 1 }) }
    if says("VP8L", at: 12), let bits = little(21, 4) { return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1) }
    return says("VP8 ", at: 12) ? (little(26, 2).map { $0 & 0x3FFF }, little(28, 2).map { $0 & 0x3FFF }) : nil
  }

  /// ITU-T T.81, B.2.2: the header of the frame, after segments that say their lengths.
  var jpeg: Size? {
    var place = 2
    while let mark = big(place, 2), mark >> 8 == 0xFF, let length = big(place + 2, 2) {
      switch mark & 0xFF {
      // Fills up.
      case 0xFF: place += 1
      case 0xC4, 0xC8, 0xCC: place += 2 + length
      case 0xC0...0xCF: return (big(place + 7, 2), big(place + 5, 2))
      // Segments without a length, the picture's own data, and its end.
      case 0x00, 0x01, 0xD0...0xDA: return nil
      default: place += 2 + length
      }
    }
    return nil
  }
}
