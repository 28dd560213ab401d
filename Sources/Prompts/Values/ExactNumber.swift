/// A decimal number held exactly: ± digits × 10^exponent, with at most 34 digits.
///
/// The grammar is `-?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?` with an exponent within ±308.
/// Nothing here goes through binary floating point: 9007199254740993 and 0.1 are what they say.
public struct ExactNumber: Sendable {
  /// As it was written.
  package let text: String
  /// -1, 0 or 1.
  let sign: Int
  /// Without trailing zeros; 0 only for zero. 34 digits fit in 113 bits.
  let magnitude: UInt128
  let exponent: Int
  /// How many digits the magnitude has; 0 for zero.
  private let digitCount: Int

  /// `nil` if the text is not a number of this grammar, or beyond its bounds.
  public init?(_ text: String) {
    guard let parts = NumberReader.parts(of: text) else { return nil }
    self.text = text
    guard parts.magnitude > 0 else {
      (sign, magnitude, exponent, digitCount) = (0, 0, 0, 0)
      return
    }
    var (magnitude, exponent) = (parts.magnitude, parts.exponent)
    while magnitude.isMultipleOfTen { (magnitude, exponent) = (magnitude / 10, exponent + 1) }
    (self.sign, self.magnitude, self.exponent) = (parts.isNegative ? -1 : 1, magnitude, exponent)
    digitCount = magnitude.digitCount
  }

  /// The same number as an `Int`, or `nil` if it is not whole or does not fit.
  package var integer: Int? {
    guard exponent >= 0, magnitude <= Int.max else { return nil }
    var integer = Int(magnitude)
    for _ in 0..<exponent {
      let (product, overflow) = integer.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      integer = product
    }
    return sign * integer
  }

  static let zero = ExactNumber(zero: ())

  private init(zero: Void) { (text, sign, magnitude, exponent, digitCount) = ("0", 0, 0, 0, 0) }

  package static func == (one: ExactNumber, other: ExactNumber) -> Bool {
    one.sign == other.sign && one.magnitude == other.magnitude && one.exponent == other.exponent
  }

  package static func < (one: ExactNumber, other: ExactNumber) -> Bool {
    if one.sign != other.sign { return one.sign < other.sign }
    return one.sign < 0 ? isSmaller(other, one) : isSmaller(one, other)
  }

  /// Whether the first is nearer to zero; both have the same sign.
  private static func isSmaller(_ one: ExactNumber, _ other: ExactNumber) -> Bool {
    if one.sign == 0 { return false }
    let (a, b) = (one.digitCount + one.exponent, other.digitCount + other.exponent)
    if a != b { return a < b }
    // Same order: both scaled to the longer one's digits still fit, 34 of them at most.
    let digits = max(one.digitCount, other.digitCount)
    return one.scaled(toDigits: digits) < other.scaled(toDigits: digits)
  }

  private func scaled(toDigits digits: Int) -> UInt128 {
    var scaled = magnitude
    for _ in digitCount..<digits { scaled *= 10 }
    return scaled
  }

  /// Whether this number is `start` plus a whole number of `steps`, exactly.
  ///
  /// - Parameter step: greater than zero.
  func isWholeNumber(of step: ExactNumber, from start: ExactNumber) -> Bool {
    // As on paper, because exponents may be hundreds of digits apart: the difference in digits, the least significant
    // first, in units of the smallest power of ten of all three.
    let unit = min(exponent, start.exponent, step.exponent)
    let count = max(digitCount + exponent, start.digitCount + start.exponent) - unit + 1
    var digits = [Int](repeating: 0, count: count)
    for (number, sign) in [(self, sign), (start, -start.sign)] {
      var (rest, place) = (number.magnitude, number.exponent - unit)
      while rest > 0 {
        digits[place] += sign * Int(rest % 10)
        (rest, place) = (rest / 10, place + 1)
      }
    }
    var carry = 0
    for place in digits.indices {
      let digit = digits[place] + carry
      // Rounded down: no digit is below -20 here.
      carry = (digit + 20) / 10 - 2
      digits[place] = digit - 10 * carry
    }
    // The step ends in so many zeros. Before them it has at most 34 digits, so that ten times a remainder fits.
    let zeros = step.exponent - unit
    guard digits.prefix(zeros).allSatisfy({ $0 == 0 }) else { return false }
    // A difference below zero is carried to the end, where it is -1.
    let remainder = digits.dropFirst(zeros).reversed().reduce(carry < 0 ? step.magnitude - 1 : 0) {
      ($0 * 10 + UInt128($1)) % step.magnitude
    }
    return remainder == 0
  }

