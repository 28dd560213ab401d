internal import Prompts

/// The ways in which a person ends a dialog.
enum DialogEnding: Sendable, Equatable {
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
enum DialogRequest: Sendable, Equatable {
  /// Judge what is entered, and call `judged`.
  case judge
  /// Send the answer; if it is refused, call `refused`.
  case send(DialogEnding)
  /// Stop without an answer: there is no Cancel button.
  case leave
}

/// A dialog in a terminal, whichever way it is shown.
protocol PersonsDialog: Sendable {
  var answering: Answering { get }
  /// Takes the verdicts that `judge` asked for.
  ///
  /// - Parameter verdicts: by field, or `nil` if the server cannot be reached; sending the answer then decides.
  mutating func judged(_ verdicts: [String: Verdict]?)
  /// Takes the verdicts of an answer that was refused, or says why it could not be sent.
  mutating func refused(_ verdicts: [String: Verdict]?, saying note: String?)
}

/// A dialog on a terminal's screen, one field after another: what it holds and shows follows from the keys alone.
struct TerminalDialog: PersonsDialog {
  enum Place: Sendable, Equatable {
    /// No button is chosen.
    case dialog
    case field(Int)
    /// By its place among those on offer.
    case button(Int)
  }

  private(set) var answering: Answering
  private(set) var place = Place.dialog
  /// The text of the field that is typed in.
  private(set) var text = TextInput("")
  /// The options of the field that is chosen from.
  private(set) var options = OptionList([], chosen: nil, isMany: false)
  /// The input of the field when the focus came.
  private var before = Input.text("")
  /// The field that was left by Enter: the dialog goes on from there when the verdicts come.
  private var leaving: Int?
  /// A note about the dialog itself, such as that the server cannot be reached.
  private(set) var note: String?
  /// The size of the terminal.
  var size = (columns: 80, rows: 24)
  /// The first line of what scrolls, if the person has scrolled; `nil` to show what has the focus.
  private(set) var scroll: Int?

  init(_ prompt: Prompt) {
    answering = Answering(prompt)
    if let first = answering.fields.first {
      if !prompt.onlyOffersMore { go(to: .field(first)) }
    } else if let first = prompt.buttons.firstIndex(where: { $0.role == prompt.firstRole() }) {
      place = .button(first)
    }
  }

  var prompt: Prompt { answering.prompt }

  /// Does what a key says.
  mutating func press(_ key: Key) -> DialogRequest? {
    note = nil
    if scrolls(key) { return nil }
    switch (key, place) {
    case (.interrupt, _): return answering.interruption
    case (.escape, _):
      go(to: .button(answering.buttons.firstIndex { $0.role == .cancel } ?? 0))
      return nil
    case (_, .dialog):
      switch key {
      case .tab where prompt.onlyOffersMore: go(to: .field(0))
      case .tab, .right, .down: place = .button(0)
      case .backTab, .left, .up: place = .button(max(0, answering.buttons.count - 1))
      default: break
      }
      return nil
    case (_, .button(let index)): return press(key, onButton: index)
    case (_, .field(let index)):
      scroll = nil
      let isMultiline = prompt.fields[index].kind.isMultiline
      switch key {
      case .enter where prompt.onlyOffersMore, .endOfText where prompt.onlyOffersMore: break
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
      } else if let last = answering.fields.last, key == .backTab || !prompt.onlyOffersMore {
        go(to: .field(last))
      }
    default: break
    }
    return nil
  }

  /// Scrolls a dialog that is longer than the screen.
  ///
  /// - Returns: false if the key has another meaning here.
  private mutating func scrolls(_ key: Key) -> Bool {
    let isInField = if case .field = place { true } else { false }
    let isForScrolling = [.pageUp, .pageDown].contains(key) || !isInField && [.up, .down, .home, .end].contains(key)
    guard isForScrolling, case let layout = layout(), layout.isLong else { return false }
    let page = max(1, layout.room - 1)
    let line =
      switch key {
      case .pageUp: layout.first - page
      case .pageDown: layout.first + page
      case .up: layout.first - 1
      case .down: layout.first + 1
      case .home: 0
      default: layout.last
      }
    scroll = min(max(0, line), layout.last)
    return true
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

  /// Chooses in a list: by arrows, a title, a number or Space.
  private mutating func choose(_ key: Key, in index: Int) {
    switch options.press(key) {
    case .chosen(let row)?: answering.enter(.text(options.rows[row].value), in: index)
    case .toggled(let row)?: toggle(options.rows[row].value, in: index)
    case .restored?: answering.enter(before, in: index)
    case nil: break
    }
  }

  private mutating func toggle(_ value: String, in index: Int) {
    let chosen = answering.entries[index].texts
    let options = prompt.fields[index].options.map(\.value)
    let now = options.filter { ($0 == value) != chosen.contains($0) }
    answering.enter(.choices(now), in: index)
  }

  private mutating func go(to place: Place) {
    self.place = place
    guard case .field(let index) = place else { return }
    scroll = nil
    let rows = answering.rows(of: index), field = prompt.fields[index]
    before = answering.entries[index]
    text = TextInput(field.offersRows ? "" : before.shown)
    options = OptionList(rows, chosen: rows.firstIndex { before.text == $0.value }, isMany: field.kind == .choices)
  }

  /// The button that Enter should press after the last field.
  private var defaultButton: Int {
    let roles = answering.buttons.map(\.role)
    return roles.firstIndex(of: .ok) ?? roles.firstIndex(of: .cancel) ?? 0
  }

  // MARK: What comes back

  mutating func judged(_ verdicts: [String: Verdict]?) {
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

  mutating func refused(_ verdicts: [String: Verdict]?, saying note: String? = nil) {
    self.note = note
    guard let verdicts else { return }
    answering.judged(verdicts)
    answering.tellAll()
    if let invalid = answering.firstInvalid { go(to: .field(invalid)) }
  }
}
