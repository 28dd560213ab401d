internal import Foundation
internal import Prompts

extension Pages {
  /// The values of a field for the templates.
  ///
  /// - Parameters:
  ///   - input: what the field holds.
  ///   - error: the message under the field, or `nil` if there is none.
  func fieldValues(_ field: Field, input: Input, error: String?, hasFocus: Bool, in sentences: Sentences)
    -> TemplateValues
  {
    let control = Control(field), scale = field.scale
    let form = { (text: String) in field.kind == .dateTime ? Self.htmlDateTime(text) : text }
    // The style sheet needs a placeholder to detect an empty field, which takes the page's direction.
    let isBlank = sentences.language.isRightToLeft && [.text, .multiline, .search, .list].contains(field.kind)
    let picker = field.kind.picker, hasBounds = control == .slider || picker != nil
    let least =
      control == .slider
      ? scale.min.map { SliderScale.start(min: $0, step: scale.step, from: scale.from) }
      : hasBounds ? scale.min : nil
    let isPassword = field.kind == .password
    let help = field.help ?? (field.kind == .list ? sentences[.onePerLine] : nil)
    let held = (field.kind == .list ? input.shown : input.text).map { field.controlText(for: $0) }
    return [
      "name": field.name,
      "label": field.label,
      "kind": field.kind.rawValue,
      "control": control.template,
      "type": field.kind.inputType,
      "placeholder": field.placeholder ?? (isBlank ? " " : nil),
      "labelIsForeign": sentences.isForeign(field.label),
      "help": help,
      "helpIsForeign": sentences.isForeign(help ?? ""),
      "unit": field.unit,
      "error": Raw(error),
      "typed": Raw(picker.map { sentences(.typed($0)) }),
      "picked": Raw(picker.map { sentences(.picked($0)) }),
      "inputmode": (field.typing.keyboard ?? field.digits)?.rawValue,
      "autocapitalize": field.typing.capitalize?.rawValue,
      "autocomplete": field.typing.autocomplete,
      "enterkeyhint": field.typing.enterKey?.rawValue,
      "spellcheck": field.typing.spellcheck.map { $0 ? "true" : "false" },
      // A switch is always on or off.
      "optional": field.optional && field.kind != .boolean,
      // Of check boxes none is required itself, and nothing is any more once one is chosen.
      "required": field.isRequired && (control != .checkboxes || input.texts.isEmpty),
      "autofocus": hasFocus,
      "min": least.map(form),
      "max": hasBounds ? scale.max.map(form) : nil,
      "step": scale.step,
      // A password is never sent back.
      "value": isPassword ? nil : Raw(held.map { form($0.text) }),
      // A browser may write it in another way.
      "given": field.kind == .dateTime && field.timeZone == nil ? Raw(held.map(\.text)) : nil,
      "readAs": Raw(control == .line || control == .multiline ? field.readAs(held?.text, in: sentences) : nil),
      "hidden": control == .line || control == .multiline ? held?.text.hiddenSummary : nil,
      "checked": input.text == "true",
      "isLong": field.isLongList,
      "options": optionValues(field, input, control, hasFocus: hasFocus, in: sentences),
      "showName": isPassword ? Raw(sentences(.showField(field.label))) : nil,
      "hideName": isPassword ? Raw(sentences(.hideField(field.label))) : nil,
      "timeZone": field.timeZone?.word,
      "inTimeZone": Raw(field.timeZone.map { sentences(.timeZone($0.shownName)) }),
      "inTimeZoneSentence": Raw(field.timeZone.map { _ in sentences(.timeZone("{zone}")) }),
      "moment": held?.moment,
    ]
  }

