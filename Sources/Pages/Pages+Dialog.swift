package import Prompts

extension Pages {
  /// The dialog of a prompt, in one of its languages.
  ///
  /// - Parameters:
  ///   - rules: the prompt's rules JSON, which the page carries, so that the browser need not request it.
  ///   - inputs: what was typed, to be shown again except for passwords, or `nil` for the initial values.
  ///   - verdicts: what was wrong with it, or `nil` if nothing was judged. Each message appears by its field and in the
  ///     summary.
  ///   - problem: why it could not be judged at all, or `nil` if it was.
  package func dialog(
    _ edition: Edition, at address: Address, rules: [UInt8], inputs: Inputs? = nil, verdicts: Verdicts? = nil,
    problem: String? = nil
  ) -> [UInt8] {
    let prompt = edition.prompt
    var values = common(edition.sentences)
    values["title"] = prompt.title
    values["message"] = prompt.message
    values.set("isLong", Self.isLong(prompt.message ?? ""))
    values.set("hasContext", !prompt.context.isEmpty)
    values.set("context", prompt.context.map(\.values))
    values["problem"] = problem
    values.set("isValid", verdicts == nil && problem == nil && prompt.isKnownToBeValid(holding: inputs))
    values.set("hasConditions", prompt.hasConditions)
    values["submit"] = address.submit
    values["validate"] = address.judge
    let json = embeddable(json: rules)
    values["rules"] = json
    values.set("modules", Self.modules(of: prompt, rules: json))

    let failing = prompt.fields.filter { verdicts?[$0.name]?.message != nil }
    values.set("hasLanguages", edition.isOneOfSeveral)
    values.set("languages", edition.isOneOfSeveral ? Self.links(of: edition) : [])
    let hasMore = edition.isOneOfSeveral || edition.language.isRightToLeft
    values.set(
      "hasControls",
      !failing.isEmpty || hasMore
        || prompt.fields.contains { Control($0).hasStyles || $0.section != nil || !$0.when.isEmpty })
    let focused = (failing.first ?? prompt.fields.first)?.name
    var isInSection = false
    let fields = prompt.fields.indices.map { index in
      let field = prompt.fields[index]
      var values = fieldValues(
        field, input: inputs.map { $0[field.name] ?? field.kind.emptyInput } ?? field.value,
        error: verdicts?[field.name]?.message, hasFocus: field.name == focused, in: edition.sentences)
      let lines = field.when.map { $0.sentence(among: prompt.fields, in: edition.sentences) }
      values["when"] = lines.joined(separator: "\n")
      values["section"] = field.section
      isInSection = isInSection || field.section != nil
      let isLast = index + 1 == prompt.fields.endIndex || prompt.fields[index + 1].section != nil
      values.set("endsSection", isInSection && isLast)
      return values
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

  /// The page in each of its other languages.
  private static func links(of edition: Edition) -> [TemplateValues] {
    edition.languages.filter { $0 != edition.language }.map { language in
      var values = TemplateValues()
      values["tag"] = language.tag
      values["name"] = Languages.name(of: language)
      values["direction"] = language.isRightToLeft ? "rtl" : "ltr"
      return values
    }
  }

  private func addButtons(of prompt: Prompt, to values: inout TemplateValues) {
    // Two short titles stand side by side, as on a native alert.
    let isStacked = prompt.buttons.count > 2 || prompt.buttons.contains { $0.title.count > 14 }
    let buttons = Self.ordered(prompt.buttons, isStacked: isStacked)
    values.set(
      "buttons",
      buttons.enumerated().map { index, button in
        var values = TemplateValues()
        values["buttonTitle"] = button.title
        values["actionName"] = button.name
        values.set("isOK", button.role == .ok)
        values.set("isCancel", button.role == .cancel)
        values.set("isAction", button.role == .action)
        values.set("validates", button.validates)
        values.set("isFree", !button.validates && !button.when.isEmpty)
        values.set("sendsNothing", !button.validates && button.when.isEmpty)
        values.set("destructive", button.isDestructive)
        values.set("disables", prompt.okWhenInvalid == .disabled)
        values.set("focus", prompt.fields.isEmpty && index == buttons.firstIndex { $0.role == .ok })
        return values
      })
    values.set("stacked", isStacked)
    values.set("needsDefault", buttons.first { $0.validates || !$0.when.isEmpty }?.role == .action)
    values.set("needsAct", buttons.contains { $0.role == .action && !$0.validates && $0.when.isEmpty })
    values["okTitle"] = prompt.buttons.first { $0.role == .ok }?.title
  }

  /// The order in which buttons are seen and reached: stacked, the primary first and Cancel last; side by side, Cancel
  /// first, as on a native alert.
  private static func ordered(_ buttons: [Prompt.Button], isStacked: Bool) -> [Prompt.Button] {
    let cancel = buttons.filter { $0.role == .cancel }
    guard isStacked else { return cancel + buttons.filter { $0.role != .cancel } }
    return buttons.filter { $0.role == .ok } + buttons.filter { $0.role == .action } + cancel
  }

  /// Whether a message has three lines or more, as far as its length can tell.
  private static func isLong(_ message: String) -> Bool {
    let charactersInLine = 44
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.reduce(0) { $0 + max(1, ($1.count + charactersInLine - 1) / charactersInLine) } > 2
  }

  /// The scripts beside dialog.js that this dialog will request.
  private static func modules(of prompt: Prompt, rules: String) -> [String] {
    let isIn = { (names: [String]) in names.contains { rules.contains("\"\($0)\"") } }
    var modules = ["dialog-state.js", "judge.js"]
    // The same names as in dialog.js.
    let quantities = ["integer", "number", "date", "time", "dateTime", "range", "step", "compare"]
    if isIn(quantities) { modules.append("quantities.js") }
    if isIn(["url", "international"]) { modules.append("hosts.js") }
    if isIn(["timeZone"]) { modules.append("zones.js") }
    if prompt.fields.contains(where: { !$0.allow.isEmpty }) { modules.append("dialog-filter.js") }
    if prompt.fields.contains(where: { $0.kind == .password || $0.kind == .slider }) {
      modules.append("dialog-controls.js")
    }
    if isIn(["decidedBy"]) { modules.append("dialog-asking.js") }
    if prompt.hasConditions { modules += ["dialog-conditions.js", "conditions.js"] }
    return modules
  }
}
