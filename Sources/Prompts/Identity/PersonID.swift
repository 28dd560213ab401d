internal import Foundation

/// Reads ids of people and entries of `for` and `notBy`. Every door uses it, so that no entry is kept that can name nobody.
extension Person {
  /// The id that a text is, in Unicode's form C.
  ///
  /// - Throws: `IDFault` that says why it is none.
  package static func id(_ text: String) throws(IDFault) -> String {
    guard case .person(let id) = try Answerers.Entry(reading: text, isPerson: true) else {
      throw IDFault("is no person")
    }
    return id
  }
}

/// The reason that a text names nobody.
package struct IDFault: Error, Hashable, Sendable {
  /// To follow what has it: `has white space at an end`.
  package let what: String
  /// The nearest texts that name somebody: several if it names several, none if none is near.
  let nearest: [String]

  package init(_ what: String, _ nearest: String...) { self.init(what, nearest: nearest) }
  fileprivate init(_ what: String, nearest: [String]) { (self.what, self.nearest) = (what, nearest) }

  /// Nothing of it can be seen.
  static let blank = IDFault("names nobody")

  /// - Parameter key: where it stands.
  package func remedy(in key: String) -> FaultRow {
    let ids = nearest.map { "`\($0)`" }.joined(separator: ", ")
    return switch nearest.count {
    case 0 where ["for", "notBy"].contains(key): FaultRow("write-people", ["key": key])
    case 0: FaultRow("write-id")
    case 1: FaultRow("write-id.near", ["ids": ids])
    default: FaultRow("write-id.each", ["ids": ids])
    }
  }

  /// The fault of this text under a key.
  func row(_ key: String, _ text: String) -> FaultRow {
    self == .blank
      ? FaultRow("names-nobody", ["key": key, "remedy": remedy(in: key)])
      : FaultRow("nameless", ["key": key, "text": text, "what": what, "remedy": remedy(in: key)])
  }
}

extension Answerers.Entry {
  /// Reads an entry as somebody wrote it.
  ///
  /// - Throws: `IDFault` with the nearest right form, if it could name nobody.
  package init(reading text: String) throws(IDFault) { try self.init(reading: text, isPerson: false) }

  /// - Parameter isPerson: true if only a person can be named here.
  fileprivate init(reading text: String, isPerson: Bool) throws(IDFault) {
    let scalars = text.unicodeScalars
    // Composed, a text has at most a quarter of its code points.
    guard scalars.prefix(4 * Person.limit + 1).count <= 4 * Person.limit else { throw .tooLong }
    let seen = Self.seen(scalars[...])
    if seen.isEmpty { throw .blank }
    let names = seen.split { $0 == "," || $0 == ";" }.map(Self.seen).filter(Self.namesOne)
    if names.count > 1 { throw IDFault("names several in one", nearest: names.map { String($0) }) }
    if let (word, rest) = Self.prefixed(seen) {
      if word == "mailto" { throw IDFault("is the address of a link", String(rest)) }
      if isPerson { throw IDFault("is no person") }
      if rest.isEmpty { throw IDFault("names nothing") }
      let isGroup = word.hasPrefix("group"), right = (isGroup ? "group:" : "ask:") + String(rest)
      guard text.utf8.elementsEqual(right.utf8) else { throw IDFault("is spelt in another way", right) }
      try Self.check(rest)
      self = isGroup ? .group(String(rest)) : .ask(String(rest))
      return
    }
    let id = String(seen).precomposedStringWithCanonicalMapping, word = id.lowercased()
    if !isPerson, Self.isAskID(word) { throw IDFault("is the id of an ask", "ask:\(word)") }
    if let address = Self.addressAfterName(seen) { throw IDFault("has a name before the address", address) }
    if Self.wordsForNobody.contains(word) { throw .wordForNobody }
    try Self.check(id.unicodeScalars[...])
    guard seen.count == scalars.count else { throw IDFault("has white space or an invisible character at an end", id) }
    self = .person(id)
  }

  /// The words that programs write where they know nobody.
  private static let wordsForNobody: Set = ["*", "-", "null", "(null)", "undefined", "anonymous"]

  private static func check(_ name: Substring.UnicodeScalarView) throws(IDFault) {
    if name.prefix(Person.limit + 1).count > Person.limit { throw .tooLong }
    if name.contains(where: Person.breaksLine) { throw IDFault("contains a control character or a line break") }
  }

  /// Without white space and invisible characters at both ends.
  private static func seen(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
    let isSeen = { (scalar: Unicode.Scalar) in !scalar.properties.isWhitespace && !scalar.isHidden }
    guard let first = text.firstIndex(where: isSeen), let last = text.lastIndex(where: isSeen) else {
      return text.prefix(0)
    }
    return text[first...last]
  }

  /// `ask`, `group` or `mailto` in front of a colon, perhaps misspelt, and what follows.
  private static func prefixed(_ text: Substring.UnicodeScalarView) -> (String, Substring.UnicodeScalarView)? {
    guard let colon = text.firstIndex(where: { $0 == ":" || $0 == "：" }) else { return nil }
    let word = String(seen(text[..<colon])).lowercased()
    guard ["ask", "asks", "group", "groups", "mailto"].contains(word) else { return nil }
    return (word, seen(text[text.index(after: colon)...]))
  }

  /// True for one of several names in a list: an address, or an entry with a prefix. The parts of a distinguished name,
  /// `CN=Ada,OU=Staff`, are none.
  private static func namesOne(_ part: Substring.UnicodeScalarView) -> Bool {
    part.contains("@") && !part.contains("=") || prefixed(part) != nil
  }

  /// The address in `Ada <ada@example.com>`.
  private static func addressAfterName(_ text: Substring.UnicodeScalarView) -> String? {
    guard text.last == ">", let start = text.lastIndex(of: "<") else { return nil }
    let address = text[text.index(after: start)...].dropLast()
    return address.contains("@") ? String(seen(address)) : nil
  }

  /// True for 128 bits in Crockford's Base32.
  private static func isAskID(_ text: String) -> Bool {
    text.utf8.count == 26 && text.consists(of: "0-9a-hjkmnp-tv-z")
      && text.utf8.first.map { $0 < UInt8(ascii: "8") } == true
  }
}

extension IDFault {
  /// It is what programs write where they know nobody.
  package static let wordForNobody = IDFault("is a word for nobody")
  fileprivate static let tooLong = IDFault("is longer than \(Person.limit) characters")
}

extension Person {
  /// True for a code point that no id, name or group has: a control character or a line break.
  package static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || "\u{2028}"..."\u{2029}" ~= scalar
  }
}
