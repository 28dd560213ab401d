internal import Foundation

/// Where a slider begins.
///
/// A browser counts its steps from `min` (HTML, 4.10.5.3.8), the rule `step` from its own `from`. A slider that began
/// beside the rule's steps would offer none of the valid values, so it begins at the first of them.
enum SliderScale {
  /// The first step that is not below `min`.
  ///
  /// - Returns: `min` as it is where decimals of 38 digits cannot tell.
  static func start(min: String, step: String, from: String?) -> String {
    guard let least = decimal(min), let step = decimal(step), let from = decimal(from ?? "0"), step > 0
    else { return min }
    var steps = (least - from) / step, whole = Decimal()
    NSDecimalRound(&whole, &steps, 0, .up)
    let start = from + whole * step
    guard start > least, start - step < least else { return min }
    return "\(start)"
  }

  /// nil: beyond a decimal's exponents.
  private static func decimal(_ text: String) -> Decimal? {
    // Number grammar, so the whole text is read; the locale is none.
    guard let decimal = Decimal(string: text), decimal.isFinite else { return nil }
    return decimal
  }
}
