internal import Prompts

extension Pages {
  /// The dialog of a prompt, in one of its languages.
  ///
  /// - Parameters:
  ///   - version: of the prompt, which the form sends with the answer.
  ///   - rules: the prompt's rules JSON, which the page carries, so that the browser need not request it.
  ///   - inputs: what was typed, to be shown again except for passwords, or `nil` for the initial values.
  ///   - verdicts: what was wrong with it, or `nil` if nothing was judged. Each message appears by its field and in the
  ///     summary.
  ///   - problem: why it could not be judged at all, or `nil` if it was.
  func dialog(
    _ edition: Edition, at address: Address, version: String, rules: [UInt8], inputs: Inputs? = nil,
    verdicts: Verdicts? = nil, problem: String? = nil
  ) -> [UInt8] {
    let (prompt, sentences) = (edition.prompt, edition.sentences)
    let shown = inputs.map {
      // What a program has set is shown whole.
      Reshown($0, of: prompt, verdicts, limit: verdicts == nil && problem == nil ? .max : Self.reshownLimit, edition)
    }
    let json = embeddable(json: rules)
    let reason = edition.reason?.prompt.fields.first
    let failing = (prompt.fields + [reason].compactMap(\.self)).filter { shown?.messages[$0.name] != nil }
    let focused = prompt.onlyOffersMore ? nil : (failing.first ?? prompt.fields.first)?.name
    // Of the messages, those that are not in the page's language: the others are the author's.
    let authored: Set<String> =
      sentences.areInLanguage ? [] : Set(prompt.fields.flatMap(\.allRules).compactMap(\.message))
    let isForeign = { (field: Field) in
      !sentences.areInLanguage
        && shown?.messages[field.name].map { message in !authored.contains(where: message.hasSuffix) } ?? true
    }
    let fields = prompt.fields.enumerated().map { index, field in
      fieldValues(
        field, input: shown.map { $0.inputs[field.name] ?? field.kind.emptyInput } ?? field.value,
        error: shown?.messages[field.name], hasFocus: field.name == focused, in: sentences
      ).merging([
        "when": Raw(field.when.map { $0.sentence(among: prompt.fields, in: sentences) }.joined(separator: "\n")),
        "section": field.section, "sectionHelp": field.sectionHelp,
        "whenIsForeign": !sentences.areInLanguage && field.when.allSatisfy { $0.message == nil },
        "isForeign": isForeign(field),
        "endsSection": prompt.fields[...index].contains { $0.section != nil }
          && (index + 1 == prompt.fields.count || prompt.fields[index + 1].section != nil),
      ])
    }
    let otherLanguages = edition.languages.filter { $0 != edition.language }
    let hasControls =
      !failing.isEmpty || edition.isOneOfSeveral || edition.language.isRightToLeft || prompt.hasConditions
      || prompt.fields.contains { Control($0).hasStyles || $0.section != nil || $0.unit != nil }
    // Beside what may not apply: pictures have no size before they come, and scripts write numbers and time zones.
    let waits =
      prompt.hasConditions || prompt.fields.contains { $0.isLongList || $0.kind == .slider || $0.timeZone != nil }
      || prompt.context.contains { if case .image = $0 { true } else { false } }
    let asked = Sentence.asked(by: address.askedBy, for: address.requestedBy)
    let hasExtras =
      waits || asked != nil || reason != nil || !prompt.context.isEmpty || logo != nil
      || Self.isLong(prompt.message ?? "") || Self.isStacked(prompt.buttons)
      || prompt.fields.contains {
        $0.optional || $0.kind.isMultiline || [.search, .date, .time, .dateTime].contains($0.kind)
          || $0.typing.autocomplete == "one-time-code"
      }
    let values: TemplateValues = [
      "title": prompt.title,
      "message": prompt.message,
      "isLong": Self.isLong(prompt.message ?? ""),
      "askedBy": asked.map { sentences($0) },
      "authored": Raw(authored.sorted().joined(separator: "\n")),
      "describedBy": [prompt.message.map { _ in "message" }, asked.map { _ in "asker" }]
        .compactMap(\.self).joined(separator: " "),
      "hasContext": !prompt.context.isEmpty,
      "context": prompt.context.enumerated().map { $1.values(at: $0).merging(["index": String($0)]) },
      "problem": problem,
      "isValid": verdicts == nil && problem == nil && edition.isKnownToBeValid(holding: inputs),
      "waits": waits,
      "secondsLeft": address.secondsLeft.map(String.init),
      "readsOn": Self.isRead(prompt),
      "submit": address.submit,
      "version": version,
      "passwords": prompt.fields.filter { $0.kind == .password }.map(\.name),
      "validate": address.judge,
      "rules": Raw(json),
      "modules": modules(of: prompt, rules: json, hasErrors: !failing.isEmpty, isEnglish: !sentences.areInLanguage),
      "hasControls": hasControls,
      "hasExtras": hasExtras,
      "hasFields": !fields.isEmpty,
      "onlyOffersMore": prompt.onlyOffersMore,
      "fields": fields,
      "reason": reason.map {
        fieldValues(
          $0, input: shown?.inputs[$0.name] ?? .text(""), error: shown?.messages[$0.name], hasFocus: $0.name == focused,
          in: sentences
        ).merging(["form": "cancel", "isForeign": isForeign($0)])
      },
      "hasErrors": !failing.isEmpty,
      "errors": failing.map { field -> TemplateValues in
        [
          "name": field.name, "label": field.label, "error": Raw(shown?.messages[field.name]),
          "labelIsForeign": sentences.isForeign(field.label), "isForeign": isForeign(field),
        ]
      },
      "hasLanguages": edition.isOneOfSeveral,
      "languages": otherLanguages.map { language -> TemplateValues in
        ["tag": language.tag, "name": Languages.name(of: language), "direction": language.direction]
      },
    ]
    return draw(
      "dialog", in: sentences,
      values.merging(
        Self.buttonValues(
          of: prompt, in: sentences, first: failing.isEmpty ? prompt.firstRole(isForSome: address.isForSome) : nil)))
  }

