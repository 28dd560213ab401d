/// One request, complete and checked: nothing in it could be read differently by another parser.
package struct Request: Sendable {
  let storage: Storage

  init(_ storage: Storage) { self.storage = storage }

  package var method: Method { storage.method }
  /// The path, percent-decoded once. It begins with `/` (or is `*`, of `OPTIONS *`) and has no dot segments.
  package var path: String { storage.target.path }
  /// The path as it was sent, without the query.
  package var target: String { storage.target.raw }
  /// The query's pairs, decoded as a form's are; empty without a query.
  package var query: Form { storage.target.query }
  /// The body, at most as long as the server's limit; empty when there was none.
  package var body: [UInt8] { storage.body }
  /// What the route's pattern found in the path.
  package var parameters: Parameters { Parameters(request: self) }
  /// The client's address: the peer's or, where that is a trusted proxy, the one that it names; nil without one.
  package var client: IPAddress? { storage.sender.address }
  /// The client's address as text, with its zone if it has one; empty without an address.
  package var clientAddress: String { storage.sender.addressText }
  /// True where the client's connection is encrypted, to here or to a trusted proxy.
  package var isSecure: Bool { storage.sender.isSecure }
  /// The host and port that the client asked for: the `Host` header, or what a trusted proxy says; empty without either.
  package var authority: String { storage.sender.host ?? header("host") ?? "" }
  /// Lends the authority as bytes, for what is compared and not kept.
  package func withAuthority<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard var host = storage.sender.host else { return storage.fields.withFirst("host", body) }
    return host.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
  /// What tells this request from others in logs: `X-Request-Id` of a trusted proxy, else the server's own.
  package var id: String { storage.id }

  /// What tells its connection from this server's others.
  package var connection: UInt64 { storage.number >> 32 }

  /// The value of the first header with this name, whatever the case of its
  /// ASCII letters; nil when there is none.
  package func header(_ name: String) -> String? { storage.fields[name] }

  /// True when the first header with this name has exactly this value.
  package func header(_ name: String, is value: StaticString) -> Bool { storage.fields.has(name, value) }

  /// True when there is more than one header with this name.
  package func repeats(header name: String) -> Bool { storage.fields.repeats(name) }

  /// Marks the request, so that who observes its `CompletedRequest` knows it again; 0 without.
  package func mark(_ mark: Int) { storage.mark = mark }

  /// Lends a parameter as UTF-8, for what is looked up and not kept; nothing when the route has no such name.
  package func withParameter<Result>(_ name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(bytes(of: name) ?? UnsafeBufferPointer(start: nil, count: 0))
  }

  /// They lie in the request's memory.
  private func bytes(of parameter: String) -> UnsafeBufferPointer<UInt8>? {
    storage.pattern?.bytes(of: parameter, in: storage.target)
  }

  /// The parts of the path that a route's pattern names.
  package struct Parameters: Sendable {
    let request: Request

    /// The decoded segment in the place of `:name`; nil when the route has no such name.
    package subscript(name: String) -> String? {
      request.bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

extension Request {
  /// A request made by hand, for tests of handlers and routers.
  ///
  /// - Parameter target: the path and the query, as a client would send them.
  /// - Throws: the refusal that a server would answer it with.
  package init(
    _ method: Method, _ target: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], clientAddress: String = "127.0.0.1"
  ) throws(HTTPError) {
    let storage = Storage(sender: Sender(address: IPAddress(clientAddress), addressText: clientAddress))
    storage.method = method
    Array(target.utf8).withUnsafeBytes { storage.target.receive($0) }
    try storage.target.parse(method)
    for (name, value) in headers {
      Array(name.utf8).withUnsafeBytes { name in
        Array(value.utf8).withUnsafeBytes { storage.fields.append(name: name, value: $0) }
      }
    }
    storage.body = body
    self.init(storage)
  }
}
