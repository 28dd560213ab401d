/// Reads the head of a request as it was sent, line by line, and refuses whatever
/// another parser could read differently (RFC 9112, sections 2.2, 3, 5 and 6).
/// Pure: bytes in, a length or an error out.
///
/// It rewrites lawful things that libmicrohttpd would read in another way: a `Content-Length` or a `Transfer-Encoding`
/// with white space after it, which 0.9.75 calls wrong or does not know, and `Cookie`, for whose parts it runs out of
/// memory. It counts the empty lines before a request, to be left out: libmicrohttpd 1.0 takes only 1,024.
///
/// libmicrohttpd 1.0 checks more than 0.9.75, but 1.0.1 still takes the first of several `Content-Length` or `Host`
/// headers, and what any version refuses gets a page of its own. So every check here is needed with every version.
struct HeadReader {
  struct Limits: Sendable {
    var targetBytes = 8 * 1024
    /// All names and values together.
    var headerBytes = 32 * 1024
    var headers = 64
    /// Of a body, unless its route takes more.
    var bodyBytes = 64 * 1024
    /// Of a body in chunks, whatever its route takes.
    var chunkedBytes = 512 * 1024

    /// A whole head, with a method and what is between names and values.
    var bytes: Int { targetBytes + headerBytes + 4 * headers + 64 }
  }

  private enum Line { case request, header }

  /// The treatment of a header's line before libmicrohttpd sees it.
  private enum Header {
    case plain
    case cookie(value: Range<Int>)
    case framing(value: Range<Int>)
  }

  private let limits: Limits
  private var expected = Line.request
  private var isHTTP11 = false
  /// True if the method is HEAD.
  private(set) var isHead = false
  private var contentLength = 0
  private var hosts = 0
  private var contentLengths = 0
  private var transferEncodings = 0
  /// True if the body comes in chunks, and in nothing else.
  private var isChunked = false
  private var headers = 0
  private var headerBytes = 0
  private var lineStart = 0
  /// The number of bytes of empty lines before the request line.
  private var emptyBytes = 0
  /// The number of bytes that have been searched for the ends of lines.
  private var searched = 0

  init(limits: Limits) { self.limits = limits }

  /// Reads on.
  ///
  /// - Parameter bytes: all that has come from the beginning of the head, including what was given before.
  /// - Returns: how many bytes the head has, how many of these at its beginning are empty lines, and how many of body it
  ///   announces, which is `nil` if that comes in chunks; `nil` while the head is not complete.
  mutating func read(
    _ bytes: inout MutableSpan<UInt8>
  ) throws(HTTPError) -> (count: Int, emptyBytes: Int, contentLength: Int?)? {
    do throws(HTTPError) { return try readLines(of: &bytes) } catch {
      guard case .headersTooLarge(let limit, _) = error else { throw error }
      throw .headersTooLarge(limit: limit, acceptsHTML: Self.acceptsHTML(bytes.span))
    }
  }

  /// True if a line of a head that is not read any more begins `Accept: text/html`, as browsers write it.
  private static func acceptsHTML(_ bytes: Span<UInt8>) -> Bool {
    var start = 0
    while let end = bytes.firstIndex(of: 0x0A, from: start) {
      let line = bytes.extracting(start..<end)
      if line.count >= 17, line.extracting(..<17).equalsIgnoringASCIICase("Accept: text/html") { return true }
      start = end + 1
    }
    return false
  }

  private mutating func readLines(
    of bytes: inout MutableSpan<UInt8>
  ) throws(HTTPError) -> (count: Int, emptyBytes: Int, contentLength: Int?)? {
    while let end = bytes.span.firstIndex(of: 0x0A, from: searched) {
      guard end < limits.bytes else { break }
      guard end > lineStart, bytes[end - 1] == 0x0D else { throw .badRequest(.lines) }
      let line = lineStart..<end - 1
      (lineStart, searched) = (end + 1, end + 1)
      if try take(line, of: &bytes) { return (end + 1, emptyBytes, isChunked ? nil : contentLength) }
    }
    searched = bytes.count
    guard bytes.count <= limits.bytes else { throw tooLong(bytes.span) }
    return nil
  }

