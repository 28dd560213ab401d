/// Why a text was refused as JSON, and where.
package struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    case empty
    case byteOrderMark
    case invalidUTF8
    case unexpected(found: String, expected: String)
    case unexpectedEnd
    case trailing
    case badEscape
    case controlCharacter
    case badNumber
    case loneSurrogateInKey
    case duplicateKey(String)
    case tooDeep(limit: Int)
    case tooManyKeys(limit: Int)
    case stringTooLong(limit: Int)
  }

  package let reason: Reason
  /// Byte offset in the text, from 0.
  package let offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// What is wrong and what to do, without the place.
  package var sentence: String {
    switch reason {
    case .empty: "there is no JSON here; send a value"
    case .byteOrderMark: "the text begins with a byte order mark; send UTF-8 without one"
    case .invalidUTF8: "these bytes are not UTF-8; encode the text as UTF-8"
    case .unexpected(let found, let expected):
      "found \(found) where \(expected) was expected; \(Self.remedy(found))"
    case .unexpectedEnd: "the text ends too early; close every string, array and object"
    case .trailing: "there is more after the end of the value; send one value"
    case .badEscape: #"unknown escape; use \" \\ \/ \b \f \n \r \t or \u and four hex digits"#
    case .controlCharacter: #"a control character in a string; write it as an escape, such as \n"#
    case .badNumber: "not a JSON number; write it like -12, 0.5 or 1e3"
    case .loneSurrogateInKey: "half a surrogate pair in a key; write both halves"
    case .duplicateKey(let key): "the key \"\(key)\" appears twice; keep one"
    case .tooDeep(let limit): "nested too deeply; at most \(limit) levels are read"
    case .tooManyKeys(let limit): "too many keys; at most \(limit) are read"
    case .stringTooLong(let limit): "a string is too long; at most \(limit) bytes are read"
    }
  }

  private static func remedy(_ found: String) -> String {
    if ["“]”", "“}”"].contains(found) { return "write it here, or remove the comma before the bracket" }
    let isWord =
      found.unicodeScalars.dropFirst().first?.properties.isAlphabetic == true && found.unicodeScalars.count == 3
    return isWord ? "put texts in double quotes" : "write it here"
  }

  package var description: String { "\(sentence) (byte \(offset))" }
}
