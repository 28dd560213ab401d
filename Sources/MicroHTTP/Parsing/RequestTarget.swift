/// A request target in origin-form (RFC 9112, section 3.2.1), or the `*` of `OPTIONS *`.
///
/// It is kept as bytes, in memory that the next request on the connection uses again: the router needs no more, and
/// few handlers do.
struct RequestTarget: ~Copyable {
  /// The target as it was sent.
  private var bytes: [UInt8] = []
  /// The path, percent-decoded once; empty if nothing was encoded in it.
  private var decoded: [UInt8] = []
  /// How many bytes of `bytes` are the path.
  private var rawCount = 0
  private(set) var query = Form()

  /// Takes a target as it was sent, in the place of the one before.
  mutating func receive(_ sent: Span<UInt8>) {
    bytes.removeAll(keepingCapacity: true)
    sent.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// Reads what was received.
  ///
  /// - Throws: `HTTPError.badRequest`.
  mutating func parse(_ method: Method) throws(HTTPError) {
    if !decoded.isEmpty { decoded.removeAll(keepingCapacity: true) }
    rawCount = bytes.count
    if !query.isEmpty { query = Form() }
    guard let shape = try Shape(of: bytes.span, method) else { return }
    rawCount = shape.pathEnd
    if shape.isEncoded { try decode() }
    if shape.isEncoded || shape.mayHaveDots { try rejectDotSegments() }
    if shape.pathEnd + 1 < bytes.count {
      do {
        query = try Form(parsing: bytes[(shape.pathEnd + 1)...])
      } catch {
        throw .badRequest(.query(error))
      }
    }
  }

  /// The path, percent-decoded once. No segment is `.` or `..`, and no slash, backslash or control character was encoded
  /// in it, so that there is only one way to split it at its slashes.
  var path: String { String(decoding: pathBytes, as: UTF8.self) }

  private var pathBytes: ArraySlice<UInt8> { decoded.isEmpty ? bytes[..<rawCount] : decoded[...] }

  /// Lends the path as UTF-8.
  func withPath<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    decoded.isEmpty ? body(bytes.span.extracting(..<rawCount)) : body(decoded.span)
  }

  /// The path as it was sent.
  var raw: String { String(decoding: bytes[..<rawCount], as: UTF8.self) }

  /// What one look at every byte tells.
  private struct Shape {
    var pathEnd: Int
    var isEncoded = false
    var mayHaveDots = false

    /// `nil` for `*`.
    init?(of bytes: Span<UInt8>, _ method: Method) throws(HTTPError) {
      if method == .options, bytes.equals("*") { return nil }
      guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "/") else { throw .badRequest(.targetForm) }
      pathEnd = bytes.count
      for index in bytes.indices {
        switch bytes[index] {
        // A fragment never leaves a client, and other parsers take a backslash for a slash.
        case ...0x20, 0x7F..., UInt8(ascii: "#"): throw .badRequest(.targetCharacter)
        case _ where pathEnd < index: break
        case UInt8(ascii: "?"): pathEnd = index
        case UInt8(ascii: "%"): isEncoded = true
        case UInt8(ascii: "."): mayHaveDots = true
        case UInt8(ascii: "\\"): throw .badRequest(.targetCharacter)
        default: break
        }
      }
    }
  }

  private mutating func decode() throws(HTTPError) {
    var index = 0
    while index < rawCount {
      var byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < rawCount, let high = bytes[index + 1].hexadecimalValue,
          let low = bytes[index + 2].hexadecimalValue
        else { throw .badRequest(.percentEncoding) }
        byte = high << 4 | low
        index += 2
        guard byte >= 0x20, byte != 0x7F, byte != UInt8(ascii: "/"), byte != UInt8(ascii: "\\") else {
          throw .badRequest(.encodedPathCharacter)
        }
      }
      decoded.append(byte)
      index += 1
    }
    guard String(validating: decoded, as: UTF8.self) != nil else { throw .badRequest(.pathIsNotUTF8) }
  }

  private func rejectDotSegments() throws(HTTPError) {
    let hasOne = pathBytes.split(separator: UInt8(ascii: "/")).contains {
      $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
    }
    if hasOne { throw .badRequest(.dotSegment) }
  }
}
