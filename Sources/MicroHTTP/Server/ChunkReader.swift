internal import Platform

/// Reads a body in chunks, piece by piece, and refuses whatever another parser could read differently (RFC 9112,
/// section 7.1). Pure: bytes in, a piece or an error out.
///
/// What may be handed on has the same chunks, without leading zeros, extensions and trailers, whatever libmicrohttpd
/// would make of these.
struct ChunkReader {
  private enum Expected {
    case size, lineEnd, trailer, nothing
    /// So many bytes of a chunk.
    case data(Int)
  }

  private let limit: Int
  private var expected = Expected.size
  /// Bytes of data in the chunks so far.
  private var dataBytes = 0
  /// Bytes of leading zeros, extensions and trailers so far.
  private var extraBytes = 0

  /// The most bytes of extensions and trailers.
  static let extraLimit = 8 * 1024

  /// - Parameter limit: bytes of data.
  init(limit: Int) { self.limit = limit }

  /// True once the whole body was read.
  var isAtEnd: Bool { if case .nothing = expected { true } else { false } }

  /// The bytes that end the body for libmicrohttpd, after those that were handed on before an error: never within data.
  var ending: String {
    switch expected {
    case .size: "0\r\n\r\n"
    case .trailer: "\r\n"
    case .lineEnd, .data, .nothing: "\r\n0\r\n\r\n"
    }
  }

  /// Reads the next piece.
  ///
  /// - Parameter bytes: what has come from the beginning of the piece, including what was given before; not empty.
  /// - Returns: how many bytes the piece has, and how many of these, at its end, may be handed on; `nil` while it is not
  ///   complete.
  mutating func read(_ bytes: inout MutableSpan<UInt8>) throws(HTTPError) -> (count: Int, kept: Int)? {
    switch expected {
    case .data(let left):
      let count = min(left, bytes.count)
      expected = count == left ? .lineEnd : .data(left - count)
      return (count, count)
    case .lineEnd:
      guard bytes[0] == 0x0D, bytes.count == 1 || bytes[1] == 0x0A else { throw .badRequest(.chunks) }
      guard bytes.count > 1 else { return nil }
      expected = .size
      return (2, 2)
    case .size, .trailer, .nothing:
      guard let end = bytes.span.firstIndex(of: 0x0A) else {
        // Beyond what a size of its own may have.
        guard bytes.count <= Self.extraLimit + 32 else { throw .chunkExtrasTooLarge(limit: Self.extraLimit) }
        return nil
      }
      guard end > 0, bytes[end - 1] == 0x0D else { throw .badRequest(.chunks) }
      var line = bytes._mutatingExtracting(..<(end - 1))
      let kept = if case .size = expected { try takeSize(&line) } else { try takeTrailer(line.span) }
      return (end + 1, kept)
    }
  }

  /// `chunk-size [ chunk-ext ]`; moves the size, without zeros before it, to the end of the line.
  private mutating func takeSize(_ line: inout MutableSpan<UInt8>) throws(HTTPError) -> Int {
    var (digits, zeros, size) = (0, 0, 0)
    while digits < line.count, let value = line[digits].hexadecimalValue {
      // More than any limit stays so, and does not overflow.
      size = min(size << 4 | value, 1 << 40)
      digits += 1
      if size == 0 { zeros = digits }
    }
    guard digits > 0, Self.areExtensions(line.span.extracting(digits...)) else { throw .badRequest(.chunks) }
    if zeros == digits { zeros -= 1 }
    let kept = digits - zeros
    guard size <= limit - dataBytes else { throw .contentTooLarge(limit: limit) }
    dataBytes += size
    try countExtra(line.count - kept)
    if kept < line.count { for offset in 1...kept { line[line.count - offset] = line[digits - offset] } }
    expected = size == 0 ? .trailer : .data(size)
    return kept + 2
  }

  private mutating func countExtra(_ bytes: Int) throws(HTTPError) {
    extraBytes += bytes
    guard extraBytes <= Self.extraLimit else { throw .chunkExtrasTooLarge(limit: Self.extraLimit) }
  }

  /// A field of the trailer, or the empty line after the last one.
  private mutating func takeTrailer(_ line: Span<UInt8>) throws(HTTPError) -> Int {
    try countExtra(line.count)
    guard line.isEmpty else {
      _ = try HeadReader.field(in: line)
      return 0
    }
    expected = .nothing
    return 2
  }

  /// `*( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )`
  private static func areExtensions(_ text: Span<UInt8>) -> Bool {
    guard ASCIISet.isValue(text) else { return false }
    var place = 0
    func skip(_ isWanted: (UInt8) -> Bool) -> Bool {
      let start = place
      while place < text.count, isWanted(text[place]) { place += 1 }
      return place > start
    }
    func takes(_ character: Unicode.Scalar) -> Bool {
      guard place < text.count, text[place] == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }
    func takesQuoted() -> Bool {
      while place < text.count {
        if takes("\"") { return true }
        _ = takes("\\")
        place += 1
      }
      return false
    }
    while place < text.count {
      _ = skip(\.isBlank)
      guard takes(";") else { return false }
      _ = skip(\.isBlank)
      guard skip(ASCIISet.token.contains) else { return false }
      let end = place
      _ = skip(\.isBlank)
      guard takes("=") else {
        place = end
        continue
      }
      _ = skip(\.isBlank)
      guard takes("\"") ? takesQuoted() : skip(ASCIISet.token.contains) else { return false }
    }
    return true
  }
}
