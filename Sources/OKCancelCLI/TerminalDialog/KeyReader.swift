/// Makes keys of the bytes that a terminal sends (bracketed paste as xterm has it). What is not known does nothing.
struct KeyReader: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// Bytes of a paste; what goes beyond is dropped, and no field takes so much.
  private static let pasteLimit = 1 << 20
  /// A person may press the next key soon after Escape.
  private static let escapePatience = Duration.milliseconds(100)
  /// Anything else that has begun goes on, however slow the line is; but nobody should lose their keyboard to it.
  private static let patience = Duration.seconds(1)
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private var sequences = ControlSequences()
  /// The bytes pasted so far, or `nil` outside of a paste.
  private var paste: [UInt8]?
  /// The number of bytes of the paste's end that have come.
  private var endCount = 0
  /// The time at which what is being read has begun, and at which the last byte came.
  private var began: Instant?
  private var last: Instant?

  init() {}

  /// The keys that these bytes complete.
  ///
  /// - Parameters:
  ///   - bytes: those that came, or none if none did until now.
  ///   - now: a time before which they had not all come.
  mutating func read(_ bytes: [UInt8], at now: Instant) -> [Press] {
    var presses: [Press] = []
    let silence = last.map { now - $0 } ?? .zero
    let isAlone = sequences.isAfterEscape
    let isControl = bytes.first.map { $0 != 0x1B && ($0 < 0x20 || $0 == 0x7F) } ?? false
    // The bytes of one key come together: Escape and a control that comes later are two.
    if silence >= (isAlone && bytes.isEmpty ? Self.escapePatience : Self.patience) || isAlone && isControl {
      add(sequences.end(), to: &presses, at: now)
    }
    // A paste that does not end can be left.
    if silence >= Self.patience, bytes == [0x03] { paste = nil }
    for byte in bytes {
      if paste != nil {
        collect(byte, into: &presses)
        continue
      }
      // A control ends what does not go on.
      if sequences.isComplete || byte < 0x20 { began = now }
      add(sequences.read(byte), to: &presses, at: now)
    }
    if !bytes.isEmpty { last = now }
    return presses
  }

  /// The text of a line that the terminal has read, without its control sequences; `nil` if it is no UTF-8.
  static func text(ofLine bytes: some Sequence<UInt8>) -> String? {
    var sequences = ControlSequences(), text = String.UnicodeScalarView()
    for unit in bytes.flatMap({ sequences.read($0) }) + sequences.read(0x0A) {
      switch unit {
      case .character(let scalar): text.append(scalar)
      case .illFormed: return nil
      case .escape, .alternate, .sequence: break
      }
    }
    return String(text.last == "\n" ? text.dropLast() : text[...])
  }

  private mutating func add(_ units: [ControlSequences.Unit], to presses: inout [Press], at now: Instant) {
    for unit in units {
      let key: Key?
      switch unit {
      case .character(let scalar) where scalar.value >= 0x20 && scalar.value != 0x7F: key = .text(String(scalar))
      case .character(let control): key = Self.controls[control.value]
      case .escape: key = .escape
      case .illFormed: key = .refused
      // Alt and Backspace or Enter, which have a meaning of their own elsewhere.
      case .alternate(0x08), .alternate(0x7F): key = .eraseWord
      case .alternate(0x0A), .alternate(0x0D): key = nil
      case .alternate(let control):
        presses.append(Press(.escape, began ?? now))
        key = Self.controls[UInt32(control)]
      case .sequence(UInt8(ascii: "["), "200", UInt8(ascii: "~")):
        (paste, endCount) = ([], 0)
        key = nil
      case .sequence(let introducer, let parameters, let final): key = Self.key(introducer, parameters, final)
      }
      guard let key else { continue }
      if case .text(let text) = key, case .text(let before)? = presses.last?.key {
        presses[presses.count - 1] = Press(.text(before + text), presses[presses.count - 1].began)
      } else {
        presses.append(Press(key, began ?? now))
      }
    }
  }

  private static let controls: [UInt32: Key] = [
    0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .endOfText, 0x05: .end, 0x06: .right, 0x08: .backspace,
    0x09: .tab, 0x0A: .enter, 0x0C: .redraw, 0x0D: .enter, 0x0E: .down, 0x10: .up, 0x15: .eraseLine, 0x17: .eraseWord,
    0x1A: .suspend, 0x7F: .backspace,
  ]

  /// The key of a sequence, whatever is held down with it.
  private static func key(_ introducer: UInt8, _ parameters: String, _ final: UInt8) -> Key? {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
    guard numbers.count <= 2, numbers.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      return nil
    }
    switch (introducer, final) {
    case (UInt8(ascii: "["), UInt8(ascii: "~")): return numbered[String(numbers[0])]
    case (UInt8(ascii: "["), UInt8(ascii: "Z")): return .backTab
    case (UInt8(ascii: "["), _): return ["", "1"].contains(numbers[0]) ? finals[final] : nil
    case (UInt8(ascii: "O"), UInt8(ascii: "M")): return parameters.isEmpty ? .enter : nil
    case (UInt8(ascii: "O"), _): return finals[final]
    default: return nil
    }
  }

  private static let numbered: [String: Key] = [
    "1": .home, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
  ]
  private static let finals: [UInt8: Key] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x46: .end, 0x48: .home,
  ]

  /// Takes a byte of a paste, and the pasted text once its end has come.
  private mutating func collect(_ byte: UInt8, into presses: inout [Press]) {
    if byte == Self.pasteEnd[endCount] {
      endCount += 1
      guard endCount == Self.pasteEnd.count else { return }
      let text = String(validating: paste ?? [], as: UTF8.self)
      paste = nil
      if let began { presses.append(Press(text.map { .paste($0.withLineFeeds) } ?? .refused, began)) }
      return
    }
    let bytes = Self.pasteEnd[..<endCount] + (byte == 0x1B ? [] : [byte])
    endCount = byte == 0x1B ? 1 : 0
    if let count = paste?.count { paste? += bytes.prefix(max(0, Self.pasteLimit - count)) }
  }
}

extension String {
  /// With a line feed for each line break of a terminal.
  var withLineFeeds: String {
    let scalars = Array(unicodeScalars)
    let kept = scalars.indices.filter { scalars[$0] != "\n" || $0 == 0 || scalars[$0 - 1] != "\r" }
    return String(String.UnicodeScalarView(kept.map { scalars[$0] == "\r" ? "\n" : scalars[$0] }))
  }
}

/// A key, and a time before which it was not pressed to its end.
struct Press: Sendable, Equatable {
  let key: Key
  let began: ContinuousClock.Instant

  init(_ key: Key, _ began: ContinuousClock.Instant) {
    self.key = key
    self.began = began
  }
}

/// A key that was pressed, or text that was typed or pasted.
enum Key: Sendable, Equatable {
  case text(String)
  /// With its line feeds.
  case paste(String)
  case enter, tab, backTab, escape, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  /// Erase everything before the cursor, or one word.
  case eraseLine, eraseWord
  /// Ctrl-C, Ctrl-D, Ctrl-Z and Ctrl-L.
  case interrupt, endOfText, suspend, redraw
  /// Bytes that are no text.
  case refused
}