  private func optionValues(
    _ field: Field, _ input: Input, _ control: Control, hasFocus: Bool, in sentences: Sentences
  ) -> [TemplateValues] {
    // As rules judge it: to ==, é is the same as e with a combining accent.
    let chosen = TextSet(Array(input.texts.prefix(max(1, field.options.count))))
    let isChosen = { (option: Field.Option) in chosen.contains(option.value) }
    // Nobody can deselect a radio button, so no answer is an option too.
    let isOpen = control == .radios && field.optional
    let options = (isOpen ? [Field.Option("", title: sentences[.none])] : []) + field.options
    let focused = control == .radios ? options.firstIndex(where: isChosen) ?? 0 : 0
    return options.enumerated().map { index, option in
      [
        "option": Raw(option.value), "optionTitle": option.title, "optionHelp": option.help, "index": "\(index)",
        "optionIsForeign": sentences.isForeign(option.title),
        "first": index == 0, "chosen": isChosen(option), "focus": hasFocus && index == focused,
      ]
    }
  }

  /// A browser's control only takes `T` between date and time (HTML, 2.3.5.5); rules also take a space.
  private static func htmlDateTime(_ text: String) -> String {
    var utf8 = Array(text.utf8)
    if utf8.count > 10, utf8[10] == UInt8(ascii: " ") { utf8[10] = UInt8(ascii: "T") }
    return String(decoding: utf8, as: UTF8.self)
  }
}

extension Field {
  /// True if its own rules refuse the empty text; those that look at other fields or ask a program do not count.
  fileprivate var isRequired: Bool {
    guard !optional else { return false }
    return rules.contains {
      !["sameAs", "compare", "predicate"].contains($0.name) && ![$0].verdict(on: kind.emptyInput).isValid
    }
  }
}

extension Field {
  /// True if there are so many check boxes that they get a search field: dialog-options.js has the same number.
  var isLongList: Bool { kind == .choices && options.count >= 20 }

  /// The keyboard of digits, or `nil` for numbers that may be negative: on iOS it has no minus.
  fileprivate var digits: Typing.Keyboard? {
    guard let least = scale.min, !least.hasPrefix("-") else { return nil }
    return kind == .integer ? .numeric : kind == .number ? .decimal : nil
  }
}

extension Field.Kind {
  /// The `type` of the `<input>`. If the browser's own type would alter or hide what a person typed, it is `text`; the
  /// template `control-line` says more.
  var inputType: String {
    switch self {
    case .tel, .search, .date, .time, .password: rawValue
    case .dateTime: "datetime-local"
    default: "text"
    }
  }

  /// The quantity that the browser's own picker offers, or `nil` if there is none.
  var picker: Quantity.Form? { [.date, .time, .dateTime].contains(self) ? quantity : nil }
}

/// The control that draws a field; each has a template of its own. Some have the name of the kind that they are for.
enum Control: String, CaseIterable {
  case line, multiline, password, boolean, radios, select, checkboxes, slider

  /// The most options that are drawn as radio buttons; more make a select.
  static let mostRadios = 5

  init(_ field: Field) {
    self =
      switch field.kind {
      case .choice: field.options.count <= Self.mostRadios ? .radios : .select
      case .choices: .checkboxes
      case .list: .multiline
      default: Self(rawValue: field.kind.rawValue) ?? .line
      }
  }

  var template: String { "control-\(rawValue)" }

  /// True if the control is drawn by controls.css, which dialogs of plain lines do without.
  var hasStyles: Bool { self != .line && self != .multiline }
}

/// The beginning of a slider.
///
/// A browser counts its steps from `min` (HTML, 4.10.5.3.8), the rule `step` from its own `from`. A slider that began
/// between the rule's steps would offer none of the valid values, so it begins at the first of them.
enum SliderScale {
  /// The first step that is not below `min`.
  ///
  /// - Returns: `min` as it is if decimals of 38 digits cannot tell.
  static func start(min: String, step: String?, from: String?) -> String {
    guard let least = decimal(min), let step = decimal(step ?? "0"), let from = decimal(from ?? "0"), step > 0
    else { return min }
    var steps = (least - from) / step, whole = Decimal()
    unsafe NSDecimalRound(&whole, &steps, 0, .up)
    let start = from + whole * step
    guard start > least, start - step < least else { return min }
    return "\(start)"
  }

  /// `nil` beyond a decimal's exponents.
  private static func decimal(_ text: String) -> Decimal? {
    // The text is a number by our own grammar, so all of it is read, in no locale.
    Decimal(string: text).flatMap { $0.isFinite ? $0 : nil }
  }
}
