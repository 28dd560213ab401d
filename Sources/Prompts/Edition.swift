/// A prompt as people see it in one of its languages.
///
/// It is a class because passing it on copies one reference, while copying a prompt copies a dozen.
package final class Edition: Sendable {
  /// The prompt as its author has written it.
  package let authored: Prompt
  /// With every text in that language, as far as there is one.
  package let prompt: Prompt
  package let sentences: Sentences
  package var language: Language { sentences.language }
  /// Every language of the prompt, its own first.
  package let languages: [Language]
  /// True if there are others.
  package var isOneOfSeveral: Bool { languages.count > 1 }

  /// The one field in which a person says why they press Cancel, or `nil` if they are not asked.
  package let reason: Edition?

  /// True if some of its fields or buttons apply only under conditions.
  let hasConditions: Bool
  /// The number of bytes of texts that an event loop can judge at once, however they are spread over the fields.
  package let bytesForEventLoop: Int
  /// The message of each rule of each field: composing one takes longer than a verdict.
  private let messages: [[(rule: Rule, message: String)]]

  init(of authored: Prompt, as prompt: Prompt, in sentences: Sentences) {
    self.authored = authored
    self.prompt = prompt
    self.sentences = sentences
    languages = authored.languages
    reason = prompt.reason.map { Prompt(reason: $0, of: prompt, in: sentences).edition() }
    hasConditions = prompt.hasConditions
    bytesForEventLoop = prompt.bytesForEventLoop
    messages = prompt.fields.map { field in
      let reader = Audience(sentences: sentences, kind: field.kind, fields: prompt.fields)
      return field.allRules.map { ($0, $0.message(for: reader)) }
    }
  }

  /// The same in one of the prompt's languages.
  package func inLanguage(_ language: Language) -> Edition {
    language == self.language ? self : authored.edition(in: language)
  }

  /// The message of a rule of the field at this index.
  func message(of rule: Rule, at index: Int) -> String {
    if let kept = messages[index].first(where: { $0.rule === rule }) { return kept.message }
    return rule.message(for: Audience(sentences: sentences, kind: prompt.fields[index].kind, fields: prompt.fields))
  }
}

extension Field {
  /// The name of the reason for Cancel in forms and errors. No field of a definition can be named so.
  package static let reasonName = "okcancel-reason"
}

extension Prompt {
  /// Asks why a person presses Cancel: judged by the same rules and shown in the same way as any other field.
  package init(reason: Button.Reason, of prompt: Prompt, in sentences: Sentences) {
    let field = Field(
      Field.reasonName, label: sentences[.reason], kind: .multiline, optional: reason == .optional,
      rules: (reason == .required ? [.notBlank.saying(sentences[.reasonNeeded])] : []) + [.length(max: 2000)]
    ) { $0.trim = true }
    let cancel = prompt.buttons.first { $0.role == .cancel }?.title
    self.init(title: cancel ?? sentences[.cancel], language: sentences.language.tag, fields: [field])
  }
}
