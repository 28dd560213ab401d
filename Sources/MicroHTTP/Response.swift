/// What a handler answers.
public struct Response: Sendable {
  public var status: Status
  /// In this order, names as written. Values hold no CR, LF or NUL and are not
  /// empty; a pair that breaks this is a fault of the handler and answered with
  /// 500. `Date`, `Content-Length` and `Connection: close` are the server's.
  public var headers: [(name: String, value: String)] { didSet { prepared = nil } }
  public var body: Body { didSet { prepared = nil } }

  /// The same response in libmicrohttpd's form, made once and sent many times.
  var prepared: PreparedResponse?

  /// The bytes after the head. A streamed body (server-sent events) will be one more case here.
  public enum Body: Sendable {
    /// Bytes of this response alone, copied once as it is sent.
    case bytes([UInt8])
    /// Bytes that many responses share, sent without a copy.
    case shared(SharedBytes)

    public static var none: Body { .bytes([]) }

    public var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .shared(let shared): shared.count
      }
    }
  }

  public init(
    _ status: Status, headers: [(name: String, value: String)] = [], body: Body = .none
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// - Parameter type: the media type, for `Content-Type`.
  public init(_ status: Status, type: String, bytes: [UInt8]) {
    self.init(status, headers: [("Content-Type", type)], body: .bytes(bytes))
  }

  /// - Parameter type: the media type, for `Content-Type`.
  public init(_ status: Status, type: String, text: String) {
    self.init(status, type: type, bytes: Array(text.utf8))
  }

  /// The value of the first header with this name; nil when there is none.
  public func header(_ name: String) -> String? {
    headers.first { header in
      header.name.utf8.count == name.utf8.count
        && zip(header.name.utf8, name.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }?.value
  }
}
