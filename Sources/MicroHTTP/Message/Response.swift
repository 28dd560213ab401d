/// A response to a request.
///
/// Copies share what they hold until one of them is changed.
package struct Response: Sendable {
  private var storage: Storage

  package var status: Status {
    get { storage.status }
    set { own().status = newValue }
  }

  /// In this order, names as written. Values hold no CR, LF or NUL and are not empty; a pair that breaks this is a fault
  /// of the handler, and 500 is sent instead. `Date`, `Content-Length` and `Connection: close` are the server's.
  package var headers: [(name: String, value: String)] {
    get { storage.headers }
    set { changed().headers = newValue }
  }

  package var body: Body {
    get { storage.body }
    set { changed().body = newValue }
  }

  /// Headers that other responses carry too, sent after its own.
  package var common: CommonHeaders? {
    get { storage.common }
    set { changed().common = newValue }
  }

  /// The same response in libmicrohttpd's form, made once and sent many times.
  var prepared: PreparedResponse? {
    get { storage.prepared }
    set { own().prepared = newValue }
  }

  /// True for one that was made to be sent many times; a change of its headers or body would undo that.
  package var isPrepared: Bool { storage.prepared != nil }

  /// The bytes after the head.
  package enum Body: Sendable {
    /// Bytes of only this response, copied once as it is sent.
    case bytes([UInt8])
    /// Bytes that many responses share, sent without a copy.
    case shared(SharedBytes)
    /// Bytes that come as they are written, until this returns: server-sent events. It begins, as a task, once the head
    /// is on its way, and not at all for `HEAD`. The body has no length: HTTP/1.1 sends it in chunks, HTTP/1.0 ends it by
    /// closing.
    ///
    /// The task is cancelled if the peer has gone or does not read, and when the server begins to stop. In the last case
    /// what it still writes is sent, so that it can say a last word; it has as long as `Server.drain` gives.
    case stream(@Sendable (BodyWriter) async -> Void)

    package static var none: Body { .bytes([]) }

    /// How many bytes there are, or `nil` for a stream, of which nobody knows.
    package var count: Int? {
      switch self {
      case .bytes(let bytes): bytes.count
      case .shared(let shared): shared.count
      case .stream: nil
      }
    }
  }

  package init(
    _ status: Status, headers: [(name: String, value: String)] = [], body: Body = .none
  ) {
    storage = Storage(status: status, headers: headers, body: body)
  }

  /// - Parameter type: the media type, for `Content-Type`.
  package init(_ status: Status, type: String, bytes: [UInt8]) {
    self.init(status, headers: [("Content-Type", type)], body: .bytes(bytes))
  }

  /// - Parameter type: the media type, for `Content-Type`.
  package init(_ status: Status, type: String, text: String) {
    self.init(status, type: type, bytes: Array(text.utf8))
  }

  /// The value of the first header with this name, or `nil` if there is none.
  package func header(_ name: String) -> String? {
    headers.first { header in
      header.name.utf8.count == name.utf8.count
        && zip(header.name.utf8, name.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }?.value
  }

  private final class Storage: @unchecked Sendable {
    // Sendable by proof: changed only through the one response that has it.
    var status: Status
    var headers: [(name: String, value: String)]
    var body: Body
    var common: CommonHeaders?
    var prepared: PreparedResponse?

    init(
      status: Status, headers: [(name: String, value: String)], body: Body, common: CommonHeaders? = nil,
      prepared: PreparedResponse? = nil
    ) {
      (self.status, self.headers, self.body) = (status, headers, body)
      (self.common, self.prepared) = (common, prepared)
    }
  }

  private mutating func own() -> Storage {
    if !isKnownUniquelyReferenced(&storage) {
      storage = Storage(
        status: storage.status, headers: storage.headers, body: storage.body, common: storage.common,
        prepared: storage.prepared)
    }
    return storage
  }

  /// Its own storage, for a change that what was prepared does not have.
  private mutating func changed() -> Storage {
    let storage = own()
    storage.prepared = nil
    return storage
  }
}

extension Response {
  /// The response as it goes over the wire, the last of its connection, for when libmicrohttpd takes none. `nil` for one
  /// that libmicrohttpd would never take, and for a stream.
  var lastBytes: [UInt8]? {
    guard let body = body.bytes else { return nil }
    var head = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\nConnection: close\r\nContent-Length: \(body.count)\r\n"
    for (name, value) in headers {
      guard ASCIISet.isToken(name), !value.utf8.contains(where: \.isForbiddenInValue) else { return nil }
      head += "\(name): \(value)\r\n"
    }
    return Array((head + "\r\n").utf8) + body
  }
}

extension Response.Body {
  /// `nil` for a stream.
  fileprivate var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): bytes
    case .shared(let shared): shared.bytes
    case .stream: nil
    }
  }
}

/// Bytes that never change and never move, so that any number of responses may
/// be sending them at once.
package final class SharedBytes: @unchecked Sendable {
  // Sendable by proof: only written in `init`, freed when nobody is left.
  let buffer: UnsafeRawBufferPointer

  package init(_ bytes: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    copy.copyBytes(from: bytes)
    buffer = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
  }

  deinit { buffer.baseAddress.map { UnsafeMutableRawPointer(mutating: $0).deallocate() } }

  package var count: Int { buffer.count }
  package var bytes: [UInt8] { Array(buffer) }
}
