package import Prompts

extension Pages {
  /// The dialog of a prompt.
  ///
  /// - Parameters:
  ///   - rules: the prompt's rules JSON, which the page carries, so that the browser need not request it.
  ///   - inputs: what was typed, to be shown again except for passwords, or `nil` for the initial values.
  ///   - verdicts: what was wrong with it, or `nil` if nothing was judged. Each message appears by its field and in the
  ///     summary.
  package func dialog(
    _ prompt: Prompt, at address: Address, rules: [UInt8], inputs: Inputs? = nil, verdicts: Verdicts? = nil
  ) -> [UInt8] {
    var values = common
    values["title"] = prompt.title
    values["message"] = prompt.message
    values["submit"] = address.page
    values["validate"] = address.validate
    let json = embeddable(json: rules)
    values["rules"] = json
    values.set("modules", Self.modules(of: prompt, rules: json))
    values.set("hasControls", prompt.fields.contains { Control($0).hasStyles })

    let failing = prompt.fields.filter { verdicts?[$0.name]?.message != nil }
    let focused = (failing.first ?? prompt.fields.first)?.name
    let fields = prompt.fields.map { field in
      fieldValues(
        field, input: inputs.map { $0[field.name] ?? field.kind.emptyInput } ?? field.value,
        error: verdicts?[field.name]?.message, hasFocus: field.name == focused)
    }
    values.set("hasFields", !fields.isEmpty)
    values.set("fields", fields)
    values.set("hasErrors", !failing.isEmpty)
    values.set(
      "errors",
      failing.map { field in
        var values = TemplateValues()
        values["name"] = field.name
        values["label"] = field.label
        values["error"] = verdicts?[field.name]?.message
        return values
      })
    addButtons(of: prompt, to: &values)
    return draw("dialog", values)
  }

  private func addButtons(of prompt: Prompt, to values: inout TemplateValues) {
    values.set(
      "buttons",
      prompt.buttons.enumerated().map { index, button in
        var values = TemplateValues()
        values["buttonTitle"] = button.title
        values["actionName"] = button.name
        values.set("isOK", button.role == .ok)
        values.set("isCancel", button.role == .cancel)
        values.set("isAction", button.role == .action)
        values.set("validates", button.validates)
        values.set("destructive", button.isDestructive)
        values.set("disables", prompt.okWhenInvalid == .disabled)
        values.set("focus", prompt.fields.isEmpty && index == prompt.buttons.firstIndex { $0.role == .ok })
        return values
      })
    // Two short titles stand side by side, as on a native alert.
    values.set("stacked", prompt.buttons.count > 2 || prompt.buttons.contains { $0.title.count > 14 })
    values.set("needsDefault", prompt.buttons.first { $0.validates }?.role == .action)
    values["okTitle"] = prompt.buttons.first { $0.role == .ok }?.title
  }

  /// The scripts beside dialog.js that this dialog will request.
  private static func modules(of prompt: Prompt, rules: String) -> [String] {
    var modules = ["/rules.js"]
    if prompt.fields.contains(where: { !$0.allow.isEmpty }) { modules.append("/dialog-filter.js") }
    if prompt.fields.contains(where: { $0.kind == .password || $0.kind == .slider }) {
      modules.append("/dialog-controls.js")
    }
    if rules.contains(#""decidedBy""#) { modules.append("/dialog-asking.js") }
    return modules
  }
}
