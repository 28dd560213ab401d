/// The sentences for people, in the language of a prompt or the closest to it that is built in.
package final class Sentences: Sendable {
  /// The language of the prompt: `de-AT`, though the sentences may be those of `de`.
  package let language: Language
  package let isEnglish: Bool
  private let file: LanguageFile

  /// English if none of the built-in languages is close.
  package init(in language: Language) {
    self.language = language
    file = Languages.closest(to: language) ?? Languages.english
    isEnglish = file.language == .english
  }

  package static let english = Sentences(in: .english)

  /// True if these are sentences of the prompt's own language.
  package var areInLanguage: Bool { !isEnglish || language.lookup(in: [.english]) != nil }

  /// True if a text that a prompt holds is one of ours, in English because its language has none.
  package func isForeign(_ text: String) -> Bool { !areInLanguage && Self.held.contains(text) }

  private static let held: Set<String> = {
    let texts: [PageText] = [.ok, .cancel, .none, .onePerLine, .reason]
    let sentences: [Sentence] = [.yes, .no, .allow, .deny, .ownWords]
    return Set(texts.map { english[$0] } + sentences.map { english($0) })
  }()

  package func callAsFunction(_ sentence: Sentence) -> String {
    sentence.parts.isEmpty ? written(.sentence(sentence)) : sentence.parts.joined(separator: file[sentence.key])
  }

  /// The mark before the fraction of a number.
  var decimalMark: String { file["decimal"] }

  /// A message about a line of a list, which names it.
  func onLine(_ line: Int, _ message: String) -> String {
    self(.onLine).replacing("{line}", with: String(line)).replacing("{sentence}", with: message)
  }

  package subscript(_ text: PageText) -> String { file["page.\(text.rawValue)"] }

  package subscript(_ note: PageNote) -> (heading: String, sentence: String) {
    (file["page.\(note.rawValue).heading"], file["page.\(note.rawValue).sentence"])
  }

  /// What came of an answer, in one line: `Failed: Cluster unreachable`. What cannot be seen in it is not written out.
  package func sentence(on result: AskResult) -> String {
    let text: PageText =
      switch result.status {
      case .done: .resultDone
      case .failed: .resultFailed
      case .unknown: .resultUnknown
      }
    return self[text] + (result.text.map { self[.colon] + $0 } ?? "")
  }

  /// Sentences about a number that only the browser knows: the number stands as `{n}`.
  enum Counted: String, Sendable, CaseIterable {
    case tooLong, tooLongTogether, problems
  }

  /// Each plural category that the language has for whole numbers, with its sentence.
  func forms(of counted: Counted) -> [(category: PluralCategory, sentence: String)] {
    PluralCategory.allCases.compactMap { category in
      file.texts["\(counted.rawValue).\(category.rawValue)"].map { (category, filled($0, ["n": .text("{n}")])) }
    }
  }

  /// A text with the values that its places name.
  private func filled(_ text: LanguageFile.Text, _ values: KeyValuePairs<String, Sentence.Value>) -> String {
    if text.parts.count == 1 { return text.whole }
    return text.parts.reduce(into: "") { filled, part in
      filled += part.text
      if let place = part.place, let value = values[place] { filled += written(value) }
    }
  }

  private func written(_ value: Sentence.Value) -> String {
    switch value {
    case .text(let text): return file.isolated(text.revealed)
    case .sentence(let sentence):
      let form = sentence.number.map { ".\(file.plurals.category(of: $0).rawValue)" } ?? ""
      return filled(file.text(sentence.key + form), sentence.values)
    case .list(let texts): return texts.map { written(.text($0)) }.joined(separator: file["comma"])
    case .alternatives(let texts):
      let quoted = texts.map { filled(file.text("quote"), ["value": .text($0)]) }
      let head = quoted.dropLast().joined(separator: file["comma"])
      return ((head.isEmpty ? [] : [head]) + quoted.suffix(1)).joined(separator: file["lastOr"])
    }
  }
}

extension KeyValuePairs<String, Sentence.Value> {
  subscript(key: String) -> Sentence.Value? { first { $0.key == key }?.value }
}
