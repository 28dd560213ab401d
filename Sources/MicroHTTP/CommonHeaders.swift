internal import CMicroHTTPD

/// Headers that many responses carry, checked once and kept in the form that libmicrohttpd takes.
package final class CommonHeaders: Sendable {
  package let pairs: [(name: String, value: String)]
  /// Names and values in turn, each with a zero byte after it.
  private let texts: [UInt8]

  /// - Precondition: names are tokens, values are not empty and hold no control character but TAB.
  package init(_ pairs: [(name: String, value: String)]) {
    self.pairs = pairs
    var texts: [UInt8] = []
    for (name, value) in pairs {
      precondition(Token.isToken(name.utf8), "“\(name)” is no name of a header")
      precondition(!value.isEmpty && !value.utf8.contains(where: Token.isForbiddenInValue), "\(name) cannot be sent")
      texts += name.utf8
      texts.append(0)
      texts += value.utf8
      texts.append(0)
    }
    self.texts = texts
  }

  /// Adds all of them; false when memory is short.
  func add(to response: OpaquePointer) -> Bool {
    texts.withUnsafeBytes { texts in
      guard var next = texts.baseAddress?.assumingMemoryBound(to: CChar.self) else { return true }
      for (name, value) in pairs {
        let text = next + name.utf8.count + 1
        guard MHD_add_response_header(response, next, text) == .YES else { return false }
        next = text + value.utf8.count + 1
      }
      return true
    }
  }
}
