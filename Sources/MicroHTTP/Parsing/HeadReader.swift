internal import CMicroHTTPD
internal import Glibc

/// Reads the head of a request as it was sent, line by line, and refuses whatever
/// another parser could read differently (RFC 9112, sections 2.2, 3, 5 and 6).
/// Pure: bytes in, a length or a refusal out.
///
/// Two lawful things it writes in another way, since libmicrohttpd 0.9.75 answers
/// them by itself: a `Content-Length` with white space after it, which it calls
/// wrong, and `Cookie`, for whose parts it runs out of memory.
struct HeadReader {
  struct Limits: Sendable {
    var targetBytes: Int
    /// Of all names and values.
    var headerBytes: Int
    var headers: Int
    var bodyBytes: Int

    /// Of a whole head: what is between names and values, and a method, included.
    var bytes: Int { targetBytes + headerBytes + 4 * headers + 64 }
  }

  private enum Line { case request, header }

  private let limits: Limits
  private var expected = Line.request
  private var isHTTP11 = false
  /// True where the method is HEAD.
  private(set) var isHead = false
  private var contentLength = 0
  private var hosts = 0
  private var contentLengths = 0
  private var hasTransferEncoding = false
  private var headers = 0
  private var headerBytes = 0
  private var lineStart = 0
  /// How many bytes have been searched for the ends of lines.
  private var searched = 0

  init(limits: Limits) { self.limits = limits }

  /// Reads on.
  ///
  /// - Parameter bytes: all that has come from the beginning of the head, what was given before included.
  /// - Returns: how many bytes the head has, and how many of body it announces; nil while it is not complete.
  mutating func read(_ memory: UnsafeMutableRawBufferPointer) throws(HTTPError) -> (count: Int, contentLength: Int)? {
    let bytes = UnsafeRawBufferPointer(memory)
    guard let base = bytes.baseAddress else { return nil }
    while let found = memchr(base + searched, 0x0A, bytes.count - searched) {
      let end = UnsafeRawPointer(found) - base
      guard end < limits.bytes else { break }
      guard end > lineStart, bytes[end - 1] == 0x0D else { throw .badRequest(.lines) }
      let line = UnsafeMutableRawBufferPointer(rebasing: memory[lineStart..<end - 1])
      (lineStart, searched) = (end + 1, end + 1)
      if try take(line) { return (end + 1, contentLength) }
    }
    searched = bytes.count
    guard bytes.count <= limits.bytes else { throw tooLong(bytes) }
    return nil
  }

  /// Takes the next line without its end; true where it ends the head.
  private mutating func take(_ line: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Bool {
    switch expected {
    // Empty lines before a request are skipped (RFC 9112, section 2.2).
    case .request where line.isEmpty: break
    case .request:
      try takeRequestLine(UnsafeRawBufferPointer(line))
      expected = .header
    case .header where line.isEmpty:
      guard !hasTransferEncoding else { throw .lengthRequired }
      guard hosts == 1 || !isHTTP11 else { throw .badRequest(.noHost) }
      // Beyond any limit, and beyond what libmicrohttpd counts.
      guard contentLength < 1 << 53 else { throw .contentTooLarge(limit: limits.bodyBytes) }
      return true
    case .header: try takeHeader(line)
    }
    return false
  }

  /// `method SP request-target SP HTTP-version` (RFC 9112, section 3).
  private mutating func takeRequestLine(_ line: UnsafeRawBufferPointer) throws(HTTPError) {
    guard let methodEnd = line.firstIndex(of: 0x20) else { throw .badRequest(.requestLine) }
    let method = UnsafeRawBufferPointer(rebasing: line[..<methodEnd])
    guard Token.isToken(method) else { throw .badRequest(.methodIsNoToken) }
    guard method.count <= limits.targetBytes else { throw .badRequest(.methodTooLong(limit: limits.targetBytes)) }
    guard let targetEnd = line[(methodEnd + 1)...].firstIndex(of: 0x20) else { throw .badRequest(.requestLine) }
    let target = line[(methodEnd + 1)..<targetEnd]
    guard !target.isEmpty else { throw .badRequest(.requestLine) }
    guard target.count <= limits.targetBytes else { throw .targetTooLong(limit: limits.targetBytes) }
    guard target.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .badRequest(.targetCharacter) }
    let version = UnsafeRawBufferPointer(rebasing: line[(targetEnd + 1)...])
    isHTTP11 = version.equals("HTTP/1.1")
    guard isHTTP11 || version.equals("HTTP/1.0") else {
      throw Self.isVersion(version) ? .versionNotSupported : .badRequest(.requestLine)
    }
    isHead = method.equals("HEAD")
  }

  /// `"HTTP/" DIGIT "." DIGIT` (RFC 9112, section 2.3).
  private static func isVersion(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count == 8 && text.starts(with: "HTTP/".utf8) && text[5] &- 0x30 < 10 && text[6] == 0x2E
      && text[7] &- 0x30 < 10
  }

