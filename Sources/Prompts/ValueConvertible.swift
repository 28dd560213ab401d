/// A value as a program writes it: a text, a number, true or false, a list of these, or a `Value`.
///
/// ```swift
/// let values: Values = ["email": address, "guests": count, "extras": ["card", "box"]]
/// ```
public protocol ValueConvertible: Sendable {
  /// The same as a value.
  var asValue: Value { get }
}

extension ValueConvertible where Self == Value {
  /// A whole number.
  public static func number(_ number: some BinaryInteger) -> Value { .number("\(number)") }

  /// The shortest decimal that this double is nearest to, as Swift prints it. One that is not finite is a text, which no
  /// rule of numbers takes.
  public static func number(_ number: Double) -> Value {
    ExactNumber(shortest: number).map { .number($0.exactLiteral) } ?? .text("\(number)")
  }
}

extension Value: ValueConvertible {
  /// Itself.
  public var asValue: Value { self }
}

extension Values: ValueConvertible {
  /// An object.
  public var asValue: Prompts.Value { .object(self) }
}

extension String: ValueConvertible {
  /// A text.
  public var asValue: Value { .text(self) }
}

extension Int: ValueConvertible {
  /// A number.
  public var asValue: Value { .number(self) }
}

extension Double: ValueConvertible {
  /// A number: the decimal that Swift prints.
  public var asValue: Value { .number(self) }
}

extension Bool: ValueConvertible {
  /// The state of a `boolean` field: true if it is on.
  public var asValue: Value { .boolean(self) }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  /// Null if there is nothing.
  public var asValue: Value { self?.asValue ?? .null }
}

extension Array: ValueConvertible where Element: ValueConvertible {
  /// The chosen options of a `choices` field, or the items of a `list`.
  public var asValue: Value {
    let values = map(\.asValue), texts = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
    return texts.count == values.count ? .choices(texts) : .list(values)
  }
}

extension Dictionary: ValueConvertible where Key == String, Value: ValueConvertible {
  /// An object, in the order of its names.
  public var asValue: Prompts.Value { .object(Prompts.Values(mapValues { $0.asValue })) }
}
