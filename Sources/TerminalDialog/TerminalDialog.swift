package import Prompts

/// The ways in which a person ends a dialog.
package enum DialogEnding: Sendable, Equatable {
  case ok, cancel
  case action(String)

  init(_ button: Prompt.Button) {
    switch button.role {
    case .ok: self = .ok
    case .cancel: self = .cancel
    case .action: self = .action(button.name ?? "")
    }
  }
}

/// A request of a terminal's dialog to its caller.
package enum DialogRequest: Sendable, Equatable {
  /// Judge what is entered, and call `judged`.
  case judge
  /// Send the answer; if it is refused, call `refused`.
  case send(DialogEnding)
  /// Stop without an answer: there is no Cancel button.
  case leave
}

/// A dialog in a terminal, whichever way it is shown.
package protocol PersonsDialog: Sendable {
  var answering: Answering { get }
  /// Takes the verdicts that `judge` asked for.
  ///
  /// - Parameter verdicts: by field, or `nil` if the server cannot be reached; sending the answer then decides.
  mutating func judged(_ verdicts: [String: Verdict]?)
  /// Takes the verdicts of an answer that was refused, or says why it could not be sent.
  mutating func refused(_ verdicts: [String: Verdict]?, saying note: String?)
}

/// A dialog on a terminal's screen, one field after another: what it holds and shows follows from the keys alone.
package struct TerminalDialog: PersonsDialog {
  enum Place: Sendable, Equatable {
    case field(Int)
    /// By its place among those on offer.
    case button(Int)
  }

  package private(set) var answering: Answering
  private(set) var place: Place
  /// The text of the field that is typed in.
  private(set) var text = TextInput("")
  /// The row of a list that a key would choose, or `nil` until an arrow has been pressed.
  private(set) var row: Int?
  /// The digits of a row's number so far.
  private var digits = ""
  /// The field that was left by Enter: the dialog goes on from there when the verdicts come.
  private var leaving: Int?
  /// A note about the dialog itself, such as that the server cannot be reached.
  private(set) var note: String?

  package init(_ prompt: Prompt) {
    answering = Answering(prompt)
    place = .button(0)
    if let first = answering.fields.first { go(to: .field(first)) } else { place = .button(defaultButton) }
  }

  var prompt: Prompt { answering.prompt }

  /// Does what a key says.
  package mutating func press(_ key: Key) -> DialogRequest? {
    note = nil
    switch (key, place) {
    case (.interrupt, _): return answering.interruption
    case (.escape, _):
      go(to: .button(answering.buttons.firstIndex { $0.role == .cancel } ?? 0))
      return nil
    case (_, .button(let index)): return press(key, onButton: index)
    case (_, .field(let index)):
      let isMultiline = prompt.fields[index].kind.isMultiline
      switch key {
      case .enter where !isMultiline, .endOfText:
        leaving = index
        answering.tell(index)
        return .judge
      case .tab: return move(by: 1, from: index)
      case .backTab: return move(by: -1, from: index)
      case .text(let typed) where prompt.fields[index].offersRows:
        for character in typed { choose(.text(String(character)), in: index) }
      case _ where prompt.fields[index].offersRows: choose(key, in: index)
      default:
        guard text.press(key, isMultiline: isMultiline) else {
          return key == .up ? move(by: -1, from: index) : key == .down ? move(by: 1, from: index) : nil
        }
        if case .text(text.text) = answering.entries[index] { return nil }
        answering.enter(.text(text.text), in: index)
      }
      return nil
    }
  }

  private mutating func press(_ key: Key, onButton index: Int) -> DialogRequest? {
    let buttons = answering.buttons
    switch key {
    case .enter, .text(" "):
      guard buttons.indices.contains(index) else { return nil }
      if buttons[index].validates, let invalid = answering.firstInvalid {
        answering.tellAll()
        go(to: .field(invalid))
        return nil
      }
      return .send(DialogEnding(buttons[index]))
    case .tab, .right, .down: place = .button(min(index + 1, buttons.count - 1))
    case .backTab, .left, .up:
      if index > 0 {
        place = .button(index - 1)
      } else if let last = answering.fields.last {
        go(to: .field(last))
      }
    default: break
    }
    return nil
  }

  /// Leaves a field without having to fill it in; its message is shown from now on.
  private mutating func move(by step: Int, from index: Int) -> DialogRequest? {
    let fields = answering.fields
    if let here = fields.firstIndex(of: index) {
      let next = here + step
      if next >= fields.count { go(to: .button(defaultButton)) } else { go(to: .field(fields[max(next, 0)])) }
    }
    if step > 0 { answering.tell(index) }
    return .judge
  }

  /// Chooses in a list: by arrows, a number, a letter or Space.
  private mutating func choose(_ key: Key, in index: Int) {
    let rows = answering.rows(of: index), isMany = prompt.fields[index].kind == .choices
    guard !rows.isEmpty else { return }
    var number: Int?
    switch key {
    case .up: row = max(0, (row ?? chosenRow(in: index) ?? 1) - 1)
    case .down: row = min((row ?? chosenRow(in: index) ?? -1) + 1, rows.count - 1)
    case .home: row = 0
    case .end: row = rows.count - 1
    case .text(" "): number = row ?? 0
    case .text(let text) where !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }:
      let longer = Int(digits + text) ?? 0
      if !digits.isEmpty, (1...rows.count).contains(longer) {
        // It was the beginning of this number, and no option by itself.
        if isMany, let shorter = Int(digits), rows.indices.contains(shorter - 1) {
          toggle(rows[shorter - 1].value, in: index)
        }
        digits += text
      } else {
        digits = text
      }
      number = Int(digits).flatMap { rows.indices.contains($0 - 1) ? $0 - 1 : nil }
      row = number ?? row
    case .text(let text):
      let places = Array(rows.indices), start = (row ?? -1) + 1
      let next = (places[min(start, places.count)...] + places[..<min(start, places.count)]).first {
        rows[$0].title.lowercased().hasPrefix(text.lowercased())
      }
      row = next ?? row
    default: return
    }
    if case .text(let text) = key, Int(text) != nil {} else { digits = "" }
    if isMany {
      if let number { toggle(rows[number].value, in: index) }
    } else if let chosen = number ?? row {
      answering.enter(.text(rows[chosen].value), in: index)
    }
  }

  private mutating func toggle(_ value: String, in index: Int) {
    let chosen = answering.entries[index].texts
    let options = prompt.fields[index].options.map(\.value)
    let now = options.filter { ($0 == value) != chosen.contains($0) }
    answering.enter(.choices(now), in: index)
  }

  private func chosenRow(in index: Int) -> Int? {
    answering.rows(of: index).firstIndex { answering.entries[index].text == $0.value }
  }

  private mutating func go(to place: Place) {
    self.place = place
    (row, digits) = (nil, "")
    if case .field(let index) = place {
      text = TextInput(prompt.fields[index].offersRows ? "" : answering.entries[index].shown)
      if prompt.fields[index].offersRows { row = chosenRow(in: index) }
    }
  }

  /// The button that Enter should press after the last field: OK, but nothing that cannot be undone without fields.
  private var defaultButton: Int {
    let buttons = answering.buttons
    let ok = buttons.firstIndex { $0.role == .ok && !(prompt.fields.isEmpty && $0.isDestructive) }
    return ok ?? buttons.firstIndex { $0.role == .cancel } ?? 0
  }

  // MARK: What comes back

  package mutating func judged(_ verdicts: [String: Verdict]?) {
    answering.judged(verdicts)
    if verdicts == nil { note = answering.sentences[.unreachable] }
    let left = leaving
    leaving = nil
    if let left, answering.verdict(of: left)?.isValid ?? true {
      _ = move(by: 1, from: left)
    } else if case .field(let index) = place, !answering.fields.contains(index) {
      go(to: .button(defaultButton))
    }
  }

  package mutating func refused(_ verdicts: [String: Verdict]?, saying note: String? = nil) {
    self.note = note
    guard let verdicts else { return }
    answering.judged(verdicts)
    answering.tellAll()
    if let invalid = answering.firstInvalid { go(to: .field(invalid)) }
  }
}
