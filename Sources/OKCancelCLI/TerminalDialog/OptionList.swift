internal import Prompts

/// A list of options while a person chooses from it: the row that a key would take, and what they have typed to find it.
struct OptionList: Sendable {
  /// The number of rows from which on a list shows only those that match.
  private static let filterLimit = 20

  let rows: [Field.Option]
  /// True if several can be chosen.
  private let isMany: Bool
  /// The row that was marked when the focus came.
  private let first: Int
  /// The marked row, or `nil` if none matches what was typed.
  private(set) var mark: Int?
  /// One prefix: of titles or, if none begins so, a row's number.
  private(set) var typed = ""

  /// - Parameter chosen: the row that is chosen already, if any.
  init(_ rows: [Field.Option], chosen: Int?, isMany: Bool) {
    self.rows = rows
    self.isMany = isMany
    first = chosen ?? 0
    mark = rows.isEmpty ? nil : first
  }

  /// The rows that are shown.
  var shown: [Int] { typed.isEmpty || rows.count < Self.filterLimit ? Array(rows.indices) : matches }

  /// The rows that what was typed stands for.
  var matches: [Int] {
    let titled = titled(typed)
    if !titled.isEmpty { return titled }
    let isNumber = !typed.isEmpty && typed.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isNumber ? Int(typed).flatMap { rows.indices.contains($0 - 1) ? [$0 - 1] : nil } ?? [] : []
  }

  private func titled(_ prefix: String) -> [Int] {
    let prefix = prefix.lowercased()
    return rows.indices.filter { rows[$0].title.lowercased().hasPrefix(prefix) }
  }

  /// The effect of a key on what is chosen.
  enum Effect: Equatable {
    /// This row is chosen.
    case chosen(Int)
    /// This row is added, or removed if it was chosen.
    case toggled(Int)
    /// What was chosen when the focus came is chosen again.
    case restored
  }

  /// Does what a key says.
  ///
  /// - Returns: `nil` if nothing else is chosen now.
  mutating func press(_ key: Key) -> Effect? {
    let shown = shown, place = mark.flatMap(shown.firstIndex)
    switch key {
    case .up: go(to: place.map { shown[max(0, $0 - 1)] } ?? shown.first)
    case .down: go(to: place.map { shown[min($0 + 1, shown.count - 1)] } ?? shown.first)
    case .home: go(to: shown.first)
    case .end: go(to: shown.last)
    case .backspace, .eraseLine, .eraseWord:
      if typed.isEmpty { return nil }
      type(key == .backspace ? String(typed.dropLast()) : "")
      if typed.isEmpty { return isMany ? nil : .restored }
    case .text(" ") where isMany || typed.isEmpty || titled(typed + " ").isEmpty:
      if mark != nil { typed = "" }
      return mark.map { isMany ? .toggled($0) : .chosen($0) }
    case .text(let text): type(typed + text)
    default: return nil
    }
    return isMany ? nil : mark.map(Effect.chosen) ?? .restored
  }

  /// Marks a row. A list that shows only what matches goes on doing so.
  private mutating func go(to row: Int?) {
    mark = row ?? mark
    if rows.count < Self.filterLimit { typed = "" }
  }

  private mutating func type(_ text: String) {
    typed = text
    let matches = matches, whole = text.lowercased()
    mark = text.isEmpty ? first : matches.first { rows[$0].title.lowercased() == whole } ?? matches.first
  }
}
