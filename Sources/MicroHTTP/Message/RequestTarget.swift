/// A request target in origin-form (RFC 9112, section 3.2.1), or the `*` of `OPTIONS *`.
///
/// It is kept as bytes, in memory that the next request on the connection uses again: the router needs no more, and
/// few handlers do.
struct RequestTarget: ~Copyable {
  /// The target as it was sent.
  private var bytes: [UInt8] = []
  /// The path, percent-decoded once and without the base path; empty if that made no difference.
  private var decoded: [UInt8] = []
  /// The number of bytes of `bytes` that are the path.
  private var rawCount = 0
  private(set) var query = Form()

  /// Takes a target as it was sent, in the place of the one before.
  mutating func receive(_ sent: Span<UInt8>) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(sent)
  }

  /// Reads what was received.
  ///
  /// - Throws: `HTTPError.badRequest`.
  mutating func parse(_ method: Method) throws(HTTPError) {
    decoded = []
    rawCount = bytes.count
    query = Form()
    if method == .options, bytes == [UInt8(ascii: "*")] { return }
    guard bytes.first == UInt8(ascii: "/") else { throw .badRequest(.targetForm) }
    // A fragment never leaves a client, and other parsers take a backslash for a slash.
    if bytes.span.firstIndex(of: UInt8(ascii: "#")) != nil { throw .badRequest(.targetCharacter) }
    rawCount = bytes.span.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    if pathHas("\\") { throw .badRequest(.targetCharacter) }
    if pathHas("%") { try decode() }
    if pathHas(".") { try rejectDotSegments() }
    guard rawCount + 1 < bytes.count else { return }
    do { query = try Form(parsing: bytes[(rawCount + 1)...]) } catch { throw .badRequest(.query(error)) }
  }

  /// Leaves out what the path begins with, if it does.
  mutating func leaveOut(_ base: String) {
    guard !base.isEmpty, pathBytes.starts(with: base.utf8) else { return }
    let rest = Array(pathBytes.dropFirst(base.utf8.count))
    if rest.isEmpty || rest.first == UInt8(ascii: "/") { decoded = rest.isEmpty ? [UInt8(ascii: "/")] : rest }
  }

  /// The path, percent-decoded once. No segment is `.` or `..`, and no slash, backslash or control character was encoded
  /// in it, so that there is only one way to split it at its slashes.
  var path: String { String(decoding: pathBytes, as: UTF8.self) }

  /// The path as UTF-8.
  var pathBytes: ArraySlice<UInt8> { decoded.isEmpty ? bytes[..<rawCount] : decoded[...] }

  private func pathHas(_ character: Unicode.Scalar) -> Bool {
    pathBytes.span.firstIndex(of: UInt8(ascii: character)) != nil
  }

  private mutating func decode() throws(HTTPError) {
    let raw = bytes[..<rawCount]
    do { decoded = try raw.percentDecoded() } catch { throw .badRequest(.percentEncoding) }
    func slashes(_ path: some Sequence<UInt8>) -> Int { path.count { $0 == UInt8(ascii: "/") } }
    guard decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }),
      slashes(decoded) == slashes(raw)
    else { throw .badRequest(.encodedPathCharacter) }
    guard String(validating: decoded, as: UTF8.self) != nil else { throw .badRequest(.pathIsNotUTF8) }
  }

  private func rejectDotSegments() throws(HTTPError) {
    let hasOne = pathBytes.split(separator: UInt8(ascii: "/")).contains {
      $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
    }
    if hasOne { throw .badRequest(.dotSegment) }
  }
}
