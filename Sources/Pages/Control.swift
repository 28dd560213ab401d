internal import Prompts

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
