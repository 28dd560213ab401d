/// A body that stays the same: its tag, its compressed form and the responses
/// with them are made once.
package final class ConstantBody: Sendable {
  private struct Form: Sendable {
    let tag: EntityTag
    let full: Response
    let notModified: Response
  }

  private let plain: Form
  /// Nil where compression does not make it smaller.
  private let gzipped: Form?

  /// - Parameters:
  ///   - type: the media type, for `Content-Type`.
  ///   - version: visible ASCII without quotes that changes with the bytes; nil for a hash of them.
  ///   - cacheControl: for `Cache-Control`; `no-cache` has caches ask before they use it.
  ///   - headers: more headers, for each response.
  package init(
    bytes: [UInt8], type: String, version: String? = nil, cacheControl: String = "no-cache",
    headers: [(name: String, value: String)] = []
  ) {
    let tag = version.map { EntityTag(version: $0) } ?? EntityTag(of: bytes)
    let packed = Self.isCompressible(type) ? Gzip.compress(bytes) : nil
    // Caches must tell the forms apart even where they hold only one of them.
    var common = headers + [("Cache-Control", cacheControl)]
    if packed != nil { common.append(("Vary", "Accept-Encoding")) }
    plain = Self.form(bytes, tag, common, [("Content-Type", type)])
    gzipped = packed.map {
      Self.form($0, tag.coded("gzip"), common, [("Content-Type", type), ("Content-Encoding", "gzip")])
    }
  }

  /// Answers `GET` and `HEAD`: 304 when the request has this form already (RFC 9110, section 13.1.2).
  package func response(to request: Request) -> Response {
    let storage = request.storage
    let isGzipped = gzipped != nil && request.accepts(coding: "gzip")
    if storage.fields.mayHave("if-none-match"),
      let unchanged = notModified(storage.fields.values("if-none-match"), isGzipped)
    {
      return unchanged
    }
    return isGzipped ? gzipped?.full ?? plain.full : plain.full
  }

  private func notModified(_ known: [String], _ isGzipped: Bool) -> Response? {
    let form = isGzipped ? gzipped ?? plain : plain
    return known.contains(where: form.tag.isNamed) ? form.notModified : nil
  }

  /// The strong entity tag of the uncompressed form, with its quotes.
  package var entityTag: String { plain.tag.text }

  private static func form(
    _ bytes: [UInt8], _ tag: EntityTag, _ common: [(name: String, value: String)],
    _ content: [(name: String, value: String)]
  ) -> Form {
    let common = common + [("ETag", tag.text)]
    return Form(
      tag: tag,
      full: Response(.ok, headers: content + common, body: .shared(SharedBytes(bytes))).preparedOnce,
      notModified: Response(.notModified, headers: common).preparedOnce)
  }

  private static func isCompressible(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasPrefix("application/") || type.hasPrefix("image/svg")
  }
}

extension Response {
  /// The same response, ready to be sent many times. A change of its headers
  /// or body makes it an ordinary one again.
  package var preparedOnce: Response {
    var response = self
    response.prepared = PreparedResponse(self)
    return response
  }
}
