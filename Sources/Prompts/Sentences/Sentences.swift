/// What is said to people, in the language of a prompt or the closest to it that is built in.
package final class Sentences: Sendable {
  /// The language of the prompt: `de-AT`, though the sentences may be those of `de`.
  package let language: Language
  package let isEnglish: Bool
  private let file: LanguageFile
  private let isRightToLeft: Bool

  /// English if none of the built-in languages is close.
  package init(in language: Language) {
    self.language = language
    file = Languages.closest(to: language) ?? Languages.english
    isEnglish = file.language == .english
    isRightToLeft = file.language.isRightToLeft
  }

  package static let english = Sentences(in: .english)

  /// Whether these are sentences of the prompt's own language.
  package var areInLanguage: Bool { !isEnglish || language.lookup(in: [.english]) != nil }

  package func callAsFunction(_ sentence: Sentence) -> String {
    sentence.parts.isEmpty ? written(.sentence(sentence)) : sentence.parts.joined(separator: file[sentence.key])
  }

  package subscript(_ text: PageText) -> String { file["page.\(text.rawValue)"] }

  package subscript(_ note: PageNote) -> (heading: String, sentence: String) {
    (file["page.\(note.rawValue).heading"], file["page.\(note.rawValue).sentence"])
  }

  /// What is said about a number that only the browser knows: the number stands as `{n}`.
  package enum Counted: String, Sendable, CaseIterable {
    case tooLong, tooLongTogether, problems
  }

  /// Each plural category that the language has for whole numbers, with its sentence.
  package func forms(of counted: Counted) -> [(category: PluralCategory, sentence: String)] {
    PluralCategory.allCases.compactMap { category in
      file.texts["\(counted.rawValue).\(category.rawValue)"].map { (category, filled($0, ["n": "{n}"])) }
    }
  }

  /// A text with the values that its places name.
  private func filled(_ template: String, _ values: [String: Sentence.Value]) -> String {
    var (text, rest) = ("", Substring(template))
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "}"))
    {
      text += rest[..<start]
      text += values[String(rest[rest.utf8.index(after: start)..<end])].map(written) ?? ""
      rest = rest[rest.utf8.index(after: end)...]
    }
    return text + rest
  }

  private func written(_ value: Sentence.Value) -> String {
    switch value {
    // It keeps its own direction in a sentence from right to left: 2025-01-31 would otherwise read 31-01-2025 (Unicode,
    // UAX 9, section 2.3).
    case .text(let text): return isRightToLeft ? "\u{2068}\(text)\u{2069}" : text
    case .sentence(let sentence):
      let form = sentence.number.map { ".\(file.plurals.category(of: $0).rawValue)" } ?? ""
      return filled(file[sentence.key + form], sentence.values)
    case .list(let texts): return texts.map { written(.text($0)) }.joined(separator: file["comma"])
    case .alternatives(let texts):
      let quoted = texts.map { filled(file["quote"], ["value": .text($0)]) }
      let head = quoted.dropLast().joined(separator: file["comma"])
      return ((head.isEmpty ? [] : [head]) + quoted.suffix(1)).joined(separator: file["lastOr"])
    }
  }
}
