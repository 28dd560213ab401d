/// A natural number of any length as decimal digits, times a power of ten.
///
/// Long subtraction and division on paper: what the `step` rule needs when exponents lie
/// hundreds of digits apart.
struct DecimalDigits {
  /// The most significant first; none is zero.
  private var digits: [UInt8]
  private(set) var exponent: Int

  var isZero: Bool { digits.isEmpty }

  /// |one − other|, or |one| + |other| where the signs differ.
  static func difference(_ one: ExactNumber, _ other: ExactNumber) -> DecimalDigits {
    let exponent = min(one.sign == 0 ? other.exponent : one.exponent, other.sign == 0 ? one.exponent : other.exponent)
    let (a, b) = (aligned(one, to: exponent), aligned(other, to: exponent))
    let digits = one.sign * other.sign < 0 ? sum(a, b) : gap(a, b)
    return DecimalDigits(digits: Array(digits.drop { $0 == 0 }), exponent: exponent)
  }

  /// Without its last `count` digits if they are all zero, nil if not; a negative count adds zeros.
  func dividedByPowerOfTen(_ count: Int) -> DecimalDigits? {
    if count <= 0 {
      return DecimalDigits(digits: digits + Array(repeating: 0, count: -count), exponent: exponent + count)
    }
    guard count <= digits.count, digits.suffix(count).allSatisfy({ $0 == 0 }) else { return nil }
    return DecimalDigits(digits: digits.dropLast(count), exponent: exponent + count)
  }

  /// - Parameter divisor: at most 34 digits, so that ten times a remainder fits.
  func remainder(dividingBy divisor: UInt128) -> UInt128 {
    digits.reduce(0) { ($0 * 10 + UInt128($1)) % divisor }
  }

  private init(digits: [UInt8], exponent: Int) {
    self.digits = digits
    self.exponent = exponent
  }

  private static func aligned(_ number: ExactNumber, to exponent: Int) -> [UInt8] {
    if number.sign == 0 { return [] }
    var digits: [UInt8] = []
    var rest = number.magnitude
    while rest > 0 {
      digits.append(UInt8(rest % 10))
      rest /= 10
    }
    return digits.reversed() + Array(repeating: 0, count: number.exponent - exponent)
  }

  private static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    let length = max(a.count, b.count) + 1
    var (x, carry) = (padded(a, to: length), UInt8(0))
    let y = padded(b, to: length)
    for index in x.indices.reversed() {
      let digit = x[index] + y[index] + carry
      (x[index], carry) = (digit % 10, digit / 10)
    }
    return x
  }

  private static func gap(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    let length = max(a.count, b.count)
    var (x, y) = (padded(a, to: length), padded(b, to: length))
    if x.lexicographicallyPrecedes(y) { swap(&x, &y) }
    var borrow: UInt8 = 0
    for index in x.indices.reversed() {
      let taken = y[index] + borrow
      borrow = x[index] < taken ? 1 : 0
      x[index] = x[index] + borrow * 10 - taken
    }
    return x
  }

  private static func padded(_ digits: [UInt8], to length: Int) -> [UInt8] {
    Array(repeating: 0, count: length - digits.count) + digits
  }
}
