/// A request target in origin-form (RFC 9112, section 3.2.1), or the `*` of `OPTIONS *`.
///
/// It is kept as bytes, in memory that the next request on the connection uses
/// again: the router needs no more, and few handlers do.
struct RequestTarget: ~Copyable {
  /// The target as it was sent.
  private var bytes = Scratch<UInt8>(capacity: 64)
  /// The path, percent-decoded once; empty where nothing was encoded in it.
  private var decoded = Scratch<UInt8>(capacity: 64)
  /// How many bytes of it are the path.
  private var rawCount = 0
  private(set) var query = Form()
  /// How many segments the path has: one for each slash, the last one empty after a trailing slash.
  private(set) var segmentCount = 0

  /// Bytes of the target as it was sent.
  var count: Int { bytes.count }

  /// Takes a target as it was sent, in the place of the one before.
  mutating func receive(_ sent: UnsafeRawBufferPointer) {
    bytes.removeAll()
    bytes.append(contentsOf: sent.assumingMemoryBound(to: UInt8.self))
  }

  /// Reads what was received.
  ///
  /// - Throws: a `HTTPError.badRequest`.
  mutating func parse(_ method: Method) throws(HTTPError) {
    decoded.removeAll()
    (rawCount, segmentCount) = (count, 0)
    if !query.isEmpty { query = Form() }
    guard let shape = try Shape(of: UnsafeRawBufferPointer(bytes.elements), method) else { return }
    (rawCount, segmentCount) = (shape.pathEnd, shape.slashes)
    if shape.isEncoded { try decode() }
    if shape.isEncoded || shape.mayHaveDots { try refuseDotSegments() }
    if shape.pathEnd + 1 < count {
      do {
        query = try Form(parsing: bytes.elements[(shape.pathEnd + 1)...])
      } catch {
        throw .badRequest(.query(error))
      }
    }
  }

  /// The path, percent-decoded once. No segment is `.` or `..`, and no slash,
  /// backslash or control character was encoded in it, so that it splits at
  /// its slashes in one way alone.
  var path: String { String(decoding: pathBytes, as: UTF8.self) }

  /// The same as bytes of UTF-8, until the next target.
  var pathBytes: UnsafeBufferPointer<UInt8> { decoded.count > 0 ? decoded.elements : rawBytes }

  /// The path as it was sent.
  var raw: String { String(decoding: rawBytes, as: UTF8.self) }

  private var rawBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes.elements[..<rawCount]) }

  /// What one look at every byte tells.
  private struct Shape {
    var pathEnd: Int
    var slashes = 0
    var isEncoded = false
    var mayHaveDots = false

    /// Nil for `*`.
    init?(of bytes: UnsafeRawBufferPointer, _ method: Method) throws(HTTPError) {
      if method == .options, bytes.equals("*") { return nil }
      guard bytes.first == UInt8(ascii: "/") else { throw .badRequest(.targetForm) }
      pathEnd = bytes.count
      let plain = Self.plain
      for index in 0..<bytes.count where !plain.contains(bytes[index]) {
        switch bytes[index] {
        // A fragment never leaves a client, and other parsers take a backslash for a slash.
        case ...0x20, 0x7F..., UInt8(ascii: "#"): throw .badRequest(.targetCharacter)
        case _ where pathEnd < index: break
        case UInt8(ascii: "/"): slashes += 1
        case UInt8(ascii: "?"): pathEnd = index
        case UInt8(ascii: "%"): isEncoded = true
        case UInt8(ascii: "."): mayHaveDots = true
        case UInt8(ascii: "\\"): throw .badRequest(.targetCharacter)
        default: break
        }
      }
    }

    /// What stands for itself wherever it is; the rest is looked at one by one.
    private static let plain = ASCIISet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~")
  }

  private mutating func decode() throws(HTTPError) {
    let sent = rawBytes
    var index = 0
    while index < sent.count {
      var byte = sent[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < sent.count,
          let high = sent[index + 1].hexadecimalValue,
          let low = sent[index + 2].hexadecimalValue
        else { throw .badRequest(.percentEncoding) }
        byte = high << 4 | low
        index += 2
        // A slash that was encoded is refused, so decoding adds no segment.
        guard byte >= 0x20, byte != 0x7F, byte != UInt8(ascii: "/"), byte != UInt8(ascii: "\\") else {
          throw .badRequest(.encodedPathCharacter)
        }
      }
      decoded.append(byte)
      index += 1
    }
    guard String(validating: decoded.elements, as: UTF8.self) != nil else { throw .badRequest(.pathIsNotUTF8) }
  }

  private func refuseDotSegments() throws(HTTPError) {
    let isThere = pathBytes.split(separator: UInt8(ascii: "/")).contains {
      $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
    }
    if isThere { throw .badRequest(.dotSegment) }
  }
}