  /// This number as a JSON literal, exactly: without an exponent if it then has no more digits than may be written.
  var exactLiteral: String {
    if sign == 0 { return "0" }
    let (digits, minus) = (String(magnitude), sign < 0 ? "-" : "")
    let point = digits.utf8.count + exponent
    let most = NumberReader.maximumDigits
    if exponent >= 0, point <= most { return minus + digits + String(repeating: "0", count: exponent) }
    if exponent < 0, point > 0 { return "\(minus)\(digits.prefix(point)).\(digits.dropFirst(point))" }
    if exponent < 0, 1 - exponent <= most { return "\(minus)0.\(String(repeating: "0", count: -point))\(digits)" }
    let fraction = digits.dropFirst()
    return "\(minus)\(digits.prefix(1))\(fraction.isEmpty ? "" : ".\(fraction)")e\(point - 1)"
  }

  /// A JSON literal for this number, or `nil` if no double has its shortest decimal at this value.
  var jsonLiteral: String? {
    guard let double = Double(text), double.isFinite else { return nil }
    var shortest = double == 0 ? "0" : "\(double)"
    if shortest.hasSuffix(".0") { shortest.removeLast(2) }
    return ExactNumber(shortest).flatMap { $0 == self ? shortest : nil }
  }
}

extension UInt128 {
  // Most numbers fit into one word, which divides many times faster.

  fileprivate var isMultipleOfTen: Bool {
    if let word = UInt64(exactly: self) { word % 10 == 0 } else { self % 10 == 0 }
  }

  fileprivate var digitCount: Int {
    var (count, rest) = (0, self)
    while rest > UInt64.max { (count, rest) = (count + 1, rest / 10) }
    var word = UInt64(rest)
    while word > 0 { (count, word) = (count + 1, word / 10) }
    return count
  }
}

/// Reads the number grammar.
struct NumberReader {
  struct Parts {
    var isNegative = false
    var magnitude: UInt128 = 0
    var exponent = 0
  }

  static let maximumDigits = 34

  private var rest: Substring.UTF8View

  static func parts(of text: String) -> Parts? {
    var reader = NumberReader(rest: text.utf8[...])
    return reader.number()
  }

  /// Whether a text is `-?[0-9]+`, with at most 34 digits.
  static func isInteger(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return (1...maximumDigits).contains(digits.count) && digits.allSatisfy(ASCII.isDigit)
  }

  private mutating func number() -> Parts? {
    var parts = Parts()
    parts.isNegative = skip("-")
    let whole = digits(), hasFraction = skip("."), fraction = hasFraction ? digits() : whole.suffix(0)
    if hasFraction && fraction.isEmpty { return nil }
    guard (1...Self.maximumDigits).contains(whole.count + fraction.count) else { return nil }
    for digit in whole { parts.magnitude = parts.magnitude * 10 + UInt128(ASCII.digit(digit)) }
    for digit in fraction { parts.magnitude = parts.magnitude * 10 + UInt128(ASCII.digit(digit)) }
    if skip("e") || skip("E") {
      let isNegative = !skip("+") && skip("-"), digits = digits()
      let exponent = digits.reduce(0) { min($0 * 10 + ASCII.digit($1), 1_000) }
      guard !digits.isEmpty, exponent <= 308 else { return nil }
      parts.exponent = isNegative ? -exponent : exponent
    }
    guard rest.isEmpty else { return nil }
    parts.exponent -= fraction.count
    return parts
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digits() -> Substring.UTF8View {
    let digits = rest.prefix(while: ASCII.isDigit)
    rest = rest[digits.endIndex...]
    return digits
  }
}
