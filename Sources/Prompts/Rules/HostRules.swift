internal import Glibc
internal import StrictJSON

/// `email`: a valid e-mail address as the HTML standard defines it (4.10.5.1.5); an international one may have a domain
/// outside ASCII.
struct EmailRule: TextCondition {
  static let name = "email"
  static let arguments = [Argument("international", \Self.international)]

  var international = false

  func isMet(by text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0, bytes[..<at].allSatisfy(Self.isLocal) else {
      return false
    }
    var end = at
    repeat {
      let start = end + 1
      end = bytes[start...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
      let label = bytes[start..<end]
      guard HostLabel.isASCII(label) || international && HostLabel.isInternational(label) else { return false }
    } while end < bytes.count
    return true
  }

  /// What may stand before the `@`: all that is visible in ASCII, except these.
  private static func isLocal(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "\"", "(", ")", ",", ":", ";", "<", ">", "@", "[", "\\", "]": false
    default: (0x21...0x7E).contains(byte)
    }
  }

  func narrow(_ premise: inout Premise) { premise.shape = Self.shape }

  /// An address has one `@` and no white space.
  private static let shape: PatternSyntax = {
    let rest = PatternSyntax.repetition(
      .codePoint(CodePointSet(0x40).union(.whiteSpace).complement), min: 1, max: nil)
    return .sequence([rest, .codePoint(CodePointSet(0x40)), rest])
  }()

  func schema(of texts: RawTextContext) -> JSON? {
    if international { return nil }
    let label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    return texts.matching("[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@\(label)(?:\\.\(label))*")
  }
}

extension Rule {
  /// The rule `email` as one that takes international domains too; any other as it is.
  var international: Rule {
    condition is EmailRule ? Rule(EmailRule(international: true), message: message) : self
  }
}

/// `url`: an absolute http or https URL (WHATWG URL, “valid URL string”), without user info.
///
/// Path, query and fragment may also hold `[ ] | { } ^`, which every browser reads and people paste.
struct URLRule: TextCondition {
  static let name = "url"

