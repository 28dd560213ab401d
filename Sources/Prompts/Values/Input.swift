/// The input of one field: a text, or the options that a person chooses.
public enum Input: Sendable {
  /// A text; numbers, dates, `true` and `false` are texts too.
  case text(String)
  /// The chosen values of a `choices` field, or the items of a `list`.
  case choices([String])
  /// A text with half a surrogate pair, which no Swift string can hold; it is never valid.
  case illFormed

  /// True if nothing is entered or chosen.
  var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .choices(let texts): texts.isEmpty
    case .illFormed: false
    }
  }

  /// The text that a control of one text shows: itself, or a list's items, one a line.
  package var shown: String { texts.joined(separator: "\n") }

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

  /// The number of bytes of UTF-8 of its texts.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .choices(let texts): texts.reduce(0) { $0 + $1.utf8.count }
    case .illFormed: 0
    }
  }

  /// Line breaks as LF and, if the field says so, trimmed and a number in its plain form.
  func normalized(trim: Bool, readsNumbers: Bool) -> Input {
    func normalized(_ text: String) -> String {
      let lines = trim ? Self.trimmed(Self.lineFeeds(text)) : Self.lineFeeds(text)
      return readsNumbers ? Numeral.plain(lines) : lines
    }
    return switch self {
    case .text(let text): .text(normalized(text))
    case .choices(let texts): .choices(texts.map(normalized))
    case .illFormed: .illFormed
    }
  }

  /// As the rules of a field see it.
  func normalized(for field: Field) -> Input {
    normalized(as: field.kind, trim: field.trim, readsNumbers: field.readsNumbers)
  }

  /// As the rules of a field of this kind see it.
  func normalized(as kind: Field.Kind, trim: Bool, readsNumbers: Bool) -> Input {
    kind == .list
      ? listed(trim: trim, readsNumbers: readsNumbers) : normalized(trim: trim, readsNumbers: readsNumbers)
  }

  /// A text as the lines of a list that are not blank; anything else stays as it is.
  private func listed(trim: Bool, readsNumbers: Bool) -> Input {
    guard let lines else { return normalized(trim: trim, readsNumbers: readsNumbers) }
    let items = Input.choices(lines).normalized(trim: trim, readsNumbers: readsNumbers)
    return .choices(items.texts.filter(NotBlank().isMet(by:)))
  }

  /// As a field of this kind holds it at first: a list has its text in items.
  package func held(as kind: Field.Kind) -> Input {
    kind == .list ? listed(trim: false, readsNumbers: false) : self
  }

  /// The lines of a text, or `nil` of anything else.
  private var lines: [String]? {
    text.map { text in
      Self.lineFeeds(text).utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
  }

  /// The number of the line on which a list's item at this index stands, from 1. The items of a program's list are its
  /// lines.
  func line(ofItem index: Int) -> Int {
    guard let lines else { return index + 1 }
    let places = lines.indices.filter { NotBlank().isMet(by: lines[$0]) }
    return (places.indices.contains(index) ? places[index] : index) + 1
  }

  /// CRLF and CR become LF.
  package static func lineFeeds(_ text: String) -> String {
    let utf8 = text.utf8.span
    guard utf8.indices.contains(where: { utf8[$0] == 0x0D }) else { return text }
    var bytes: [UInt8] = []
    var afterCR = false
    for byte in text.utf8 {
      if byte != 0x0A || !afterCR { bytes.append(byte == 0x0D ? 0x0A : byte) }
      afterCR = byte == 0x0D
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed(_ text: String) -> String {
    let utf8 = text.utf8, visible = UInt8(0x21)...0x7E
    if let first = utf8.first, let last = utf8.last, visible.contains(first), visible.contains(last) { return text }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isWhiteSpace }),
      let last = scalars.lastIndex(where: { !$0.isWhiteSpace })
    else { return "" }
    let isTrimmed = first == scalars.startIndex && scalars.index(after: last) == scalars.endIndex
    return isTrimmed ? text : String(scalars[first...last])
  }
}

extension Input {
  /// Of a value as a program has it. One of an object is empty, which no control holds.
  init(_ value: any ValueConvertible) {
    let value = value.asValue
    self = value.list.map(Input.choices) ?? .text(value.object == nil ? value.description : "")
  }
}

extension Input: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }
  /// A whole number, as a text.
  public init(integerLiteral number: Int) { self = .text(String(number)) }
  /// A switch that is on or off.
  public init(booleanLiteral isOn: Bool) { self = .text(String(isOn)) }
  /// The chosen options of a `choices` field, or the items of a `list`.
  public init(arrayLiteral choices: String...) { self = .choices(choices) }
}

/// The inputs of a person, by field, in the order in which they were sent.
package struct Inputs: Sendable {
  package private(set) var entries: [(name: String, input: Input)] = []

  package init(_ entries: [(name: String, input: Input)] = []) { self.entries = entries }

  /// - Parameter count: how many there will be.
  init(reserving count: Int) { entries.reserveCapacity(count) }

  package mutating func append(_ name: String, _ input: Input) { entries.append((name, input)) }

  /// The number of bytes of UTF-8 of all inputs together.
  var byteCount: Int { entries.reduce(0) { $0 + $1.input.byteCount } }

  /// A size that grows with the work that judging them can take: bytes of UTF-8, and each choice besides.
  package var size: Int {
    entries.reduce(0) { size, entry in
      if case .choices(let texts) = entry.input {
        size + texts.count + entry.input.byteCount
      } else {
        size + entry.input.byteCount
      }
    }
  }

  /// The input for a field, or `nil` if nothing was sent for it.
  package subscript(name: String) -> Input? {
    entries.indices.first { isSame(entries[$0].name, name) }.map { entries[$0].input }
  }

  /// The input that was sent for a field, as its rules see it; an empty one if nothing was sent.
  func normalized(for field: Field) -> Input {
    (self[field.name] ?? field.kind.emptyInput).normalized(for: field)
  }

  /// Without those of the fields of these names.
  package func without(_ names: [String]) -> Inputs {
    Inputs(entries.filter { entry in !names.contains { isSame($0, entry.name) } })
  }
}
