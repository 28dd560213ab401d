internal import CMicroHTTPD

// Unsafe, because libmicrohttpd takes pointers to a body and to headers: each is either copied by it before the call
// returns, or kept by an `Unmanaged` reference that it releases.

/// A response in libmicrohttpd's form. It may be queued on any number of connections at once and lives as long as the
/// last of them needs it.
final class PreparedResponse: @unchecked Sendable {
  // Sendable by proof: complete when `init` ends; libmicrohttpd counts the references to it under a lock of its own.
  let pointer: OpaquePointer
  /// The body if it is a stream, which belongs to one connection.
  let stream: BodyWriter?
  /// Bytes of its body, or `nil` for a stream, whose length nobody knows.
  let byteCount: Int?

  /// `nil` if a header breaks the rules of `Response.headers`, and for a stream without a connection.
  init?(_ response: Response, on connection: Connection? = nil) {
    let created: OpaquePointer?
    switch response.body {
    case .bytes(let bytes): (stream, created) = (nil, Self.copying(bytes))
    case .stream(let work):
      stream = connection.map { BodyWriter(work, on: $0) }
      created = stream.flatMap(Self.streaming)
    }
    guard let created else { return nil }
    pointer = created
    byteCount = response.body.count
    // libmicrohttpd 0.9.75 ends the chunks that it does not send; without chunks it closes instead.
    if stream != nil, connection?.isHead == true {
      _ = cmhd_set_response_flags(pointer, .RF_HTTP_1_0_COMPATIBLE_STRICT)
    }
    for (name, value) in response.headers where !Self.add(name, value, to: created) { return nil }
  }

  deinit { MHD_destroy_response(pointer) }

  /// Adds one header; false when its name or its value may not be sent.
  private static func add(_ name: String, _ value: String, to response: OpaquePointer) -> Bool {
    guard ASCIISet.isToken(name.utf8.span), ASCIISet.isValue(value.utf8.span) else { return false }
    return name.withCString { name in value.withCString { MHD_add_response_header(response, name, $0) } } == .YES
  }

  private static func copying(_ bytes: [UInt8]) -> OpaquePointer? {
    bytes.withUnsafeBytes {
      MHD_create_response_from_buffer(
        $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  private static func streaming(_ body: BodyWriter) -> OpaquePointer? {
    let owner = Unmanaged.passRetained(body)
    let created = MHD_create_response_from_callback(
      .max,  // MHD_SIZE_UNKNOWN, a macro with a cast in it.
      16 * 1024,
      { body, _, buffer, count in
        var buffer = buffer!.withMemoryRebound(to: UInt8.self, capacity: count) {
          UnsafeMutableBufferPointer(start: $0, count: count)
        }.mutableSpan
        return Unmanaged<BodyWriter>.fromOpaque(body!).takeUnretainedValue()
          .take(into: &buffer)
      },
      owner.toOpaque(),
      { Unmanaged<BodyWriter>.fromOpaque($0!).takeRetainedValue().abandon() })
    if created == nil { owner.release() }
    return created
  }
}
