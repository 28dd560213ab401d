package import Base

/// One request, complete and checked: nothing in it could be read differently by another parser.
package struct Request: Sendable {
  let storage: Storage

  init(_ storage: Storage) { self.storage = storage }

  package var method: Method { storage.method }
  /// The path, percent-decoded once. It begins with `/` (or is `*`, of `OPTIONS *`) and has no dot segments.
  package var path: String { storage.target.path }
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

  /// True if there are several headers with this name.
  package func repeatsHeader(_ name: String) -> Bool { storage.fields.repeats(name) }

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
  package init(
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
