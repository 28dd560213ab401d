internal import CMicroHTTPD

/// A body that stays the same: its tag, its compressed form and the responses
/// with them are made once.
package final class ConstantBody: Sendable {
  private final class Form: Sendable {
    let tag: EntityTag
    let full: Response
    let notModified: Response

    init(
      _ bytes: [UInt8], _ tag: EntityTag, _ common: [(name: String, value: String)],
      _ content: [(name: String, value: String)]
    ) {
      let common = common + [("ETag", tag.text)]
      self.tag = tag
      full = Response(.ok, headers: content + common, body: .bytes(bytes)).preparedOnce
      notModified = Response(.notModified, headers: common).preparedOnce
    }
  }

  private let plain: Form
  /// `nil` if compression does not make it smaller.
  private let gzipped: Form?

  /// - Parameters:
  ///   - type: the media type, for `Content-Type`.
  ///   - version: visible ASCII without quotes that changes with the bytes, or `nil` for a hash of them.
  ///   - cacheControl: for `Cache-Control`; `no-cache` has caches ask before they use it.
  ///   - headers: more headers, for each response.
  package init(
    bytes: [UInt8], type: String, version: String? = nil, cacheControl: String = "no-cache",
    headers: [(name: String, value: String)] = []
  ) {
    let tag = EntityTag(version ?? EntityTag.hash(of: bytes))
    let packed = Self.isCompressible(type) ? Gzip.compress(bytes) : nil
    // Caches must tell the forms apart even if they hold only one of them.
    var common = headers + [("Cache-Control", cacheControl)]
    if packed != nil { common.append(("Vary", "Accept-Encoding")) }
    plain = Form(bytes, tag, common, [("Content-Type", type)])
    gzipped = packed.map {
      Form($0, EntityTag("\(tag.version)-gzip"), common, [("Content-Type", type), ("Content-Encoding", "gzip")])
    }
  }

  /// The response to `GET` and `HEAD`: 304 if the request has this form already (RFC 9110, section 13.1.2).
  package func response(to request: Request) -> Response {
    let form = gzipped.flatMap { request.accepts(coding: "gzip") ? $0 : nil } ?? plain
    return form.tag.isNamed(in: request.storage.fields) ? form.notModified : form.full
  }

  private static func isCompressible(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasPrefix("application/") || type.hasPrefix("image/svg")
  }
}

/// A strong entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Sendable {
  /// Visible ASCII without quotes. Another coding of the same thing is another representation, with a tag of its own.
  let version: String
  /// With quotes.
  var text: String { "\"\(version)\"" }

  init(_ version: String) { self.version = version }

  /// A version of these bytes: their number and their FNV-1a hash of 64 bits.
  static func hash(of bytes: some Collection<UInt8>) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\(String(bytes.count, radix: 36))-\(String(hash, radix: 36))"
  }

  /// The most tags of a request that are read: a cache knows a few, and each costs time.
  static let mostRead = 20

  /// True if `If-None-Match` names this tag among the first: compared weakly (RFC 9110, section 13.1.2).
  func isNamed(in fields: borrowing HeaderFields) -> Bool {
    fields.elements("if-none-match", limit: Self.mostRead).prefix(Self.mostRead).contains { element in
      let tag = element.starts(with: "W/".utf8) ? element.dropFirst(2) : element
      return element.elementsEqual("*".utf8) || tag.elementsEqual(text.utf8)
    }
  }
}

/// The gzip coding (RFC 1952), for bytes that are compressed once and sent often.
enum Gzip {
  /// Compressed as far as it goes, or `nil` if that is not smaller or memory is short.
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
