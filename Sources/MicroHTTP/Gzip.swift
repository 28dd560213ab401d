internal import CMicroHTTPD

/// The gzip coding (RFC 1952), for bytes that are compressed once and sent often.
enum Gzip {
  /// Compressed as far as it goes; nil when that is not smaller, or memory is short.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard cmhd_gzip_begin(&stream, Z_BEST_COMPRESSION) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    // What does not fit is not worth sending.
    var packed = [UInt8](repeating: 0, count: bytes.count)
    let code = bytes.withUnsafeBytes { input in
      packed.withUnsafeMutableBytes { output in
        stream.next_in = UnsafeMutablePointer(
          mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard code == Z_STREAM_END, stream.avail_out > 0 else { return nil }
    return Array(packed.prefix(bytes.count - Int(stream.avail_out)))
  }
}
