/// A request target in origin-form (RFC 9112, section 3.2.1), or the `*` of `OPTIONS *`.
struct RequestTarget: Sendable {
  /// The path, percent-decoded once. No segment is `.` or `..`, and no slash,
  /// backslash or control character was encoded in it, so that it splits at
  /// its slashes in one way alone.
  let path: String
  /// The path as it was sent.
  let raw: String
  let query: Form
  /// How many segments the path has: one for each slash, the last one empty after a trailing slash.
  let segmentCount: Int

  /// - Parameter bytes: the target as it was sent.
  /// - Throws: a `Refusal.badRequest`.
  init(parsing bytes: UnsafeRawBufferPointer, method: Method) throws(Refusal) {
    if method == .options, bytes.equals("*") {
      (path, raw, query, segmentCount) = ("*", "*", Form(), 0)
      return
    }
    guard bytes.first == UInt8(ascii: "/") else { throw .badRequest(.targetForm) }
    var pathEnd = bytes.count
    var slashes = 0
    var isEncoded = false
    var mayHaveDots = false
    for (index, byte) in bytes.enumerated() {
      // A fragment never leaves a client, and other parsers take a backslash for a slash.
      guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else {
        throw .badRequest(.targetCharacter)
      }
      guard pathEnd == bytes.count else { continue }
      switch byte {
      case UInt8(ascii: "/"): slashes += 1
      case UInt8(ascii: "?"): pathEnd = index
      case UInt8(ascii: "%"): isEncoded = true
      case UInt8(ascii: "."): mayHaveDots = true
      case UInt8(ascii: "\\"): throw .badRequest(.targetCharacter)
      default: break
      }
    }
    let sent = UnsafeRawBufferPointer(rebasing: bytes[..<pathEnd])
    // A slash that was encoded is refused, so decoding adds none.
    segmentCount = slashes
    raw = String(decoding: sent, as: UTF8.self)
    path = isEncoded ? try Self.decode(sent) : raw
    if isEncoded || mayHaveDots {
      let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
      guard !segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
      else { throw .badRequest(.dotSegment) }
    }
    query = try Self.query(bytes.dropFirst(pathEnd + 1))
  }

  private static func query(_ bytes: some Collection<UInt8>) throws(Refusal) -> Form {
    guard !bytes.isEmpty else { return Form() }
    do {
      return try Form(parsing: bytes)
    } catch {
      throw .badRequest(.query(error))
    }
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer) throws(Refusal) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      var byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.count,
          let high = bytes[index + 1].hexadecimalValue,
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
    guard let path = String(validating: decoded, as: UTF8.self) else {
      throw .badRequest(.pathIsNotUTF8)
    }
    return path
  }
}
