/// A Content-Type, in lower case (RFC 9110, section 8.3.1).
struct ContentType {
  /// Type and subtype: `application/json`.
  let essence: String
  /// The parameter of that name, without quotes; nil: not given.
  let charset: String?

  init(_ header: String) {
    let parts = header.lowercased().split(separator: ";", omittingEmptySubsequences: false).map {
      $0.trimming { $0 == " " || $0 == "\t" }
    }
    essence = String(parts[0])
    charset = parts.dropFirst().first { $0.hasPrefix("charset=") }.map {
      String($0.dropFirst("charset=".count).trimming { $0 == "\"" })
    }
  }
}

extension Substring {
  /// Without the characters at both ends that meet a condition.
  fileprivate func trimming(_ isDropped: (Character) -> Bool) -> Substring {
    guard let end = lastIndex(where: { !isDropped($0) }) else { return "" }
    return self[...end].drop(while: isDropped)
  }
}
