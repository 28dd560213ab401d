internal import Prompts

extension Node.Content {
  /// What an unquoted scalar means in YAML 1.2 (10.3.2, core schema), by its text alone.
  ///
  /// Only `true`, `false`, `null`, `~` and nothing at all are words of their own; `yes`, `off`,
  /// `True` and `2025-01-31` are texts. Numbers keep their literal.
  init(plain text: String) {
    switch text {
    case "", "~", "null": self = .null
    case "true": self = .bool(true)
    case "false": self = .bool(false)
    default: self = Self.isNumber(text) ? .number(text) : .string(text)
    }
  }

  /// `[-+]?[0-9]+`, `0o[0-7]+`, `0x[0-9a-fA-F]+`, `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`,
  /// and the words for infinity and not-a-number.
  private static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first, first < 0x3A else { return false }
    if text.hasPrefix("0o") { return isDigits(text.utf8.dropFirst(2), in: 0x30...0x37) }
    if text.hasPrefix("0x") {
      let digits = text.utf8.dropFirst(2)
      return !digits.isEmpty && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    if [".inf", ".Inf", ".INF"].contains(Substring(rest)) || [".nan", ".NaN", ".NAN"].contains(text) { return true }
    let exponent = rest.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
    if let exponent {
      var digits = rest[rest.index(after: exponent)...]
      if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
      if !isDigits(digits) { return false }
    }
    let mantissa = rest[..<(exponent ?? rest.endIndex)]
    let point = mantissa.firstIndex(of: UInt8(ascii: "."))
    let whole = mantissa[..<(point ?? mantissa.endIndex)]
    guard let point else { return isDigits(whole) }
    let fraction = mantissa[mantissa.index(after: point)...]
    return whole.isEmpty ? isDigits(fraction) : isDigits(whole) && (fraction.isEmpty || isDigits(fraction))
  }

  private static func isDigits(_ bytes: Substring.UTF8View, in range: ClosedRange<UInt8> = 0x30...0x39) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(range.contains)
  }
}
