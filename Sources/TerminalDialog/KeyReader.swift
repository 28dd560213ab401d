/// Makes keys of the bytes that a terminal sends (ECMA-48; bracketed paste as xterm has it). Whatever is not known is
/// dropped.
package struct KeyReader: Sendable {
  /// Bytes of a paste; what goes beyond is dropped, and no field takes so much.
  private static let pasteLimit = 1 << 20

  private var bytes: [UInt8] = []
  /// The bytes pasted so far, or `nil` outside of a paste.
  private var paste: [UInt8]?
  /// True if Escape was the last key. Over a slow line it may have been the first part of an arrow key.
  private var hasEscaped = false

  package init() {}

  /// True if the last bytes may be the beginning of something: call `pause` if nothing follows.
  package var isWaiting: Bool { !bytes.isEmpty && paste == nil }

  /// The milliseconds to wait before `pause`. A person may press the next key soon after Escape. Anything else that has
  /// begun goes on, however slow the line is.
  package var patience: Int32 { bytes == [0x1B] ? 100 : 500 }

  /// The keys that these bytes complete.
  package mutating func read(_ new: [UInt8]) -> [Key] {
    var keys: [Key] = []
    if bytes == [0x1B], paste == nil, let next = new.first, next != 0x1B, next < 0x20 || next == 0x7F {
      // The bytes of one key come together: these are two.
      (bytes, keys) = ([], [.escape])
    }
    bytes += new
    while !bytes.isEmpty {
      if hasEscaped, [UInt8(ascii: "["), UInt8(ascii: "O")].contains(bytes[0]) { bytes.insert(0x1B, at: 0) }
      hasEscaped = false
      guard let (key, count) = paste == nil ? next() : pasted() else { break }
      bytes.removeFirst(count)
      switch (key, keys.last) {
      case (.text(let text)?, .text(let before)?): keys[keys.count - 1] = .text(before + text)
      case (let key?, _): keys.append(key)
      case (nil, _): break
      }
    }
    return keys
  }

  /// Nothing followed for a while: an Escape that waited is the key, and the rest of a sequence is dropped.
  package mutating func pause() -> [Key] {
    guard isWaiting else { return [] }
    hasEscaped = bytes == [0x1B]
    bytes = []
    return hasEscaped ? [.escape] : []
  }

  /// The first key and how many bytes it has, or `nil` if more have to come.
  private mutating func next() -> (Key?, Int)? {
    switch bytes[0] {
    case 0x1B: return sequence()
    case 0x20..<0x7F: return (.text(String(UnicodeScalar(bytes[0]))), 1)
    case 0x80...: return scalar()
    case let control: return (Self.controls[control], 1)
    }
  }

  private static let controls: [UInt8: Key] = [
    0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .endOfText, 0x05: .end, 0x06: .right, 0x08: .backspace,
    0x09: .tab, 0x0A: .enter, 0x0C: .redraw, 0x0D: .enter, 0x0E: .down, 0x10: .up, 0x15: .eraseLine, 0x17: .eraseWord,
    0x1A: .suspend, 0x7F: .backspace,
  ]

  /// A character of UTF-8 outside of ASCII.
  private func scalar() -> (Key?, Int)? {
    let length = [0xC0: 2, 0xE0: 3, 0xF0: 4][Int(bytes[0]) & (bytes[0] < 0xE0 ? 0xE0 : bytes[0] < 0xF0 ? 0xF0 : 0xF8)]
    guard let length else { return (nil, 1) }
    let part = bytes.prefix(length)
    guard part.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return (nil, 1) }
    if part.count < length { return nil }
    // C1 controls are no text.
    guard let text = String(validating: part, as: UTF8.self), text.unicodeScalars.allSatisfy({ $0.value > 0x9F }) else {
      return (nil, length)
    }
    return (.text(text), length)
  }

  /// Reads a key that begins with Escape.
  private mutating func sequence() -> (Key?, Int)? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    // Alt and Backspace or Enter, which have a meaning of their own elsewhere.
    case 0x08, 0x7F: return (.eraseWord, 2)
    case 0x0A, 0x0D: return (nil, 2)
    case ..<0x20: return (.escape, 1)
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      return (Self.finals[bytes[2]], 3)
    case UInt8(ascii: "["):
      let parameters = bytes.dropFirst(2).prefix { (0x20...0x3F).contains($0) }
      guard parameters.endIndex < bytes.count else { return parameters.count > 32 ? (nil, bytes.count) : nil }
      let final = bytes[parameters.endIndex], count = parameters.endIndex + 1
      guard (0x40...0x7E).contains(final) else { return (nil, count - 1) }
      guard final == UInt8(ascii: "~") else { return (Self.finals[final], count) }
      let number = String(decoding: parameters, as: UTF8.self)
      if number == "200" { paste = [] }
      return (["1": .home, "3": .delete, "4": .end, "7": .home, "8": .end][number], count)
    // A key with Alt.
    default: return (nil, 2)
    }
  }

  private static let finals: [UInt8: Key] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x46: .end, 0x48: .home, 0x4D: .enter, 0x5A: .backTab,
  ]

  /// Reads the pasted text, once its end has come.
  private mutating func pasted() -> (Key?, Int)? {
    let end = Array("\u{1B}[201~".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else {
      // The last bytes may be the beginning of the end.
      let whole = max(0, bytes.count - end.count + 1)
      let room = max(0, Self.pasteLimit - (paste?.count ?? 0))
      paste? += bytes.prefix(min(whole, room))
      bytes.removeFirst(whole)
      return nil
    }
    let text = String(decoding: (paste ?? []) + bytes[..<start], as: UTF8.self)
    paste = nil
    return (.text(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")), start + end.count)
  }
}

/// A key that was pressed, or text that was typed or pasted.
package enum Key: Sendable, Equatable {
  /// Typed, or pasted with its line feeds.
  case text(String)
  case enter, tab, backTab, escape, backspace, delete
  case up, down, left, right, home, end
  /// Erase everything before the cursor, or one word.
  case eraseLine, eraseWord
  /// Ctrl-C, Ctrl-D, Ctrl-Z and Ctrl-L.
  case interrupt, endOfText, suspend, redraw
}
