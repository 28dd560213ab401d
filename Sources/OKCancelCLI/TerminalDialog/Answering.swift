internal import Prompts

/// The entries of a person so far, with their verdicts.
struct Answering: Sendable {
  let prompt: Prompt
  let sentences: Sentences
  /// The input of each field.
  private(set) var entries: [Input]
  /// The last verdicts, by field; of what has changed since there is none.
  private var verdicts: [String: Verdict] = [:]
  /// True if the last attempt to judge got no verdicts, so that only the answer itself will tell.
  private(set) var isUnjudged = false
  /// The fields whose messages are shown.
  private(set) var told: Set<Int> = []

  init(_ prompt: Prompt) {
    self.prompt = prompt
    sentences = Sentences(in: prompt.language ?? .english)
    entries = prompt.fields.map(\.value)
  }

  /// Every field's text or choices.
  var inputs: Inputs { Inputs(zip(prompt.fields, entries).map { ($0.name, $1) }) }

  mutating func enter(_ input: Input, in index: Int) {
    entries[index] = input
    verdicts[prompt.fields[index].name] = nil
  }

  mutating func tell(_ index: Int) { told.insert(index) }

  mutating func tellAll() { told.formUnion(prompt.fields.indices) }

  /// Takes verdicts, or notes that there are none because the server cannot be reached.
  mutating func judged(_ verdicts: [String: Verdict]?) {
    isUnjudged = verdicts == nil
    if let verdicts { self.verdicts = verdicts }
  }

  /// The indices of the fields that apply.
  var fields: [Int] {
    let applying = prompt.applyingFields(to: inputs)
    return prompt.fields.indices.filter { applying[$0] }
  }

  /// The buttons that are on offer.
  var buttons: [Prompt.Button] { prompt.buttons.filter { prompt.isMet($0.when, by: inputs) } }

  /// The message of a field, if it is to be shown.
  func message(of index: Int) -> String? { told.contains(index) ? reason(of: index) : nil }

  /// The message of a field, or `nil` if it is valid or was not judged.
  func reason(of index: Int) -> String? { verdict(of: index)?.message?.withoutIsolates }

  func verdict(of index: Int) -> Verdict? { verdicts[prompt.fields[index].name] }

  /// The first field that keeps OK off, or `nil` if it is on.
  var firstInvalid: Int? { fields.first { !(verdict(of: $0)?.isValid ?? isUnjudged) } }

  /// The effect of Ctrl-C.
  var interruption: DialogRequest { prompt.buttons.contains { $0.role == .cancel } ? .send(.cancel) : .leave }

  // MARK: Fields in words

  /// A field's label, and whether it may stay empty.
  func label(of index: Int) -> String {
    let field = prompt.fields[index]
    return field.optional ? "\(field.label) (\(sentences[.optional]))" : field.label
  }

  /// The hints for a field: its help, what it accepts, its unit and its time zone.
  func hints(of index: Int) -> [String] {
    let field = prompt.fields[index]
    let zone = field.timeZone.map { sentences(.timeZone($0.shownName)) }
    let accepted = field.offersRows ? nil : prompt.accepted(by: index, in: sentences)
    return [field.help, accepted?.withoutIsolates, zone?.withoutIsolates].compactMap(\.self)
  }

  /// The number that was read, if it does not stand in the field like that.
  func reading(of index: Int) -> String? {
    prompt.fields[index].readAs(entries[index].text, in: sentences)?.withoutIsolates
  }

  /// The options that a field offers, or none if it is typed.
  func rows(of index: Int) -> [Field.Option] {
    let field = prompt.fields[index]
    // Of an object, No says that there is none.
    let isEmptiable = field.optional && field.kind != .choices && field.answer.type != .object
    let none = isEmptiable ? [Field.Option("", title: sentences[.none])] : []
    guard field.kind == .boolean else { return field.offersRows ? none + field.options : [] }
    return none + [Field.Option("true", title: sentences(.yes)), Field.Option("false", title: sentences(.no))]
  }

  /// The input of a field, as a person may read it; never a password.
  func summary(of index: Int) -> String {
    let field = prompt.fields[index], texts = entries[index].texts
    if field.kind == .password { return texts.contains { !$0.isEmpty } ? "••••••" : "" }
    let rows = rows(of: index)
    let shown = texts.map { text in
      rows.first { $0.value == text && !text.isEmpty }?.title ?? text.replacing("\n", with: " ↵ ")
    }
    return shown.joined(separator: ", ") + (field.unit.map { shown == [""] ? "" : " \($0)" } ?? "")
  }
}

extension Field {
  /// True if the field is chosen from rows and not typed.
  var offersRows: Bool { kind.offersOptions || kind == .boolean }
}

extension String {
  /// A sentence without the marks that set apart what stands in it (U+2068 and U+2069), for which terminals have no use.
  var withoutIsolates: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }))
  }
}
