/// Labels of a host's name, beyond ASCII too. `Public/hosts.js` has the same ranges.
enum HostLabel {
  /// Where the label ends that begins here, before a dot or at the end of the text: 1 to 63 letters, digits and hyphens,
  /// with a hyphen at neither end. `nil` if it is no such label.
  static func endOfASCII(in bytes: [UInt8], from start: Int) -> Int? {
    let hyphen = UInt8(ascii: "-")
    // RFC 1123, section 2.1.
    let end =
      bytes[start...].firstIndex { !ASCII.isLetter($0) && !ASCII.isDigit($0) && $0 != hyphen } ?? bytes.count
    guard (1...63).contains(end - start), bytes[start] != hyphen, bytes[end - 1] != hyphen,
      end == bytes.count || bytes[end] == UInt8(ascii: ".")
    else { return nil }
    return end
  }

  /// What a URL's host may have, except `_`.
  static func isInternational(_ label: ArraySlice<UInt8>) -> Bool {
    // The longest has 63 code points: a longer text need not be taken apart.
    guard label.count <= 4 * 63, !label.contains(UInt8(ascii: "_")) else { return false }
    return isAny(Array(String(decoding: label, as: UTF8.self).unicodeScalars)[...])
  }

  /// Whether a URL's host may have it: 1 to 63 code points that URL parsers accept there. A label in Punycode (RFC 3492)
  /// is judged as what it stands for.
  static func isAny(_ label: ArraySlice<Unicode.Scalar>) -> Bool {
    guard (1...63).contains(label.count) else { return false }
    let isSpelled =
      label.count >= 4 && label.prefix(4).map { $0.value | 0x20 }.elementsEqual("xn--".utf8.map { UInt32($0) })
    guard let points = isSpelled ? punycode(label.dropFirst(4)) : label.map(\.value), let first = points.first,
      first != hyphen, points.last != hyphen, !isIn(notFirst, first)
    else { return false }
    if points.allSatisfy({ $0 < 0x80 }) { return points.allSatisfy { !isIn(notInHosts, $0) } }
    let isRightToLeft = points.contains { isIn(rightToLeft, $0) }
    return points.indices.allSatisfy { index in
      let point = points[index]
      return !isIn(notInHosts, point) && (!isIn(joiners, point) || index > 0 && isIn(joined, points[index - 1]))
        && (!isRightToLeft || isIn(rightToLeft, point) || index > 0 && isIn(eitherWay, point))
    }
  }

  private static let hyphen: UInt32 = 0x2D

  /// What no parser accepts in a host's name (Unicode TS 46), as far as that does not change with Unicode's versions:
  /// controls, private use, what shrinks to nothing, and what reads as punctuation, a digit or a space of ASCII.
  private static let notInHosts = ranges(
    """
    0-2c 2e-2f 3a-40 5b-5e 60 7b-a0 a8 ad af b2-b4 b8-b9 2d8-2dd 34f 37a 384-385 61c 6dd 70f 115f-1160 \
    1680 17b4-17b5 180b-180f 1fbd 1fbf-1fc1 1fcd-1fcf 1fdd-1fdf 1fed-1fef 1ffd-1ffe 2000-200b 200e-200f \
    2017 2024-202f 203e 2047-2049 205f-2079 2080-2089 2100-2101 2105-2106 2460-249b 24ea 2a74 2ff0-3000 \
    3002 309b-309c 3164 33c2 33c7 33d8 d800-f8ff fc5e-fc63 fdd0-fdef fdfa-fdfb fe00-fe0e fe10-fe1f fe30 \
    fe47-fe4c fe50-fe7f feff-ff20 ff3b-ff40 ff5b-ff65 ffa0 ffe3 fff0-ffff 110bd 110cd 13430-1343f \
    1bca0-1bca3 1d173-1d17a 1d7ce-1d7ff 1f100-1f10a 1fbf0-1fbf9 1fffe-1ffff 2fffe-2ffff 3fffe-10ffff
    """)

