internal import Synchronization

/// One request, complete and checked: nothing in it could be read differently by another parser.
public struct Request: Sendable {
  let head: RequestHead
  /// The body, at most as long as the server's limit; empty when there was none.
  public let body: [UInt8]
  let sender: Sender
  /// Unique in this process.
  let number: UInt64
  /// What the route's pattern found in the path.
  public internal(set) var parameters = Parameters()

  public var method: Method { head.method }
  /// The path, percent-decoded once. It begins with `/` (or is `*`, of `OPTIONS *`) and has no dot segments.
  public var path: String { head.target.path }
  /// The path as it was sent, without the query.
  public var target: String { head.target.raw }
  /// The query's pairs, decoded as a form's are; empty without a query.
  public var query: Form { head.target.query }
  public var headers: HeaderFields { head.fields }
  /// The client's address: the peer's or, where that is a trusted proxy, the one that it names; nil without one.
  public var client: IPAddress? { sender.address }
  /// The client's address as text, with its zone if it has one; empty without an address.
  public var clientAddress: String { sender.addressText }
  /// True where the client's connection is encrypted, to here or to a trusted proxy.
  public var isSecure: Bool { sender.isSecure }
  /// The host and port that the client asked for: the `Host` header, or what a trusted proxy says; empty without either.
  public var authority: String { sender.host ?? header("host") ?? "" }
  /// What tells this request from others in logs: `X-Request-Id` of a trusted proxy, else the server's own.
  public var id: String { sender.requestID ?? RequestID.text(of: number) }

  /// The value of the first header with this name, whatever the case of its
  /// ASCII letters; nil when there is none.
  public func header(_ name: String) -> String? { head.fields[name] }

  /// Marks the request, so that who observes its `Exchange` knows it again; 0 without.
  public func mark(_ mark: Int) { head.mark.store(mark, ordering: .relaxed) }

  /// The parts of the path that a route's pattern names.
  public struct Parameters: Sendable {
    var pairs: [(name: String, value: String)] = []

    /// The decoded segment in the place of `:name`; nil when the route has no such name.
    public subscript(name: String) -> String? {
      pairs.first { $0.name == name }?.value
    }
  }
}

extension Request {
  /// A request made by hand, for tests of handlers and routers.
  ///
  /// - Parameter target: the path and the query, as a client would send them.
  /// - Throws: the refusal that a server would answer it with.
  public init(
    _ method: Method, _ target: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], clientAddress: String = "127.0.0.1"
  ) throws(Refusal) {
    let parsed = Array(target.utf8).withUnsafeBytes { bytes in
      Result { () throws(Refusal) in try RequestTarget(parsing: bytes, method: method) }
    }
    var fields = HeaderFields()
    for (name, value) in headers {
      Array(name.utf8).withUnsafeBytes { name in
        Array(value.utf8).withUnsafeBytes { fields.append(name: name, value: $0) }
      }
    }
    head = RequestHead(method: method, target: try parsed.get(), fields: fields)
    self.body = body
    sender = Sender(address: IPAddress(clientAddress), addressText: clientAddress)
    number = 0
  }
}
