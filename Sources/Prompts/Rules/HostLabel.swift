internal import Glibc

/// Labels of a host's name, beyond ASCII too. `Unicode/hosts.txt` says which code points they have.
enum HostLabel {
  typealias Text = ArraySlice<Unicode.Scalar>

  /// True for the full stop and the three others that parsers read as dots.
  static func isDot(_ scalar: Unicode.Scalar) -> Bool { [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"].contains(scalar) }

  /// True if a text is an IP address in the place of a name: for IPv4, four numbers without leading zeros; for IPv6, a
  /// form of RFC 4291, section 2.2, without a zone.
  static func isAddress(_ text: some Sequence<Unicode.Scalar>, _ family: Int32) -> Bool {
    var address = in6_addr()
    let text = Array(text)
    return !text.contains("\0") && inet_pton(family, text[...].string, &address) == 1
  }

  /// 1 to 63 letters, digits and hyphens, with a hyphen at neither end (RFC 1123, section 2.1).
  static func isASCII(_ label: Span<UInt8>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label[0] != hyphen && label[label.count - 1] != hyphen
      && label.indices.allSatisfy { ASCII.isLetter(label[$0]) || ASCII.isDigit(label[$0]) || label[$0] == hyphen }
  }

  /// True if an international e-mail address may have this label: any label of a URL, but without `_`, which host names
  /// do not allow.
  static func isInternational(_ label: ArraySlice<UInt8>) -> Bool {
    !label.contains(UInt8(ascii: "_")) && isAny(Array(String(decoding: label, as: UTF8.self).unicodeScalars)[...])
  }

  /// True if a URL's host may have it: 1 to 63 code points that URL parsers accept there. A label in Punycode (RFC
  /// 3492) is judged as what it stands for.
  static func isAny(_ label: Text) -> Bool {
    guard (1...63).contains(label.count) else { return false }
    let isSpelled = label.prefix(4).string.lowercased() == "xn--"
    guard let points = isSpelled ? punycode(label.dropFirst(4)) : label.map(\.value), let first = points.first,
      first != hyphen, points.last != hyphen, !notFirst.contains(first)
    else { return false }
    let isRightToLeft = points.contains(where: rightToLeft.contains)
    return points.indices.allSatisfy { index in
      let point = points[index]
      return !never.contains(point)
        && (!joiners.contains(point) || index > 0 && joined.contains(points[index - 1]))
        && (!isRightToLeft || rightToLeft.contains(point) || index > 0 && eitherWay.contains(point))
    }
  }

  private static let hyphen: UInt32 = 0x2D

  private static let never = UnicodeData.set("never", in: "hosts.txt")
  private static let notFirst = UnicodeData.set("notFirst", in: "hosts.txt")
  private static let joiners = UnicodeData.set("joiners", in: "hosts.txt")
  private static let joined = UnicodeData.set("joined", in: "hosts.txt")
  private static let rightToLeft = UnicodeData.set("rightToLeft", in: "hosts.txt")
  private static let eitherWay = UnicodeData.set("eitherWay", in: "hosts.txt")

  /// Decodes the rest of a label after `xn--`; `nil` if it stands for nothing, or only for ASCII.
  private static func punycode(_ text: Text) -> [UInt32]? {
    let hyphen = text.lastIndex(of: "-")
    var points = hyphen.map { text[..<$0].map(\.value) } ?? []
    // `a` to `z` are 0 to 25, `0` to `9` 26 to 35.
    let digits = (hyphen.map { text[$0...].dropFirst() } ?? text).map { digit in
      Int(String(digit), radix: 36).map { ($0 + 26) % 36 }
    }
    guard !digits.isEmpty, points.allSatisfy({ $0 < 0x80 && !never.contains($0) }) else { return nil }
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
      bias = Punycode.bias(after: place - before, count, isFirst: before == 0)
      point += place / count
      guard let scalar = Unicode.Scalar(UInt32(clamping: point)) else { return nil }
      place %= count
      points.insert(scalar.value, at: place)
      place += 1
    }
    return points
  }
}

/// The adaptation of Punycode's digits to the distances between code points (RFC 3492, section 6.1).
package enum Punycode {
  /// - Parameters:
  ///   - distance: to the code point that was just written or read.
  ///   - count: code points by now.
  package static func bias(after distance: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = distance / (isFirst ? 700 : 2)
    delta += delta / count
    var bias = 0
    while delta > 455 { (delta, bias) = (delta / 35, bias + 36) }
    return bias + 36 * delta / (delta + 38)
  }
}

extension ArraySlice<Unicode.Scalar> {
  var string: String { String(String.UnicodeScalarView(self)) }
}
