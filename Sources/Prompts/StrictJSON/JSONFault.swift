/// A fault of a text that was refused as JSON, and its place.
package struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons for which a JSON text is refused.
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
  let offset: Int
  /// The place of a value that is too large, as a JSON pointer (RFC 6901); empty for other faults.
  package var pointer: String

  init(_ reason: Reason, at offset: Int, _ pointer: String = "") {
    self.reason = reason
    self.offset = offset
    self.pointer = pointer
  }

  /// The same, seen from the object or array that holds the value at this key or index.
  func inside(_ key: String) -> JSONFault {
    guard pointsAtValue else { return self }
    return JSONFault(reason, at: offset, JSONPointer.text([String(key.prefix(64))]) + pointer)
  }

  /// The fault and its remedy in words, without the place.
  var words: (what: String, remedy: String) {
    switch reason {
    case .empty: ("there is no JSON here", "send a value")
    case .byteOrderMark: ("the text begins with a byte order mark", "send UTF-8 without one")
    case .invalidUTF8: ("these bytes are not UTF-8", "encode the text as UTF-8")
    case .unexpected(let found, let expected): ("found \(found) where \(expected) was expected", Self.remedy(found))
    case .unexpectedEnd: ("the text ends too early", "close every string, array and object")
    case .trailing: ("there is more after the end of the value", "send one value")
    case .badEscape: ("unknown escape", #"use \" \\ \/ \b \f \n \r \t or \u and four hex digits"#)
    case .controlCharacter: ("a control character in a string", #"write it as an escape, such as \n"#)
    case .badNumber: ("not a JSON number", "write it like -12, 0.5 or 1e3")
    case .loneSurrogateInKey: ("half a surrogate pair in a key", "write both halves")
    case .duplicateKey(let key): ("the key \"\(key)\" appears twice", "keep one")
    case .tooDeep(let limit): ("nested too deeply", "at most \(limit) levels are read")
    case .tooManyKeys(let limit): ("too many keys\(place)", "at most \(limit) are read")
    case .stringTooLong(let limit): ("a string is too long\(place)", "at most \(limit) bytes are read")
    }
  }

  /// `what is wrong; what to do`
  package var sentence: String { "\(words.what); \(words.remedy)" }

  private var pointsAtValue: Bool {
    switch reason {
    case .tooManyKeys, .stringTooLong: true
    default: false
    }
  }

  private var place: String { pointer.isEmpty ? "" : " at \(pointer)" }

  private static func remedy(_ found: String) -> String {
    if ["“]”", "“}”"].contains(found) { return "write it here, or remove the comma before the bracket" }
    if found == "“+”" { return "write a number without a plus sign" }
    let isWord =
      found.unicodeScalars.dropFirst().first?.properties.isAlphabetic == true && found.unicodeScalars.count == 3
    return isWord ? "put strings in double quotes" : "write it here"
  }

  package var description: String { "\(sentence) (byte \(offset))" }
}
