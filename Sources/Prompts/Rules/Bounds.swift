/// A number that has an exact decimal, for bounds and steps: `Int`, `Double` and `ExactNumber`.
public protocol DecimalNumber: Sendable {
  /// The decimal. A `Double` is the one that Swift prints for it; it must be finite.
  var exactNumber: ExactNumber { get }
}

extension Int: DecimalNumber {
  /// The same number.
  public var exactNumber: ExactNumber { ExactNumber(self) }
}

extension Double: DecimalNumber {
  /// The shortest decimal that this double is nearest to; it must be finite.
  public var exactNumber: ExactNumber {
    // Without a fraction of zero, as people write it.
    guard let number = ExactNumber(shortest: self).flatMap({ ExactNumber($0.exactLiteral) }) else {
      preconditionFailure("\(self) is no number for a rule")
    }
    return number
  }
}

extension ExactNumber: DecimalNumber {
  /// Itself.
  public var exactNumber: ExactNumber { self }
}

/// A range that has its ends in it: `1...5`, `1...` or `...5`.
public protocol InclusiveRange<Bound> {
  associatedtype Bound
  /// Its ends; `nil` for one that it does not have.
  var ends: (min: Bound?, max: Bound?) { get }
}

extension ClosedRange: InclusiveRange {
  /// Both ends.
  public var ends: (min: Bound?, max: Bound?) { (lowerBound, upperBound) }
}

extension PartialRangeFrom: InclusiveRange {
  /// Its lower end.
  public var ends: (min: Bound?, max: Bound?) { (lowerBound, nil) }
}

extension PartialRangeThrough: InclusiveRange {
  /// Its upper end.
  public var ends: (min: Bound?, max: Bound?) { (nil, upperBound) }
}