  /// Takes the next line without its end; true if it ends the head.
  private mutating func take(_ line: Range<Int>, of bytes: inout MutableSpan<UInt8>) throws(HTTPError) -> Bool {
    switch expected {
    // Empty lines before a request are skipped (RFC 9112, section 2.2).
    case .request where line.isEmpty: emptyBytes = line.upperBound + 2
    case .request:
      try takeRequestLine(bytes.span.extracting(line))
      expected = .header
    case .header where line.isEmpty:
      if transferEncodings > 0 {
        // RFC 9112, section 6.1.
        guard isHTTP11, contentLengths == 0 else { throw .badRequest(.transferEncoding) }
        guard transferEncodings == 1, isChunked else { throw .codingNotImplemented }
      }
      guard hosts == 1 || !isHTTP11 else { throw .badRequest(.noHost) }
      // Beyond any limit, and beyond what libmicrohttpd counts.
      guard contentLength < 1 << 53 else { throw .contentTooLarge(limit: limits.bodyBytes) }
      return true
    case .header:
      switch try takeHeader(bytes.span.extracting(line)) {
      case .plain: break
      case .cookie(let value): for index in value { bytes[line.lowerBound + index] = 0x20 }
      case .framing(let value):
        var line = bytes._mutatingExtracting(line)
        Self.align(value, in: &line)
      }
    }
    return false
  }

