/// Reads the head of a request and refuses whatever another parser could read
/// differently (RFC 9112, sections 2.2, 3, 5 and 6). Pure: bytes in, a head or
/// a refusal out.
struct HeadReader {
  struct Limits: Sendable {
    var targetBytes: Int
    var headerBytes: Int
    var headers: Int
  }

  private let limits: Limits
  private let isHTTP11: Bool
  /// Kept by whoever reads the head, so that a header need not count it.
  private let head: Unmanaged<Request.Storage>
  private var contentLength = 0
  private var hosts = 0
  private var contentLengths = 0

  /// Begins with the request line's parts.
  ///
  /// - Parameter head: what to write the head to; it has received its target.
  init(
    method: UnsafeRawBufferPointer, version: UnsafeRawBufferPointer, in head: Request.Storage, limits: Limits
  ) throws(Refusal) {
    guard Token.isToken(method) else { throw .badRequest(.methodIsNoToken) }
    guard version.equals("HTTP/1.1") || version.equals("HTTP/1.0") else {
      throw .versionNotSupported
    }
    guard head.target.count <= limits.targetBytes else {
      throw .targetTooLong(limit: limits.targetBytes)
    }
    isHTTP11 = version[7] == UInt8(ascii: "1")
    head.method = Method(checked: method)
    try head.target.parse(head.method)
    head.fields.removeAll()
    self.limits = limits
    self.head = Unmanaged.passUnretained(head)
  }

  /// Takes the next header, its value without white space at the front.
  mutating func take(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) throws(Refusal) {
    guard Token.isToken(name) else { throw .badRequest(.headerNameIsNoToken) }
    let (count, byteCount) = head._withUnsafeGuaranteedRef { ($0.fields.count, $0.fields.byteCount) }
    guard count < limits.headers else { throw .tooManyHeaders(limit: limits.headers) }
    guard byteCount + name.count + value.count <= limits.headerBytes else {
      throw .headersTooLarge(limit: limits.headerBytes)
    }
    var end = value.count
    while end > 0, value[end - 1] == 0x20 || value[end - 1] == 0x09 { end -= 1 }
    let value = UnsafeRawBufferPointer(start: value.baseAddress, count: end)
    guard Token.isValue(value) else {
      throw .badRequest(.headerValueCharacter(name: String(decoding: name, as: UTF8.self)))
    }
    try heed(name, value)
    head._withUnsafeGuaranteedRef { $0.fields.append(name: name, value: value) }
  }

  /// Ends the head.
  ///
  /// - Returns: how many bytes of body it announces.
  func end() throws(Refusal) -> Int {
    guard hosts == 1 || !isHTTP11 else { throw .badRequest(.noHost) }
    return contentLength
  }

  /// Notes the headers that say where a request ends and whom it is for. The
  /// length of a name tells most others apart.
  private mutating func heed(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer)
    throws(Refusal)
  {
    switch name.count {
    case 4 where name.equalsIgnoringASCIICase("Host"):
      hosts += 1
      guard hosts == 1 else { throw .badRequest(.severalHosts) }
      guard !value.isEmpty else { throw .badRequest(.noHost) }
      guard Self.hostCharacters.containsAll(value) else { throw .badRequest(.hostCharacter) }
    case 14 where name.equalsIgnoringASCIICase("Content-Length"):
      contentLengths += 1
      guard contentLengths == 1 else { throw .badRequest(.severalContentLengths) }
      contentLength = try Self.length(value)
    case 17 where name.equalsIgnoringASCIICase("Transfer-Encoding"):
      throw .lengthRequired
    default: break
    }
  }

  /// 1*DIGIT (RFC 9112, section 6.2). A length beyond `Int` counts as half of
  /// the largest one, which is beyond any limit as well.
  private static func length(_ value: UnsafeRawBufferPointer) throws(Refusal) -> Int {
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
