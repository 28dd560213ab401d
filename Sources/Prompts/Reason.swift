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
