internal import Prompts

/// What a field is drawn as; each has a template of its own.
enum Control: String, CaseIterable {
  case line, multiline, password, boolean, radios, select, checkboxes, slider

  /// The most options that are drawn as radio buttons; more make a select.
  static let mostRadios = 5

  init(_ field: Field) {
    self =
      switch field.kind {
      case .multiline: .multiline
      case .password: .password
      case .boolean: .boolean
      case .choice: field.options.count <= Self.mostRadios ? .radios : .select
      case .choices: .checkboxes
      case .slider: .slider
      case .text, .email, .url, .tel, .search, .number, .integer, .date, .time, .dateTime: .line
      }
  }

  var template: String { "control-\(rawValue)" }

  /// Whether the control is drawn by controls.css, which dialogs of plain lines do without.
  var hasStyles: Bool {
    switch self {
    case .line, .multiline: false
    case .password, .boolean, .radios, .select, .checkboxes, .slider: true
    }
  }
}

extension Field.Kind {
  /// The `type` of the `<input>`. Where the browser's own type would alter or hide what a person typed, it is
  /// `text`; the template `control-line` says more.
  var inputType: String {
    switch self {
    case .tel, .search, .date, .time, .password: rawValue
    case .dateTime: "datetime-local"
    default: "text"
    }
  }

  /// Whether the browser's own picker knows bounds.
  var hasPicker: Bool { self == .date || self == .time || self == .dateTime }
}
