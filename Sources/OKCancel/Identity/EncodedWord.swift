internal import Foundation

/// Words of another encoding in a header (RFC 2047): `=?utf-8?q?J=C3=BCrgen?=`.
enum EncodedWord {
  /// A header's value with its encoded words in UTF-8 decoded. Anything else stays as it is.
  static func decoded(_ value: String) -> String {
    // White space between two encoded words belongs to neither.
    let word = #/=\?(?i:utf-8|us-ascii)\?([QqBb])\?([^?\s]*)\?=(?:\s+(?==\?(?i:utf-8|us-ascii)\?[QqBb]\?[^?\s]*\?=))?/#
    return value.replacing(word) { found in
      let text = String(found.2)
      let decoded =
        found.1.lowercased() == "q"
        ? text.replacing("%", with: "%25").replacing("_", with: " ").replacing("=", with: "%").removingPercentEncoding
        : Data(base64Encoded: text).flatMap { String(validating: $0, as: UTF8.self) }
      return decoded ?? String(found.0)
    }
  }
}
