/// What a person enters in one field: a text, or the options they choose.
public enum Input: Sendable, ExpressibleByStringLiteral {
  /// A text; numbers, dates, `true` and `false` are texts too.
  case text(String)
  /// The chosen values of a `choices` field.
  case choices([String])
  /// A text with half a surrogate pair, which no Swift string can hold; it is never valid.
  case illFormed

  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }

  /// Whether nothing is entered or chosen.
  package var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .choices(let texts): texts.isEmpty
    case .illFormed: false
    }
  }

  /// The text, or `nil` for choices and an ill-formed text.
  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The text or the chosen ones; none if the text is ill-formed.
  package var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .choices(let texts): texts
    case .illFormed: []
    }
  }

  /// How many bytes of UTF-8 its texts have.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .choices(let texts): texts.reduce(0) { $0 + $1.utf8.count }
    case .illFormed: 0
    }
  }

  /// Line breaks as LF and, if the field says so, trimmed.
  func normalized(trim: Bool) -> Input {
    func normalized(_ text: String) -> String {
      let lines = Self.lineFeeds(text)
      return trim ? Self.trimmed(lines) : lines
    }
    return switch self {
    case .text(let text): .text(normalized(text))
    case .choices(let texts): .choices(texts.map(normalized))
    case .illFormed: .illFormed
    }
  }

  /// CRLF and CR become LF.
  private static func lineFeeds(_ text: String) -> String {
    guard text.withBytes({ $0.contains(0x0D) }) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var afterCR = false
    for byte in text.utf8 {
      if byte != 0x0A || !afterCR { bytes.append(byte == 0x0D ? 0x0A : byte) }
      afterCR = byte == 0x0D
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isWhiteSpace }),
      let last = scalars.lastIndex(where: { !$0.isWhiteSpace })
    else { return "" }
    return String(scalars[first...last])
  }
}

/// What was entered, by field.
///
/// Texts are kept as bytes, mostly where they were sent: a verdict looks at them there, and most are never made strings.
package struct Inputs: Sendable {
  /// Where the name and the input of a field are.
  private struct Entry {
    let name: Range<Int>
    /// Of a text, in `bytes`.
    let text: Range<Int>
    /// Of any other input, in `others`; -1 for a text.
    let other: Int
  }

  /// Names and texts in UTF-8, with whatever lies between them.
  private var bytes: [UInt8] = []
  private var stored: [Entry] = []
  /// Choices and what is ill-formed.
  private var others: [Input] = []
  /// How many bytes of UTF-8 all inputs have together.
  private(set) var byteCount = 0

  package init() {}

  /// Texts that lie in these bytes; see `append(name:text:)`.
  init(in bytes: [UInt8]) { self.bytes = bytes }

  package init(_ entries: [(name: String, input: Input)]) {
    for entry in entries { append(entry.name, entry.input) }
  }

  /// What was sent, in that order.
  package var entries: [(name: String, input: Input)] {
    stored.indices.map { (text(at: stored[$0].name), input(at: $0)) }
  }

  /// The input for a field, or `nil` if nothing was sent for it.
  package subscript(name: String) -> Input? { index(of: name, near: 0).map(input) }

  /// What was sent for a field, as its rules see it; nothing entered if nothing was sent.
  func normalized(for field: Field) -> Input {
    (self[field.name] ?? field.kind.emptyInput).normalized(trim: field.trim)
  }

  /// Where a field's input is, or `nil` if nothing was sent for it. It is looked for at this place first, since what is
  /// sent for a dialog mostly comes in its fields' order.
  func index(of name: String, near index: Int) -> Int? {
    if index < stored.count, lies(name, at: stored[index].name) { return index }
    return stored.firstIndex { lies(name, at: $0.name) }
  }

  /// Whether this text lies there in the bytes.
  func lies(_ text: String, at range: Range<Int>) -> Bool {
    bytes.withUnsafeBufferPointer { isSame(text, UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// What lies there in the bytes, as a text.
  func text(at range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The input at such a place.
  func input(at index: Int) -> Input {
    let entry = stored[index]
    return entry.other < 0 ? .text(text(at: entry.text)) : others[entry.other]
  }

  /// What `body` makes of the text at such a place, where it lies; or `nil` if another input is there.
  func withText<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
    let entry = stored[index]
    guard entry.other < 0 else { return nil }
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[entry.text])) }
  }

  /// Without those of the fields of these names.
  package func without(_ names: [String]) -> Inputs {
    Inputs(entries.filter { entry in !names.contains { isSame($0, entry.name) } })
  }

  /// Makes room for so many fields.
  mutating func reserve(_ count: Int) { stored.reserveCapacity(count) }

  /// Adds a text that lies in the bytes, as UTF-8, as its name does.
  mutating func append(name: Range<Int>, text: Range<Int>) {
    stored.append(Entry(name: name, text: text, other: -1))
    byteCount += text.count
  }

  package mutating func append(_ name: String, _ input: Input) {
    let name = keep(name)
    if case .text(let text) = input { return append(name: name, text: keep(text)) }
    stored.append(Entry(name: name, text: 0..<0, other: others.count))
    others.append(input)
    byteCount += input.byteCount
  }

  private mutating func keep(_ text: String) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return start..<bytes.count
  }
}