  func isMet(by text: String) -> Bool {
    let head = String(decoding: text.utf8.prefix(8), as: UTF8.self).lowercased()
    guard let scheme = ["https://", "http://"].first(where: { head.hasPrefix($0) }) else { return false }
    let rest = Array(text.unicodeScalars)[scheme.utf8.count...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    return Self.isAuthority(rest[..<end]) && Self.isRest(rest[end...])
  }

  func work(on size: InputSize) -> Int { 2_000 + 10 * size.bytes }
  func schema(of texts: RawTextContext) -> JSON? { texts.areAnswers ? .keyword("format", .string("uri")) : nil }

  private static func isAuthority(_ authority: HostLabel.Text) -> Bool {
    guard authority.first == "[" else {
      let colon = authority.firstIndex(of: ":") ?? authority.endIndex
      return isHost(authority[..<colon]) && isPort(authority[colon...])
    }
    guard let close = authority.firstIndex(of: "]") else { return false }
    return isAddress(authority[..<close].dropFirst(), AF_INET6) && isPort(authority[close...].dropFirst())
  }

  /// Nothing, or a colon and a number up to 65535.
  private static func isPort(_ port: HostLabel.Text) -> Bool {
    guard port.first == ":" else { return port.isEmpty }
    let digits = port.dropFirst()
    return digits.count <= 5 && digits.allSatisfy { ASCII.isDigit($0.value) } && UInt16(digits.string) != nil
  }

  private static func isHost(_ host: HostLabel.Text) -> Bool {
    // Parsers read three other full stops as dots. The last one may be that of the root.
    func isDot(_ scalar: Unicode.Scalar) -> Bool { [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"].contains(scalar) }
    let name = host.last.map(isDot) == true ? host.dropLast() : host
    guard name.count <= 253 else { return false }
    let labels = name.split(omittingEmptySubsequences: false, whereSeparator: isDot)
    guard let last = labels.last, labels.allSatisfy(HostLabel.isAny) else { return false }
    return !isNumeric(last.string) || isAddress(host, AF_INET)
  }

  /// Whether parsers would read this label as the end of an IPv4 address: all digits, or `0x` and hex digits.
  private static func isNumeric(_ label: String) -> Bool {
    label.utf8.allSatisfy(ASCII.isDigit)
      || label.lowercased().hasPrefix("0x") && label.utf8.dropFirst(2).allSatisfy(ASCII.isHexDigit)
  }

  /// Whether it is an IP address as text: of version 4 four numbers without leading zeros, of version 6 what RFC 4291 has
  /// in section 2.2, without a zone.
  private static func isAddress(_ text: HostLabel.Text, _ family: Int32) -> Bool {
    var address = in6_addr()
    return !text.contains("\0") && inet_pton(family, text.string, &address) == 1
  }

  /// Path, query and fragment: URL code points (WHATWG URL, 1.3) and those that people paste, `%` only before two hex
  /// digits, one `#`.
  private static func isRest(_ rest: HostLabel.Text) -> Bool {
    let fragment = rest.firstIndex(of: "#")
    return rest.indices.allSatisfy { index in
      guard isAllowed(rest[index]), rest[index] != "#" || index == fragment else { return false }
      let digits = rest[(index + 1)...].prefix(2)
      return rest[index] != "%" || digits.count == 2 && digits.allSatisfy { ASCII.isHexDigit($0.value) }
    }
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x21...0x7E).contains(scalar.value) && !#""<>\`"#.unicodeScalars.contains(scalar) }
    return scalar.value >= 0xA0 && !(0xFDD0...0xFDEF).contains(scalar.value) && scalar.value & 0xFFFE != 0xFFFE
  }
}

/// Labels of a host's name, beyond ASCII too. `Public/hosts.js` has the same ranges.
enum HostLabel {
  typealias Text = ArraySlice<Unicode.Scalar>

  /// 1 to 63 letters, digits and hyphens, with a hyphen at neither end (RFC 1123, section 2.1).
  static func isASCII(_ label: ArraySlice<UInt8>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == hyphen }
  }

  /// What a URL's host may have, except `_`.
  static func isInternational(_ label: ArraySlice<UInt8>) -> Bool {
    // The longest has 63 code points: a longer text need not be taken apart.
    guard label.count <= 4 * 63, !label.contains(UInt8(ascii: "_")) else { return false }
    return isAny(Array(String(decoding: label, as: UTF8.self).unicodeScalars)[...])
  }

  /// Whether a URL's host may have it: 1 to 63 code points that URL parsers accept there. A label in Punycode (RFC 3492)
  /// is judged as what it stands for.
  static func isAny(_ label: Text) -> Bool {
    guard (1...63).contains(label.count) else { return false }
    let isSpelled = label.prefix(4).string.lowercased() == "xn--"
    guard let points = isSpelled ? punycode(label.dropFirst(4)) : label.map(\.value), let first = points.first,
      first != hyphen, points.last != hyphen, !notFirst.contains(first)
    else { return false }
    let isRightToLeft = points.contains(where: rightToLeft.contains)
    return points.indices.allSatisfy { index in
      let point = points[index]
      return !notInHosts.contains(point)
        && (!joiners.contains(point) || index > 0 && joined.contains(points[index - 1]))
        && (!isRightToLeft || rightToLeft.contains(point) || index > 0 && eitherWay.contains(point))
    }
  }

  private static let hyphen: UInt32 = 0x2D

  /// What no parser accepts in a host's name (Unicode TS 46), as far as that does not change with Unicode's versions:
  /// controls, private use, what shrinks to nothing, and what reads as punctuation, a digit or a space of ASCII.
  private static let notInHosts = codePoints(
    """
    0-2c 2e-2f 3a-40 5b-5e 60 7b-a0 a8 ad af b2-b4 b8-b9 2d8-2dd 34f 37a 384-385 61c 6dd 70f 115f-1160 \
    1680 17b4-17b5 180b-180f 1fbd 1fbf-1fc1 1fcd-1fcf 1fdd-1fdf 1fed-1fef 1ffd-1ffe 2000-200b 200e-200f \
    2017 2024-202f 203e 2047-2049 205f-2079 2080-2089 2100-2101 2105-2106 2460-249b 24ea 2a74 2ff0-3000 \
    3002 309b-309c 3164 33c2 33c7 33d8 d800-f8ff fc5e-fc63 fdd0-fdef fdfa-fdfb fe00-fe0e fe10-fe1f fe30 \
    fe47-fe4c fe50-fe7f feff-ff20 ff3b-ff40 ff5b-ff65 ffa0 ffe3 fff0-ffff 110bd 110cd 13430-1343f \
    1bca0-1bca3 1d173-1d17a 1d7ce-1d7ff 1f100-1f10a 1fbf0-1fbf9 1fffe-1ffff 2fffe-2ffff 3fffe-10ffff
    """)

  /// Accents, joiners and Arabic digits come after something else, and joiners after letters of scripts that join.
  private static let notFirst = codePoints("300-36f 660-669 200c-200d 20d0-20ff fe0f fe20-fe2f")
  private static let joiners = codePoints("200c-200d")
  private static let joined = codePoints("600-1cff")

  /// A label that runs from right to left begins with a letter that does, and holds none that does not (RFC 5893,
  /// section 2).
  private static let rightToLeft = codePoints("590-6ef 6fa-8ff fb1d-fdff fe70-fefc 10800-10fff 1e800-1efff")
  private static let eitherWay = codePoints("2d 30-39 300-36f 6f0-6f9 200c-200d")

  private static func codePoints(_ text: String) -> CodePointSet {
    CodePointSet(
      text.split(separator: " ").map { range in
        let ends = range.split(separator: "-").map { UInt32($0, radix: 16) ?? 0 }
        return ends[0]...ends[ends.count - 1]
      })
  }

  /// What the rest of a label after `xn--` stands for; or `nil` if that is nothing, or only ASCII.
  private static func punycode(_ text: Text) -> [UInt32]? {
    let hyphen = text.lastIndex(of: "-")
    var points = hyphen.map { text[..<$0].map(\.value) } ?? []
    // `a` to `z` are 0 to 25, `0` to `9` 26 to 35.
    let digits = (hyphen.map { text[$0...].dropFirst() } ?? text).map { digit in
      Int(String(digit), radix: 36).map { ($0 + 26) % 36 }
    }
    guard !digits.isEmpty, points.allSatisfy({ $0 < 0x80 && !notInHosts.contains($0) }) else { return nil }
    var (point, place, bias, position) = (128, 0, 72, 0)
    while position < digits.count {
      let before = place
      var (weight, step) = (1, 36)
      while true {
        guard position < digits.count, place <= 0x7FFF_FFFF, let digit = digits[position] else { return nil }
        position += 1
        place += digit * weight
        let threshold = min(max(step - bias, 1), 26)
        if digit < threshold { break }
        weight *= 36 - threshold
        step += 36
      }
      let count = points.count + 1
      // RFC 3492, section 6.1.
      var delta = (place - before) / (before == 0 ? 700 : 2)
      delta += delta / count
      bias = 0
      while delta > 455 { (delta, bias) = (delta / 35, bias + 36) }
      bias += 36 * delta / (delta + 38)
      point += place / count
      guard let scalar = Unicode.Scalar(UInt32(clamping: point)) else { return nil }
      place %= count
      points.insert(scalar.value, at: place)
      place += 1
    }
    return points
  }
}

extension ArraySlice<Unicode.Scalar> {
  fileprivate var string: String { String(String.UnicodeScalarView(self)) }
}