  /// The number of bytes of HTML with which a page may send back typed texts: as many as all texts of an answer may
  /// have together.
  static let reshownLimit = 64 * 1024

  /// Two short titles stand side by side, as on a native alert.
  private static func isStacked(_ buttons: [Prompt.Button]) -> Bool {
    // Letters of East Asia are twice as wide.
    let width = { (title: String) in title.unicodeScalars.reduce(0) { $0 + ($1.value < 0x2E80 ? 1 : 2) } }
    return buttons.count > 2 || buttons.contains { width($0.title) > 14 }
  }

  /// - Parameter role: of the button that has the focus first, or `nil` if none has.
  private static func buttonValues(of prompt: Prompt, in sentences: Sentences, first role: Prompt.Button.Role?)
    -> TemplateValues
  {
    let isStacked = Self.isStacked(prompt.buttons)
    let buttons = ordered(prompt.buttons, isStacked: isStacked)
    let first = buttons.firstIndex { $0.role == role }
    return [
      "buttons": buttons.enumerated().map { index, button -> TemplateValues in
        [
          "buttonTitle": button.title,
          "isForeign": sentences.isForeign(button.title),
          "actionName": button.name,
          "isOK": button.role == .ok,
          "isCancel": button.role == .cancel,
          "isAction": button.role == .action,
          "validates": button.validates,
          "isFree": !button.validates && !button.when.isEmpty,
          "sendsNothing": !button.validates && button.when.isEmpty,
          "destructive": button.isDestructive,
          "disables": prompt.okWhenInvalid == .disabled,
          "focus": index == first,
        ]
      },
      "stacked": isStacked,
      "needsDefault": buttons.first { $0.validates || !$0.when.isEmpty }?.role == .action,
      "needsAct": buttons.contains { $0.role == .action && !$0.validates && $0.when.isEmpty },
      "okTitle": prompt.buttons.first { $0.role == .ok }?.title,
    ]
  }

