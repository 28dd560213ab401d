/// A text that is being edited, and where the cursor stands in it, by what a person calls a character.
struct TextInput: Sendable {
  private var characters: [Character]
  private(set) var cursor: Int

  /// The cursor stands at the end.
  init(_ text: String) {
    characters = Array(text)
    cursor = characters.count
  }

  var text: String { String(characters) }
  var before: String { String(characters[..<cursor]) }
  private var after: String { String(characters[cursor...]) }

  /// Does what the key says.
  ///
  /// - Returns: false if it is no key for editing, or if the cursor cannot go there.
  mutating func press(_ key: Key, isMultiline: Bool) -> Bool {
    switch key {
    case .text(let text): replace(before + text, after)
    // The last line break of a paste ends what is pasted.
    case .paste(let text):
      replace(before + (isMultiline || !text.hasSuffix("\n") ? text : String(text.dropLast())), after)
    case .enter where isMultiline: replace(before + "\n", after)
    case .backspace: replace(String(characters[..<max(0, cursor - 1)]), after)
    case .delete: replace(before, String(characters[min(cursor + 1, characters.count)...]))
    case .eraseLine: replace(String(characters[..<lineStart]), after)
    case .eraseWord: replace(String(characters[..<wordStart]), after)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(cursor + 1, characters.count)
    case .home: cursor = lineStart
    case .end: cursor = lineEnd
    case .up, .down: return moveLine(key == .up ? lineStart - 1 : lineEnd + 1)
    default: return false
    }
    return true
  }

  /// A mark that is typed after a letter becomes one character with it.
  private mutating func replace(_ before: String, _ after: String) {
    characters = Array(before + after)
    cursor = min(before.count, characters.count)
  }

  private var lineStart: Int { characters[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }
  private var lineEnd: Int { characters[cursor...].firstIndex(of: "\n") ?? characters.count }

  private var wordStart: Int {
    let word = characters[..<cursor].lastIndex { !$0.isWhitespace } ?? 0
    return characters[..<word].lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
  }

  /// Moves to the same place in the line that has this index in it.
  private mutating func moveLine(_ index: Int) -> Bool {
    guard characters.indices.contains(index) || index == characters.count && characters.last == "\n" else {
      return false
    }
    let column = cursor - lineStart
    cursor = index
    cursor = min(lineStart + column, lineEnd)
    return true
  }
}
