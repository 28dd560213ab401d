extension Response {
  /// The response as it goes over the wire, the last of its connection, for
  /// where libmicrohttpd takes none. Nil for one that libmicrohttpd would not
  /// take anywhere, and for a stream.
  var lastBytes: [UInt8]? {
    guard let body = body.bytes else { return nil }
    var head = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\nConnection: close\r\nContent-Length: \(body.count)\r\n"
    for (name, value) in headers {
      guard Token.isToken(name.utf8), !value.utf8.contains(where: Token.isForbiddenInValue) else { return nil }
      head += "\(name): \(value)\r\n"
    }
    return Array((head + "\r\n").utf8) + body
  }
}

extension Response.Body {
  /// Nil for a stream.
  fileprivate var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): bytes
    case .shared(let shared): shared.bytes
    case .stream: nil
    }
  }
}