  /// `method SP request-target SP HTTP-version` (RFC 9112, section 3).
  private mutating func takeRequestLine(_ line: Span<UInt8>) throws(HTTPError) {
    guard let methodEnd = line.firstIndex(of: 0x20) else { throw .badRequest(.requestLine) }
    let method = line.extracting(..<methodEnd)
    guard ASCIISet.isToken(method) else { throw .badRequest(.methodIsNoToken) }
    guard method.count <= limits.targetBytes else { throw .badRequest(.methodTooLong(limit: limits.targetBytes)) }
    guard let targetEnd = line.firstIndex(of: 0x20, from: methodEnd + 1) else { throw .badRequest(.requestLine) }
    let target = line.extracting(methodEnd + 1..<targetEnd)
    guard !target.isEmpty else { throw .badRequest(.requestLine) }
    guard target.count <= limits.targetBytes else { throw .targetTooLong(limit: limits.targetBytes) }
    guard target.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .badRequest(.targetCharacter) }
    let version = line.extracting((targetEnd + 1)...)
    isHTTP11 = version.equals("HTTP/1.1")
    guard isHTTP11 || version.equals("HTTP/1.0") else {
      throw Self.isVersion(version) ? .versionNotSupported : .badRequest(.requestLine)
    }
    isHead = method.equals("HEAD")
  }

  /// `"HTTP/" DIGIT "." DIGIT` (RFC 9112, section 2.3).
  private static func isVersion(_ text: Span<UInt8>) -> Bool {
    text.count == 8 && text.extracting(..<5).equals("HTTP/") && text[5] &- 0x30 < 10 && text[6] == 0x2E
      && text[7] &- 0x30 < 10
  }

  /// Checks `field-name ":" OWS field-value OWS` (RFC 9112, section 5), and finds the colon and the value.
  static func field(in line: Span<UInt8>) throws(HTTPError) -> (colon: Int, value: Range<Int>) {
    guard !line[0].isBlank, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .badRequest(.lines) }
    let name = line.extracting(..<colon)
    guard ASCIISet.isToken(name) else { throw .badRequest(.headerNameIsNoToken) }
    let trimmed = line.extracting((colon + 1)...).trimmed
    let place = trimmed.lowerBound + colon + 1..<trimmed.upperBound + colon + 1
    guard ASCIISet.isValue(line.extracting(place)) else { throw .badRequest(.headerValueCharacter(name: name.text)) }
    return (colon, place)
  }

  private mutating func takeHeader(_ line: Span<UInt8>) throws(HTTPError) -> Header {
    let (colon, place) = try Self.field(in: line)
    let name = line.extracting(..<colon), value = line.extracting(place)
    headers += 1
    guard headers <= limits.headers else { throw .tooManyHeaders(limit: limits.headers) }
    headerBytes += name.count + value.count
    guard headerBytes <= limits.headerBytes else { throw .headersTooLarge(limit: limits.headerBytes) }
    return try recordFraming(name, value, at: place)
  }

  /// Moves a value to the end of its line.
  private static func align(_ value: Range<Int>, in line: inout MutableSpan<UInt8>) {
    guard value.upperBound < line.count else { return }
    for offset in 1...value.count { line[line.count - offset] = line[value.upperBound - offset] }
    for index in value.lowerBound..<line.count - value.count { line[index] = 0x20 }
  }

  /// The error of a head that goes on beyond its limit.
  private func tooLong(_ bytes: Span<UInt8>) -> HTTPError {
    guard expected == .request else { return .headersTooLarge(limit: limits.headerBytes) }
    let isInTarget = bytes.firstIndex(of: 0x20, from: lineStart).map { $0 <= lineStart + limits.targetBytes } ?? false
    return isInTarget
      ? .targetTooLong(limit: limits.targetBytes) : .badRequest(.methodTooLong(limit: limits.targetBytes))
  }

  /// Checks and records the headers that say where a request ends and which host it is for. Most other headers are told
  /// apart by the length of the name.
  private mutating func recordFraming(
    _ name: Span<UInt8>, _ value: Span<UInt8>, at place: Range<Int>
  ) throws(HTTPError) -> Header {
    switch name.count {
    case 4 where name.equalsIgnoringASCIICase("Host"):
      hosts += 1
      guard hosts == 1 else { throw .badRequest(.severalHosts) }
      guard !value.isEmpty else { throw .badRequest(.noHost) }
      guard Self.isHost(value) else { throw .badRequest(.hostCharacter) }
    case 6 where name.equalsIgnoringASCIICase("Cookie"): return .cookie(value: place)
    case 14 where name.equalsIgnoringASCIICase("Content-Length"):
      contentLengths += 1
      guard contentLengths == 1 else { throw .badRequest(.severalContentLengths) }
      contentLength = try Self.length(value)
      return .framing(value: place)
    case 17 where name.equalsIgnoringASCIICase("Transfer-Encoding"):
      transferEncodings += 1
      isChunked = value.equalsIgnoringASCIICase("chunked")
      return value.isEmpty ? .plain : .framing(value: place)
    default: break
    }
    return .plain
  }

  /// 1*DIGIT (RFC 9112, section 6.2). A length beyond `Int` counts as half of
  /// the largest one, which is beyond any limit as well.
  static func length(_ value: Span<UInt8>) throws(HTTPError) -> Int {
    guard !value.isEmpty else { throw .badRequest(.contentLength) }
    var length = 0
    for index in value.indices {
      let byte = value[index]
      guard byte &- 0x30 < 10 else { throw .badRequest(.contentLength) }
      let (product, overflow) = length.multipliedReportingOverflow(by: 10)
      // Ten times the half overflows again, so it stays there.
      length = overflow || product > .max - 9 ? .max / 2 : product + Int(byte - 0x30)
    }
    return length
  }

  /// True for `uri-host [ ":" port ]` (RFC 9112, section 3.2): no user information, list, path or white space.
  static func isHost(_ value: Span<UInt8>) -> Bool {
    let isInBrackets = value[0] == UInt8(ascii: "[")
    let end = value.firstIndex(of: UInt8(ascii: isInBrackets ? "]" : ":")).map { isInBrackets ? $0 + 1 : $0 }
    guard let end = end ?? (isInBrackets ? nil : value.count), end > (isInBrackets ? 2 : 0) else { return false }
    let name = isInBrackets ? value.extracting(1..<end - 1) : value.extracting(..<end)
    guard name.allSatisfy(isInBrackets ? addressCharacters.contains : nameCharacters.contains) else { return false }
    guard end < value.count else { return true }
    let port = value.extracting((end + 1)...)
    guard value[end] == UInt8(ascii: ":"), port.allSatisfy({ $0 &- 0x30 < 10 }) else { return false }
    return port.isEmpty || port.count < 20 && Int(port.text).map { $0 <= 65_535 } ?? false
  }

  private static let nameCharacters = ASCIISet("-._~%" + ASCIISet.digitsAndLetters)
  private static let addressCharacters = ASCIISet("-._~%:" + ASCIISet.digitsAndLetters)
}
