internal import CMicroHTTPD
internal import Glibc

/// A request's head where libmicrohttpd keeps it: handed, part by part, to
/// `HeadLayout` and `HeadReader`.
struct ReceivedHead {
  let connection: OpaquePointer
  let method: UnsafePointer<CChar>
  /// Its place is libmicrohttpd's, its length that of the target as sent.
  let target: UnsafeRawBufferPointer
  let version: UnsafePointer<CChar>

  /// - Parameter head: what to write the head to; it has received its target.
  /// - Returns: how many bytes of body it announces.
  func read(into head: Request.Storage, limits: HeadReader.Limits, checksLayout: Bool) throws(Refusal) -> Int {
    let method = UnsafeRawBufferPointer(start: method, count: strlen(method))
    let version = UnsafeRawBufferPointer(start: version, count: strlen(version))
    var layout: HeadLayout?
    if checksLayout {
      layout = HeadLayout(method: method, target: target, version: version)
      if layout == nil { throw .badRequest(.requestLine) }
    }
    var walk = Walk(
      reader: try HeadReader(method: method, version: version, in: head, limits: limits),
      layout: layout)
    _ = withUnsafeMutablePointer(to: &walk) {
      MHD_get_connection_values_n(connection, .HEADER_KIND, Walk.step, $0)
    }
    if let refusal = walk.refusal { throw refusal }
    if let layout = walk.layout {
      let size = cmhd_connection_info(connection, .CONNECTION_INFO_REQUEST_HEADER_SIZE)
      guard let size, layout.ends(after: size.pointee.header_size) else {
        throw .badRequest(.lines)
      }
    }
    return try walk.reader.end()
  }

  /// What goes from header to header.
  private struct Walk {
    var reader: HeadReader
    var layout: HeadLayout?
    var refusal: Refusal?

    static let step: MHD_KeyValueIteratorN = { context, _, name, nameCount, value, valueCount in
      guard let walk = context?.assumingMemoryBound(to: Walk.self) else { return .NO }
      do throws(Refusal) {
        try walk.pointee.take(
          name: UnsafeRawBufferPointer(start: name, count: nameCount),
          value: UnsafeRawBufferPointer(start: value, count: valueCount))
        return .YES
      } catch {
        walk.pointee.refusal = error
        return .NO
      }
    }

    private mutating func take(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
      throws(Refusal)
    {
      guard layout?.take(name: name, value: value) != false else { throw .badRequest(.lines) }
      try reader.take(name: name, value: value)
    }
  }
}
