internal import CMicroHTTPD
internal import Glibc

extension Request.Storage {
  /// Copies a head, which `HeadReader` has read, from where libmicrohttpd keeps it, but for cookies: nobody here reads
  /// any. The target has been received.
  ///
  /// - Returns: how many bytes of body it announces.
  /// - Throws: what is wrong with the target.
  func receive(_ connection: OpaquePointer, method text: UnsafePointer<CChar>) throws(HTTPError) -> Int {
    method = Method(checked: UnsafeRawBufferPointer(start: text, count: strlen(text)))
    try target.parse(method)
    fields.removeAll()
    MHD_get_connection_values_n(
      connection, .HEADER_KIND,
      { storage, _, name, nameCount, value, valueCount in
        guard let storage, let name else { return .NO }
        if UInt8(bitPattern: name.pointee) == HeadReader.hidden { return .YES }
        Unmanaged<Request.Storage>.fromOpaque(storage)._withUnsafeGuaranteedRef {
          $0.fields.append(
            name: UnsafeRawBufferPointer(start: name, count: nameCount),
            value: HeadReader.trimmed(UnsafeRawBufferPointer(start: value, count: valueCount)))
        }
        return .YES
      }, Unmanaged.passUnretained(self).toOpaque())
    guard fields.mayHave("content-length") else { return 0 }
    var length = 0
    fields.forEachValue("content-length") { length = (try? HeadReader.length($0)) ?? 0 }
    return length
  }
}
