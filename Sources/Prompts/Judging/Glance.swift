/// What the bytes of a text tell by themselves.
///
/// Nearly every input is a text, and nearly every rule needs neither a copy of it nor the other fields. Without a glance, a
/// verdict takes about twice as many instructions (`VerdictBench`).
enum Glance {
  case valid
  /// By which of the field's rules.
  case invalid(Int)
  /// Not enough.
  case open
}

extension Field {
  /// What a glance at a text in UTF-8 tells.
  func glance(at bytes: UnsafeBufferPointer<UInt8>) -> Glance {
    guard kind != .boolean, isPlain(bytes) else { return .open }
    if optional && bytes.isEmpty { return .valid }
    let glance = rules.glance(at: bytes)
    guard case .valid = glance, !bytes.isEmpty, !allow.isEmpty else { return glance }
    if case .valid = allow.glance(at: bytes) { return .valid }
    return .open
  }

  /// Whether it is a text that `normalized` leaves as it is and in which `TextRule` finds no fault: it has no control
  /// character, nothing at its ends that may be trimmed, and is not too long.
  private func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if trim, let first = bytes.first, let last = bytes.last, !(0x21...0x7E ~= first && 0x21...0x7E ~= last) {
      return false
    }
    return bytes.count <= TextRule.limit && !bytes.hasControl
  }
}

extension [Rule] {
  fileprivate func glance(at bytes: UnsafeBufferPointer<UInt8>) -> Glance {
    for index in indices {
      guard let isMet = borrow(index, { $0.step.isMet(by: bytes) }) else { return .open }
      if !isMet { return .invalid(index) }
    }
    return .valid
  }
}

/// A rule as a glance takes it: the commonest kinds, called without a protocol in between.
enum Step: Sendable {
  case nonEmpty
  case length(Length)
  case pattern(Pattern)
  case email(EmailRule)
  case integer
  /// A number between whole numbers.
  case range(Int, Int)
  case oneOf(TextSet)
  /// Its condition has to judge.
  case condition

  /// Whether a text in UTF-8 meets the rule, or `nil` if its bytes are not enough to tell.
  func isMet(by bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch self {
    case .nonEmpty: !bytes.isEmpty
    case .length(let length): length.isMet(by: bytes)
    case .pattern(let pattern): pattern.matches(bytes)
    case .email(let email): email.isMet(by: bytes)
    case .integer: NumberReader.isInteger(bytes)
    case .range(let min, let max): NumberReader.shortInteger(bytes).map { min <= $0 && $0 <= max }
    case .oneOf(let values): values.contains(bytes)
    case .condition: nil
    }
  }
}