  /// `field-name ":" OWS field-value OWS` (RFC 9112, section 5).
  private mutating func takeHeader(_ memory: UnsafeMutableRawBufferPointer) throws(HTTPError) {
    let line = UnsafeRawBufferPointer(memory)
    guard line[0] != 0x20, line[0] != 0x09, let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      throw .badRequest(.lines)
    }
    let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
    guard Token.isToken(name) else { throw .badRequest(.headerNameIsNoToken) }
    let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
    guard Token.isValue(value) else {
      throw .badRequest(.headerValueCharacter(name: String(decoding: name, as: UTF8.self)))
    }
    headers += 1
    guard headers <= limits.headers else { throw .tooManyHeaders(limit: limits.headers) }
    headerBytes += name.count + value.count
    guard headerBytes <= limits.headerBytes else { throw .headersTooLarge(limit: limits.headerBytes) }
    try recordFraming(name, value)
    if contentLengths == 1, Self.isContentLength(name) { Self.align(value, in: memory) }
    if name.equalsIgnoringASCIICase("Cookie") { memory[0] = Self.hidden }
  }

  /// Puts a value at the end of its line.
  private static func align(_ value: UnsafeRawBufferPointer, in line: UnsafeMutableRawBufferPointer) {
    guard let start = value.baseAddress, let lineStart = line.baseAddress else { return }
    let gap = line.count - (start - UnsafeRawPointer(lineStart)) - value.count
    guard gap > 0 else { return }
    memmove(lineStart + (line.count - value.count), start, value.count)
    memset(lineStart + (line.count - value.count - gap), 0x20, gap)
  }

  /// What the name of a header begins with that is not to be seen.
  static let hidden: UInt8 = 1

  /// Without white space at both ends.
  static func trimmed(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var (start, end) = (0, value.count)
    while start < end, isSpace(value[start]) { start += 1 }
    while start < end, isSpace(value[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: value[start..<end])
  }

  /// Why a head is refused that goes on beyond its limit.
  private func tooLong(_ bytes: UnsafeRawBufferPointer) -> HTTPError {
    guard expected == .request else { return .headersTooLarge(limit: limits.headerBytes) }
    let isInTarget = bytes[lineStart...].prefix(limits.targetBytes + 1).contains(0x20)
    return isInTarget
      ? .targetTooLong(limit: limits.targetBytes) : .badRequest(.methodTooLong(limit: limits.targetBytes))
  }

  /// Notes the headers that say where a request ends and whom it is for. The
  /// length of a name tells most others apart.
  private mutating func recordFraming(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer)
    throws(HTTPError)
  {
    switch name.count {
    case 4 where name.equalsIgnoringASCIICase("Host"):
      hosts += 1
      guard hosts == 1 else { throw .badRequest(.severalHosts) }
      guard !value.isEmpty else { throw .badRequest(.noHost) }
      guard Self.hostCharacters.containsAll(value) else { throw .badRequest(.hostCharacter) }
    case 14 where Self.isContentLength(name):
      contentLengths += 1
      guard contentLengths == 1 else { throw .badRequest(.severalContentLengths) }
      contentLength = try Self.length(value)
    case 17 where name.equalsIgnoringASCIICase("Transfer-Encoding"):
      hasTransferEncoding = true
    default: break
    }
  }

  private static func isContentLength(_ name: UnsafeRawBufferPointer) -> Bool {
    name.equalsIgnoringASCIICase("Content-Length")
  }

  /// 1*DIGIT (RFC 9112, section 6.2). A length beyond `Int` counts as half of
  /// the largest one, which is beyond any limit as well.
  static func length(_ value: UnsafeRawBufferPointer) throws(HTTPError) -> Int {
    guard !value.isEmpty else { throw .badRequest(.contentLength) }
    var length = 0
    for byte in value {
      guard byte &- 0x30 < 10 else { throw .badRequest(.contentLength) }
      let (product, overflow) = length.multipliedReportingOverflow(by: 10)
      // Ten times the half overflows again, so it stays there.
      length = overflow || product > .max - 9 ? .max / 2 : product + Int(byte - 0x30)
    }
    return length
  }

  /// What may stand in `uri-host [ ":" port ]` (RFC 9112, section 3.2): no user
  /// information, list, path or white space.
  private static let hostCharacters = ASCIISet(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:[]%")
}

extension Request.Storage {
  /// Copies a head, which `HeadReader` has read, from where libmicrohttpd keeps it, but for cookies: nobody here reads
  /// any. The target has been received.
  ///
  /// - Returns: how many bytes of body it announces.
  /// - Throws: what is wrong with the target.
  func receive(_ connection: OpaquePointer, method text: UnsafePointer<CChar>) throws(HTTPError) -> Int {
    method = Method(checked: UnsafeRawBufferPointer(start: text, count: strlen(text)))
    try target.parse(method)
    fields.removeAll()
    MHD_get_connection_values_n(
      connection, .HEADER_KIND,
      { storage, _, name, nameCount, value, valueCount in
        guard let storage, let name else { return .NO }
        if UInt8(bitPattern: name.pointee) == HeadReader.hidden { return .YES }
        Unmanaged<Request.Storage>.fromOpaque(storage)._withUnsafeGuaranteedRef {
          $0.fields.append(
            name: UnsafeRawBufferPointer(start: name, count: nameCount),
            value: HeadReader.trimmed(UnsafeRawBufferPointer(start: value, count: valueCount)))
        }
        return .YES
      }, Unmanaged.passUnretained(self).toOpaque())
    guard fields.mayHave("content-length") else { return 0 }
    var length = 0
    fields.forEachValue("content-length") { length = (try? HeadReader.length($0)) ?? 0 }
    return length
  }
}
