internal import Foundation

/// The beginning of a slider.
///
/// A browser counts its steps from `min` (HTML, 4.10.5.3.8), the rule `step` from its own `from`. A slider that began
/// between the rule's steps would offer none of the valid values, so it begins at the first of them.
enum SliderScale {
  /// The first step that is not below `min`.
  ///
  /// - Returns: `min` as it is if decimals of 38 digits cannot tell.
  static func start(min: String, step: String?, from: String?) -> String {
    guard let least = decimal(min), let step = decimal(step ?? "0"), let from = decimal(from ?? "0"), step > 0
    else { return min }
    var steps = (least - from) / step, whole = Decimal()
    unsafe NSDecimalRound(&whole, &steps, 0, .up)
    let start = from + whole * step
    guard start > least, start - step < least else { return min }
    return "\(start)"
  }

  /// `nil` beyond a decimal's exponents.
  private static func decimal(_ text: String) -> Decimal? {
    // The text is a number by our own grammar, so all of it is read, in no locale.
    Decimal(string: text).flatMap { $0.isFinite ? $0 : nil }
  }
}
