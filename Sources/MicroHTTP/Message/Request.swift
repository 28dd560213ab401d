package import Platform

/// One request, complete and checked: nothing in it could be read differently by another parser.
package struct Request: Sendable {
  let storage: Storage

  init(_ storage: Storage) { self.storage = storage }

  package var method: Method { storage.method }
  /// Cheaper than `method ==`, which other modules call as a generic function.
  package var isPost: Bool { if case .post = storage.method { true } else { false } }
  /// True for `GET` and `HEAD`.
  package var isRead: Bool {
    switch storage.method {
    case .get, .head: true
    default: false
    }
  }
  /// The path, percent-decoded once. It begins with `/` (or is `*`, of `OPTIONS *`) and has no dot segments.
  package var path: String { storage.target.path }
  /// True if the path begins with this text. Unlike with `path`, no string is made of it.
  package func hasPath(under start: String) -> Bool {
    let path = storage.target.pathBytes, count = start.utf8.count
    return path.count >= count && path.span.extracting(..<count).equals(start)
  }
  /// The query's pairs, decoded as a form's are; empty without a query.
  package var query: Form { storage.target.query }
  /// The body, at most as long as the server's limit; empty if there was none.
  package var body: [UInt8] { storage.body }
  /// The number of bytes of the body.
  package var bodyCount: Int { storage.body.count }
  /// The client's address: the peer's or, if that is a trusted proxy, the one that it names; `nil` without one.
  package var client: IPAddress? { storage.sender.address }
  /// The client's address as text, with its zone if it has one; empty without an address.
  package var clientAddress: String { storage.sender.addressText }
  /// The address of the trusted proxy that sent the request, or `nil` if none did.
  package var proxy: String? { storage.sender.proxy }
  /// True if the client's connection is encrypted, to here or to a trusted proxy.
  package var isSecure: Bool { storage.sender.isSecure }
  /// The host and port that the client asked for: the `Host` header, or what a trusted proxy says; empty without either.
  package var authority: String { HeaderFields.text(authorityBytes) }
  /// The same as it was sent.
  package var authorityBytes: ArraySlice<UInt8> {
    storage.sender.host.map { Array($0.utf8)[...] } ?? storage.fields.first("host") ?? []
  }
  /// The request's id in logs: the `X-Request-Id` of a trusted proxy, or else one that this server made.
  package var id: String { storage.id }

  /// The id of the request's connection, unique in this server.
  package var connection: UInt64 { storage.number >> 32 }

  /// The value of the first header with this name, whatever the case of its ASCII letters, or `nil` if there is none.
  package func header(_ name: String) -> String? { storage.fields.first(name).map(HeaderFields.text) }

  /// The same as it was sent.
  package func headerBytes(_ name: String) -> ArraySlice<UInt8>? { storage.fields.first(name) }

  /// The values of all headers with this name, and of those that some programs take for it: `_` counts as `-`.
  package func headers(like name: String) -> [(isExact: Bool, value: ArraySlice<UInt8>)] {
    storage.fields.all(like: name)
  }

  /// The value of the first header with this name as it was sent, and true if there are several.
  package func singleHeader(_ name: String) -> (value: ArraySlice<UInt8>, isRepeated: Bool)? {
    storage.fields.single(name)
  }

  /// The decoded segment in the place of `:name` in the route's pattern, or `nil` if it has no such name.
  package func segment(_ name: String) -> String? {
    guard let segment = storage.segment, segment.name == name else { return nil }
    return storage.target.pathBytes.span.extracting(segment.place).text
  }
}

extension Request {
  /// A request that came by another way than a connection.
  ///
  /// - Parameter target: the path and the query, as a client would send them.
  /// - Throws: the error that a server would respond with.
  init(
    _ method: Method, _ target: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], clientAddress: String = "127.0.0.1"
  ) throws(HTTPError) {
    let storage = Storage(sender: Sender(address: IPAddress(clientAddress), addressText: clientAddress))
    storage.method = method
    storage.target.receive(Array(target.utf8).span)
    try storage.target.parse(method)
    for (name, value) in headers { storage.fields.append(name: Array(name.utf8).span, value: Array(value.utf8).span) }
    storage.body = body
    self.init(storage)
  }

  /// The storage that copies of a request share. One serves a connection's requests in turn, so that most of them
  /// allocate nothing, unless a request is kept.
  final class Storage: @unchecked Sendable {
    // Sendable by proof: it is changed on its connection's thread only, and only while nobody else has it. So the runtime
    // need not watch for two accesses at once, which it would at every access of every request.
    @exclusivity(unchecked) var method = Method.get
    @exclusivity(unchecked) var target = RequestTarget()
    @exclusivity(unchecked) var fields = HeaderFields()
    @exclusivity(unchecked) var body: [UInt8] = []
    /// The peer, or who is behind it.
    @exclusivity(unchecked) var sender: Sender
    /// The parameter of the request's route and its place in the path, or `nil` if it has none. The router sets it for each
    /// request anew.
    @exclusivity(unchecked) var segment: (name: String, place: Range<Int>)?
    /// Unique in this process.
    @exclusivity(unchecked) var number: UInt64 = 0

    /// See `Request.id`.
    var id: String { sender.requestID ?? RequestID.text(of: number) }

    init(sender: Sender) { self.sender = sender }

    /// Makes room for the next request. A long body's memory is given back.
    func clear(for sender: Sender) {
      body.removeAll(keepingCapacity: body.capacity <= 4096)
      if self.sender !== sender { self.sender = sender }
      segment = nil
    }
  }
}

/// Makes the identifiers of requests, for logs and reports of problems.
private enum RequestID {
  /// The process's own start: requests of two processes have different ids.
  private static let seed = UInt64.random(in: .min ... .max)

  /// 16 hexadecimal digits for a number that is unique in this process.
  static func text(of number: UInt64) -> String {
    // SplitMix64: one to one, so that no two numbers meet, and nobody can read a count from it.
    var mixed = seed &+ number &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    let digits = String(mixed, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// A request method: a case-sensitive token (RFC 9110, section 9.1).
package enum Method: Hashable, Sendable, CustomStringConvertible {
  case get, head, post, patch, put, delete, options
  /// Any other.
  case other(String)

  /// The method of this name, which the caller has checked to be a token.
  init(checked token: String) {
    self =
      switch token {
      case "GET": .get
      case "POST": .post
      case "HEAD": .head
      case "PATCH": .patch
      case "PUT": .put
      case "DELETE": .delete
      case "OPTIONS": .options
      default: .other(token)
      }
  }

  package var token: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .patch: "PATCH"
    case .put: "PUT"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .other(let token): token
    }
  }

  package var description: String { token }
}

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
    let (path, fault) = raw.percentDecoded()
    guard fault == nil else { throw .badRequest(.percentEncoding) }
    decoded = path
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
