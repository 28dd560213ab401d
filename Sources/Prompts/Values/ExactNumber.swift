/// A decimal number held exactly: ± digits × 10^exponent, with at most 34 digits.
///
/// The grammar is `-?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?` with an exponent within ±308.
/// Nothing here goes through binary floating point: 9007199254740993 and 0.1 are what they say.
public struct ExactNumber: Sendable {
  /// As it was written.
  public let text: String
  /// -1, 0 or 1.
  let sign: Int
  /// Without trailing zeros; 0 only for zero. 34 digits fit in 113 bits.
  let magnitude: UInt128
  let exponent: Int

  static let maximumDigits = 34
  /// The grammar, with any number of digits.
  static let form = #"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?0*(?:[0-9]{1,2}|[12][0-9]{2}|30[0-8]))?"#
  static let zero = ExactNumber(0)

  /// `nil` if the text is not a number of this grammar, or beyond its bounds.
  public init?(_ text: String) {
    var rest = text.utf8[...]
    let isNegative = rest.take("-"), whole = rest.takeDigits()
    let hasPoint = rest.take("."), fraction = hasPoint ? rest.takeDigits() : ""[...].utf8
    guard !(hasPoint ? fraction : whole).isEmpty, whole.count + fraction.count <= Self.maximumDigits else { return nil }
    var (power, magnitude) = (0, UInt128(0))
    if rest.take("e") || rest.take("E") {
      let isSmall = rest.take("-")
      if !isSmall { _ = rest.take("+") }
      let digits = rest.takeDigits()
      for digit in digits where power <= 308 { power = power * 10 + ASCII.digit(digit) }
      guard !digits.isEmpty, power <= 308 else { return nil }
      if isSmall { power.negate() }
    }
    guard rest.isEmpty else { return nil }
    var exponent = power - fraction.count
    for digits in [whole, fraction] {
      for digit in digits { magnitude = magnitude * 10 + UInt128(ASCII.digit(digit)) }
    }
    if magnitude == 0 { exponent = 0 }
    while magnitude > 0, magnitude % 10 == 0 { (magnitude, exponent) = (magnitude / 10, exponent + 1) }
    self.text = text
    self.magnitude = magnitude
    self.exponent = exponent
    sign = magnitude == 0 ? 0 : isNegative ? -1 : 1
  }

  /// A whole number.
  init(_ number: Int) {
    guard let exact = ExactNumber("\(number)") else { preconditionFailure("\(number) has too many digits") }
    self = exact
  }

  /// The shortest decimal that a double is nearest to, or `nil` if the double is not finite.
  init?(shortest double: Double) {
    let parts = "\(double)".split(separator: "e"), power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    // Below 1e-308 a number has zeros before its digits.
    let small = power < -308 ? ExactNumber(String(parts[0])).map { "\($0.decimal(over: -308 - power))e-308" } : nil
    self.init(small ?? "\(double)")
  }

  private var digits: String { String(magnitude) }
  private var digitCount: Int { (Self.powersOfTen.firstIndex { magnitude < $0 } ?? Self.maximumDigits) + 1 }
  /// 10, 100 and so on, up to the largest that has no more digits than a number may have.
  private static let powersOfTen: [UInt128] = (2...maximumDigits).reduce(into: [10]) { powers, _ in
    powers.append((powers.last ?? 1) * 10)
  }
  /// The number of digits before the point; below zero, the number of zeros after it.
  var point: Int { digitCount + exponent }

  /// The same number as an `Int`, or `nil` if it is not whole or does not fit.
  var integer: Int? { exponent < 0 ? nil : Int(exactLiteral) }

  static func == (one: ExactNumber, other: ExactNumber) -> Bool {
    one.sign == other.sign && one.magnitude == other.magnitude && one.exponent == other.exponent
  }

  /// True if it is farther from zero than another number is.
  func isBeyond(_ limit: ExactNumber) -> Bool {
    let (point, other) = (point, limit.point)
    if point != other { return point > other }
    // The one with fewer digits gets as many as the other one has.
    let zeros = exponent - limit.exponent
    return zeros > 0
      ? magnitude * Self.powersOfTen[zeros - 1] > limit.magnitude
      : zeros < 0 ? magnitude > limit.magnitude * Self.powersOfTen[-zeros - 1] : magnitude > limit.magnitude
  }

  static func < (one: ExactNumber, other: ExactNumber) -> Bool {
    if one.sign != other.sign { return one.sign < other.sign }
    return one.sign < 0 ? one.isBeyond(other) : other.isBeyond(one)
  }

  /// True if this number is `start` plus a whole number of `steps`, exactly.
  ///
  /// - Parameter step: greater than zero.
  func isWholeNumber(of step: ExactNumber, from start: ExactNumber) -> Bool {
    guard step.sign > 0 else { return false }
    let parts = [(self, sign), (start, -start.sign)].filter { $1 != 0 }
    let divisor = Int128(step.magnitude), last = parts.map(\.0.exponent).min() ?? step.exponent
    if last >= step.exponent {
      // In units of the step's last digit both are whole, and may have hundreds of zeros: their remainders are enough.
      let difference = parts.reduce(Int128(0)) { sum, part in
        let zeros = part.0.exponent - step.exponent
        return sum + Int128(part.1)
          * (0..<zeros).reduce(Int128(part.0.magnitude) % divisor) { rest, _ in rest * 10 % divisor }
      }
      return difference % divisor == 0
    }
    // Digits behind the step's last one have to cancel out, so that the last ones stand at the same place.
    guard parts.allSatisfy({ $0.0.exponent == last }) else { return false }
    var difference = parts.reduce(Int128(0)) { $0 + Int128($1.1) * Int128($1.0.magnitude) }
    for _ in last..<step.exponent where difference != 0 {
      if difference % 10 != 0 { return false }
      difference /= 10
    }
    return difference % divisor == 0
  }

  /// This number as a JSON literal, exactly: without an exponent if it then has no more digits than may be written.
  var exactLiteral: String {
    if sign == 0 { return "0" }
    let count = exponent < 0 ? max(digitCount, 1 - exponent) : point
    if count <= Self.maximumDigits { return decimal(over: 0) }
    // A number is read back with no other exponent.
    let power = min(max(point - 1, -308), 308)
    return "\(decimal(over: power))e\(power)"
  }

  /// This number divided by a power of ten, without an exponent.
  private func decimal(over power: Int) -> String {
    let (digits, point, minus) = (digits, point - power, sign < 0 ? "-" : "")
    if point <= 0 { return "\(minus)0.\(String(repeating: "0", count: -point))\(digits)" }
    let fraction = digits.dropFirst(point)
    let whole = digits.prefix(point) + String(repeating: "0", count: max(0, point - digits.utf8.count))
    return "\(minus)\(whole)\(fraction.isEmpty ? "" : ".\(fraction)")"
  }

  /// A JSON literal for this number, or `nil` if no double has its shortest decimal at this value.
  var jsonLiteral: String? {
    guard let double = Double(text), double.isFinite else { return nil }
    var shortest = double == 0 ? "0" : "\(double)"
    if shortest.hasSuffix(".0") { shortest.removeLast(2) }
    return ExactNumber(shortest).flatMap { $0 == self ? shortest : nil }
  }
}
