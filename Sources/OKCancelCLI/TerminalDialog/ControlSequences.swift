/// Takes apart what a terminal sends, byte by byte: characters in UTF-8, and control sequences and strings (ECMA-48).
struct ControlSequences: Sendable {
  enum Unit: Sendable, Equatable {
    /// A character that is text, or a control of C0.
    case character(Unicode.Scalar)
    /// Escape with nothing behind it.
    case escape
    /// A control that was sent with Alt.
    case alternate(UInt8)
    /// What began with CSI (`[`), SS3 (`O`) or Escape and an intermediate byte, up to its final byte.
    case sequence(UInt8, parameters: String, final: UInt8)
    /// Bytes that are no UTF-8.
    case illFormed
  }

  private enum State: Sendable, Equatable {
    case ground, escape
    /// The bytes of a character so far. With Alt it means nothing.
    case character([UInt8], hasAlternate: Bool)
    case sequence(UInt8, [UInt8])
    /// Characters that belong to a sequence and come after its final byte.
    case trailer(Int)
    case string
  }

  /// What comes after the final byte of a sequence without parameters: the reports of a mouse (X10, and tracking of
  /// highlights), and the letter of a function key in Linux's console.
  private static let trailers: [UInt8: Int] = [0x4D: 3, 0x74: 2, 0x54: 6, 0x5B: 1]
  /// A known sequence is shorter.
  private static let parameterLimit = 32

  private var state = State.ground
  private var last: UInt8 = 0
  /// True if Escape was the last key. Over a slow line it may have been the first part of something longer.
  private var hasEscaped = false

  /// True between two units.
  var isComplete: Bool { state == .ground }
  /// True if Escape has come, and it may be a key or the first byte of more.
  var isAfterEscape: Bool { state == .escape }

  /// The units that this byte completes.
  mutating func read(_ byte: UInt8) -> [Unit] {
    defer { last = byte }
    // Ctrl-C ends everything.
    if byte == 0x03 { return begin(byte) }
    switch state {
    case .ground: return begin(byte)
    case .escape: return continueEscape(byte)
    case .character(let bytes, let hasAlternate):
      guard byte & 0xC0 == 0x80 else { return [.illFormed] + begin(byte) }
      return character(bytes + [byte], hasAlternate)
    case .sequence(let introducer, let parameters):
      switch byte {
      case 0x20..<(Self.isControl(introducer) ? 0x40 : 0x30):
        state = .sequence(introducer, parameters.count < Self.parameterLimit ? parameters + [byte] : parameters)
        return []
      case 0x30...0x7E:
        let trailer = introducer == UInt8(ascii: "[") && parameters.isEmpty ? Self.trailers[byte] : nil
        state = trailer.map(State.trailer) ?? .ground
        if trailer != nil { return [] }
        return [.sequence(introducer, parameters: String(decoding: parameters, as: UTF8.self), final: byte)]
      default: return begin(byte)
      }
    case .trailer(let count):
      if byte == 0x1B { return begin(byte) }
      // A coordinate can be a character of two bytes.
      if byte & 0xC0 == 0x80, Self.beginsPair(last) {
        state = count > 0 ? state : .ground
      } else if count > 0 {
        state = count > 1 || Self.beginsPair(byte) ? .trailer(count - 1) : .ground
      } else {
        return begin(byte)
      }
      return []
    case .string:
      // ST, which is not the end of a character, or BEL.
      if byte == 0x07 || byte == 0x9C && (last < 0x80 || last == 0xC2) {
        state = .ground
      } else if last == 0x1B, byte != 0x1B {
        state = .ground
        return byte == UInt8(ascii: "\\") ? [] : continueEscape(byte)
      }
      return []
    }
  }

  /// Nothing followed: what has begun is over, and Escape was a key.
  mutating func end() -> [Unit] {
    defer { state = .ground }
    hasEscaped = isAfterEscape
    if case .character = state { return [.illFormed] }
    return hasEscaped ? [.escape] : []
  }

  private mutating func begin(_ byte: UInt8) -> [Unit] {
    state = .ground
    defer { hasEscaped = false }
    switch byte {
    case 0x1B: state = .escape
    case 0x5B where hasEscaped, 0x4F where hasEscaped: return continueEscape(byte)
    case let byte where hasEscaped && Self.strings.contains(byte): return continueEscape(byte)
    case ..<0x80: return [.character(Unicode.Scalar(byte))]
    case 0x80...0x9F: return continueC1(byte)
    default: return character([byte], false)
    }
    return []
  }

  private mutating func continueC1(_ byte: UInt8) -> [Unit] {
    let byte = byte - 0x40
    return Self.isControl(byte) || Self.strings.contains(byte) ? continueEscape(byte) : [.illFormed]
  }

  private mutating func continueEscape(_ byte: UInt8) -> [Unit] {
    state = .ground
    switch byte {
    case 0x1B:
      state = .escape
      return [.escape]
    case _ where Self.strings.contains(byte): state = .string
    case _ where Self.isControl(byte), 0x20...0x2F: state = .sequence(byte, [])
    case ..<0x20, 0x7F: return [.alternate(byte)]
    case 0x80...: return character([byte], true)
    default: break
    }
    return []
  }

  /// The rest of a character, or the character.
  private mutating func character(_ bytes: [UInt8], _ hasAlternate: Bool) -> [Unit] {
    let length = bytes[0] < 0xC2 ? 1 : bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : bytes[0] < 0xF5 ? 4 : 1
    state = bytes.count < length ? .character(bytes, hasAlternate: hasAlternate) : .ground
    if bytes.count < length { return [] }
    guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else { return [.illFormed] }
    if hasAlternate { return [] }
    if scalar.value <= 0x9F {
      let units = continueC1(UInt8(scalar.value))
      return units == [.illFormed] ? [] : units
    }
    return [.character(scalar)]
  }

  private static func beginsPair(_ byte: UInt8) -> Bool { (0xC2...0xDF).contains(byte) }
  /// SOS, DCS, OSC, PM and APC, which a string follows.
  private static let strings = Array("XP]^_".utf8)
  /// CSI and SS3, which parameters and a final byte follow.
  private static func isControl(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") }
}