  /// Accents, joiners and Arabic digits come after something else, and joiners after letters of scripts that join.
  private static let notFirst = ranges("300-36f 660-669 200c-200d 20d0-20ff fe0f fe20-fe2f")
  private static let joiners = ranges("200c-200d")
  private static let joined = ranges("600-1cff")

  /// A label that runs from right to left begins with a letter that does, and holds none that does not (RFC 5893,
  /// section 2).
  private static let rightToLeft = ranges("590-6ef 6fa-8ff fb1d-fdff fe70-fefc 10800-10fff 1e800-1efff")
  private static let eitherWay = ranges("2d 30-39 300-36f 6f0-6f9 200c-200d")

  private static func ranges(_ text: String) -> [ClosedRange<UInt32>] {
    text.split(separator: " ").map { range in
      let ends = range.split(separator: "-").map { UInt32($0, radix: 16) ?? 0 }
      return ends[0]...ends[ends.count - 1]
    }
  }

  private static func isIn(_ ranges: [ClosedRange<UInt32>], _ point: UInt32) -> Bool {
    ranges.contains { $0.contains(point) }
  }

  /// What the rest of a label after `xn--` stands for; or `nil` if that is nothing, or only ASCII.
  private static func punycode(_ text: ArraySlice<Unicode.Scalar>) -> [UInt32]? {
    let split = text.lastIndex(of: "-")
    let plain = split.map { text[..<$0] } ?? []
    let digits = text[(split.map { $0 + 1 } ?? text.startIndex)...].map(Self.digit)
    guard !digits.isEmpty, plain.allSatisfy({ $0.isASCII && !isIn(notInHosts, $0.value) }) else { return nil }
    var points = plain.map(\.value)
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
      bias = Self.bias(place - before, count, isFirst: before == 0)
      point += place / count
      guard let scalar = Unicode.Scalar(UInt32(clamping: point)) else { return nil }
      place %= count
      points.insert(scalar.value, at: place)
      place += 1
    }
    return points
  }

  /// RFC 3492, section 6.1.
  private static func bias(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = delta / (isFirst ? 700 : 2)
    delta += delta / count
    var bias = 0
    while delta > 455 {
      delta /= 35
      bias += 36
    }
    return bias + 36 * delta / (delta + 38)
  }

  /// `a` to `z` are 0 to 25, `0` to `9` 26 to 35.
  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    if ASCII.isLetter(scalar.value) { return Int(scalar.value | 0x20) - 0x61 }
    return ASCII.isDigit(scalar.value) ? ASCII.digit(scalar.value) + 26 : nil
  }
}

/// The text forms of IP addresses.
enum HostAddress {
  /// Four decimal parts from 0 to 255 without leading zeros.
  static func isIPv4(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard (1...3).contains(part.count), part.allSatisfy(ASCII.isDigit),
          part.count == 1 || part.first != UInt8(ascii: "0")
        else { return false }
        return part.reduce(0) { $0 * 10 + ASCII.digit($1) } <= 255
      }
  }

  /// RFC 4291, section 2.2: eight groups, `::` once for one group or more, perhaps an IPv4 tail; no zone.
  static func isIPv6(_ text: String) -> Bool {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    guard halves.count <= 2 else { return false }
    var groups = 0
    for (index, half) in halves.enumerated() where !(half.isEmpty && halves.count == 2) {
      let parts = half.split(separator: ":", omittingEmptySubsequences: false)
      for (position, part) in parts.enumerated() {
        if position == parts.count - 1, index == halves.count - 1, part.utf8.contains(UInt8(ascii: ".")) {
          if !isIPv4(String(part)) { return false }
          groups += 2
        } else if (1...4).contains(part.utf8.count), part.utf8.allSatisfy(ASCII.isHexDigit) {
          groups += 1
        } else {
          return false
        }
      }
    }
    return halves.count == 2 ? groups <= 7 : groups == 8
  }
}