  /// The order in which buttons are seen and reached: stacked, the primary first and Cancel last; side by side, Cancel
  /// first, as on a native alert.
  private static func ordered(_ buttons: [Prompt.Button], isStacked: Bool) -> [Prompt.Button] {
    let cancel = buttons.filter { $0.role == .cancel }
    guard isStacked else { return cancel + buttons.filter { $0.role != .cancel } }
    return buttons.filter { $0.role == .ok } + buttons.filter { $0.role == .action } + cancel
  }

  /// True if there may be more to read than is in sight at once.
  private static func isRead(_ prompt: Prompt) -> Bool { !prompt.context.isEmpty || isLong(prompt.message ?? "") }

  /// True if a message has lines of its own, or three as far as its length can tell: it is not centred.
  private static func isLong(_ message: String) -> Bool {
    message.unicodeScalars.contains("\n") || message.count > 2 * 44
  }

  /// The scripts beside dialog.js that this dialog needs: dialog.js imports those that its page names.
  private func modules(of prompt: Prompt, rules: String, hasErrors: Bool, isEnglish: Bool) -> [String] {
    let has = { (names: [String]) in names.contains { rules.contains("\"\($0)\"") } }
    let modules = [
      ("quantities.js", has(["integer", "number", "date", "time", "dateTime", "range", "step", "compare"])),
      ("logic.js", has(["predicate", "length", "count", "oneOf", "field", "all", "any", "not", "tooLongTogether"])),
      ("blanks.js", has(["notBlank"])),
      ("hosts.js", has(["url", "international", "format"])),
      ("formats.js", has(["format"])),
      ("lists.js", has(["list"])),
      ("zones.js", has(["timeZone"])),
      ("dialog-filter.js", prompt.fields.contains { !$0.allow.isEmpty }),
      ("dialog-controls.js", hasErrors || prompt.fields.contains { Control($0).hasStyles && Control($0) != .select }),
      ("dialog-asking.js", has(["decidedBy"])),
      ("dialog-english.js", isEnglish),
      ("dialog-dates.js", has(["date", "time", "dateTime"])),
      ("dialog-options.js", prompt.fields.contains(where: \.isLongList)), ("dialog-reading.js", Self.isRead(prompt)),
      ("dialog-reason.js", prompt.reason != nil), ("dialog-offer.js", prompt.onlyOffersMore),
      ("dialog-conditions.js", prompt.hasConditions), ("conditions.js", prompt.hasConditions),
      // After the conditions, which know fields by their names.
      (
        "places.js",
        !prompt.objects.isEmpty || prompt.fields.contains { $0.path != [$0.name] || !$0.answer.isUsual }
      ),
    ]
    let needed = modules.filter(\.1).map(\.0), joined = needed.filter(kinds.contains)
    return joined.count < 3 ? needed : ["dialog-kinds.js"] + needed.filter { !joined.contains($0) }
  }
}

/// The inputs that a dialog shows again, and the messages under its fields.
private struct Reshown {
  let inputs: Inputs
  /// By the field's name.
  let messages: [String: String]

  /// - Parameter limit: bytes of HTML. A field that goes beyond is shown empty, and says that it must be entered again.
  init(_ inputs: Inputs, of prompt: Prompt, _ verdicts: Verdicts?, limit: Int, _ edition: Edition) {
    var messages: [String: String] = [:]
    verdicts?.forEachInvalid { field, _, message in messages[field] = message }
    var left = limit, omitted: [String] = []
    for field in prompt.fields where field.kind != .password {
      let size = inputs[field.name]?.text.map(HTMLContent.escapedCount) ?? 0
      if size <= left { left -= size } else { omitted.append(field.name) }
    }
    for field in prompt.fields {
      guard let picker = field.kind.picker, messages[field.name] == edition.sentences(.typed(picker)) else { continue }
      messages[field.name] = edition.sentences(.picked(picker))
    }
    for field in omitted { messages[field] = edition.sentences[.enterAgain] }
    self.inputs = omitted.isEmpty ? inputs : inputs.without(omitted)
    self.messages = messages
  }
}
