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

  /// PNG, 11.2.1 (IHDR); it must come first, and the largest counts if there are more.
  var png: Size? {
    guard says("PNG", at: 1), says("IHDR", at: 12) else { return nil }
    var (place, sizes) = (8, [Size]())
    while let length = big(place, 4) {
      if says("IHDR", at: place + 4) { sizes.append((big(place + 8, 4), big(place + 12, 4))) }
      place += 12 + length
    }
    return Self.largest(sizes)
  }

  /// Nobody knows which of several a browser believes; `nil` if the file ends within one.
  private static func largest(_ sizes: [Size]) -> Size? {
    sizes.allSatisfy { $0.width != nil && $0.height != nil }
      ? (sizes.compactMap(\.width).max(), sizes.compactMap(\.height).max()) : nil
  }

  /// RFC 9649, 2.5 to 2.7, and RFC 6386, 9.1.
  var webP: Size? {
    if says("VP8X", at: 12) { return (little(24, 3).map { $0 + 1 }, little(27, 3).map { $0 + 1 }) }
    if says("VP8L", at: 12), let bits = little(21, 4) { return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1) }
    return says("VP8 ", at: 12) ? (little(26, 2).map { $0 & 0x3FFF }, little(28, 2).map { $0 & 0x3FFF }) : nil
  }

  /// True of what follows 0xFF within the data of a JPEG.
  private func isData(_ byte: UInt8) -> Bool { byte == 0 || (0xD0...0xD7).contains(byte) }

  /// ITU-T T.81, B.2.2: the headers of frames, after segments that say their lengths. The largest counts.
  var jpeg: Size? {
    var (place, sizes) = (2, [Size]())
    while let mark = big(place, 2), mark >> 8 == 0xFF, let length = big(place + 2, 2) {
      switch mark & 0xFF {
      // Fills up.
      case 0xFF: place += 1
      // The picture's own data, up to the next segment.
      case 0xDA:
        place += 2 + length
        while place + 1 < bytes.count, bytes[place] != 0xFF || isData(bytes[place + 1]) {
          place += 1
        }
      // Segments without a length, and the end.
      case 0x00, 0x01, 0xD0...0xD9: return Self.largest(sizes)
      case let kind:
        if (0xC0...0xCF).contains(kind), ![0xC4, 0xC8, 0xCC].contains(kind) {
          sizes.append((big(place + 7, 2), big(place + 5, 2)))
        }
        place += 2 + length
      }
    }
    return Self.largest(sizes)
  }
}
