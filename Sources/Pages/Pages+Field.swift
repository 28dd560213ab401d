internal import Prompts

extension Pages {
  /// What the templates need to know of a field.
  ///
  /// - Parameters:
  ///   - input: what the field holds.
  ///   - error: the message under the field; nil: none.
  func fieldValues(_ field: Field, input: Input, error: String?, hasFocus: Bool) -> TemplateValues {
    let control = Control(field)
    var values = TemplateValues()
    values["name"] = field.name
    values["label"] = field.label
    values["kind"] = field.kind.rawValue
    values["control"] = control.template
    values["type"] = field.kind.inputType
    values["placeholder"] = field.placeholder
    values["help"] = field.help
    values["error"] = error
    values["inputmode"] = field.typing.keyboard?.rawValue
    values["autocapitalize"] = field.typing.capitalize?.rawValue
    values["autocomplete"] = field.typing.autocomplete
    values["enterkeyhint"] = field.typing.enterKey?.rawValue
    values["spellcheck"] = field.typing.spellcheck.map { $0 ? "true" : "false" }
    values.set("optional", field.optional)
    values.set("required", field.isRequired)
    values.set("autofocus", hasFocus)

    let form = { (text: String) in field.kind == .dateTime ? Self.htmlDateTime(text) : text }
    let scale = field.scale
    if field.kind == .slider || field.kind.hasPicker {
      values["min"] = scale.min.map(form)
      values["max"] = scale.max.map(form)
    }
    if field.kind == .slider, let min = scale.min, let step = scale.step {
      values["min"] = SliderScale.start(min: min, step: step, from: scale.from)
    }
    values["step"] = scale.step
    // What was typed as a password goes back to nobody.
    values["value"] = field.kind == .password ? nil : input.text.map(form)
    values.set("checked", input.text == "true")
    values.set("options", optionValues(field, input, control, hasFocus: hasFocus))
    return values
  }

  private func optionValues(
    _ field: Field, _ input: Input, _ control: Control, hasFocus: Bool
  ) -> [TemplateValues] {
    let chosen: [String] =
      switch input {
      case .text(let text): [text]
      case .choices(let texts): texts
      case .illFormed: []
      }
    // Byte by byte, as rules judge it; == takes é for e with an accent.
    let isChosen = { (option: Field.Option) in chosen.contains { $0.utf8.elementsEqual(option.value.utf8) } }
    // A radio button cannot be taken back, so leaving the question open is an option too.
    let isOpen = control == .radios && field.optional
    let options = (isOpen ? [Field.Option("", title: words.phrases["none"])] : []) + field.options
    let chosenIndex = options.firstIndex(where: isChosen) ?? 0
    return options.enumerated().map { index, option in
      var values = TemplateValues()
      values["option"] = option.value
      values["optionTitle"] = option.title
      values.set("first", index == 0)
      values.set("chosen", isChosen(option))
      values.set("focus", hasFocus && index == (control == .radios ? chosenIndex : 0))
      return values
    }
  }

  /// A browser's control takes `T` alone between date and time (HTML, 2.3.5.5); rules take a space too.
  private static func htmlDateTime(_ text: String) -> String {
    var utf8 = Array(text.utf8)
    if utf8.count > 10, utf8[10] == UInt8(ascii: " ") { utf8[10] = UInt8(ascii: "T") }
    return String(decoding: utf8, as: UTF8.self)
  }
}

extension Field {
  /// Whether its own rules refuse the empty text; those that look at other fields or ask a program do not count.
  fileprivate var isRequired: Bool {
    guard !optional else { return false }
    return rules.contains { !["sameAs", "compare", "predicate"].contains($0.name) && !$0.isValid("") }
  }
}
