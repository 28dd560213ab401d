internal import CMicroHTTPD

// Unsafe, because libmicrohttpd takes pointers to a body and to headers: each is either copied by it before the call
// returns, or kept by an `Unmanaged` reference that it releases.

/// A response in libmicrohttpd's form. It may be queued on any number of connections at once and lives as long as the
/// last of them needs it.
final class PreparedResponse: @unchecked Sendable {
  // Sendable by proof: complete when `init` ends; libmicrohttpd counts the references to it under a lock of its own.
  let pointer: OpaquePointer
  /// Bytes of its body; 0 for a stream, whose length nobody knows.
  let byteCount: Int

  /// `nil` if a header breaks the rules of `Response.headers`, and for a stream, which belongs to one connection.
  convenience init?(_ response: Response) {
    switch response.body {
    case .bytes(let bytes): self.init(response, Self.copying(bytes))
    case .shared(let shared): self.init(response, Self.sharing(shared))
    case .stream: return nil
    }
  }

  /// `nil` if a header breaks the rules of `Response.headers`.
  ///
  /// - Parameter isHead: true if only the head is asked for.
  convenience init?(_ response: Response, _ body: StreamedBody, isHead: Bool) {
    self.init(response, Self.streaming(body))
    // libmicrohttpd 0.9.75 ends the chunks that it does not send; without chunks it closes instead.
    if isHead { _ = cmhd_set_response_flags(pointer, .RF_HTTP_1_0_COMPATIBLE_STRICT) }
  }

  private init?(_ response: Response, _ created: OpaquePointer?) {
    guard let created else { return nil }
    pointer = created
    byteCount = response.body.count ?? 0
    for (name, value) in response.headers where !Self.add(name, value, to: created) { return nil }
    if let common = response.common, !common.add(to: created) { return nil }
  }

  deinit { MHD_destroy_response(pointer) }

  /// Adds one header; false when its name or its value may not be sent.
  private static func add(_ name: String, _ value: String, to response: OpaquePointer) -> Bool {
    // One piece of the stack for both strings: Swift's own bridging allocates for each.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.utf8.count + value.utf8.count + 2) {
      text in
      var end = 0
      for byte in name.utf8 {
        guard ASCIISet.token.contains(byte) else { return false }
        text[end] = byte
        end += 1
      }
      text[end] = 0
      end += 1
      let start = end
      for byte in value.utf8 {
        guard !byte.isForbiddenInValue else { return false }
        text[end] = byte
        end += 1
      }
      text[end] = 0
      return text.withMemoryRebound(to: CChar.self) {
        MHD_add_response_header(response, $0.baseAddress, $0.baseAddress! + start) == .YES
      }
    }
  }

  private static func copying(_ bytes: [UInt8]) -> OpaquePointer? {
    bytes.withUnsafeBytes {
      MHD_create_response_from_buffer(
        $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  private static func sharing(_ shared: SharedBytes) -> OpaquePointer? {
    let owner = Unmanaged.passRetained(shared)
    let created = MHD_create_response_from_buffer_with_free_callback_cls(
      shared.count, UnsafeMutableRawPointer(mutating: shared.buffer.baseAddress),
      { Unmanaged<SharedBytes>.fromOpaque($0!).release() }, owner.toOpaque())
    if created == nil { owner.release() }
    return created
  }

  private static func streaming(_ body: StreamedBody) -> OpaquePointer? {
    let owner = Unmanaged.passRetained(body)
    let created = MHD_create_response_from_callback(
      .max,  // MHD_SIZE_UNKNOWN, a macro with a cast in it.
      16 * 1024,
      { body, _, buffer, count in
        var buffer = buffer!.withMemoryRebound(to: UInt8.self, capacity: count) {
          UnsafeMutableBufferPointer(start: $0, count: count)
        }.mutableSpan
        return Unmanaged<StreamedBody>.fromOpaque(body!).takeUnretainedValue()
          .take(into: &buffer)
      },
      owner.toOpaque(),
      { Unmanaged<StreamedBody>.fromOpaque($0!).takeRetainedValue().abandon() })
    if created == nil { owner.release() }
    return created
  }
}

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
      precondition(ASCIISet.isToken(name), "“\(name)” is no name of a header")
      precondition(!value.isEmpty && !value.utf8.contains(where: \.isForbiddenInValue), "\(name) cannot be sent")
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
