// MARK: As a definition

extension Prompt {
  /// The definition as JSON, in the format of definition files: what is read back is the same prompt, with its
  /// translations and only the messages of its author.
  ///
  /// - Parameter isKept: whether it is written for a store, and says what its short forms meant at that time.
  package func writeDefinition(to json: inout JSONWriter, isKept: Bool = false) {
    write(to: &json, holding: Inputs(), for: Audience(sentences: .english, isAuthor: true), isKept: isKept)
  }

  fileprivate func write(
    to json: inout JSONWriter, holding values: Inputs, for reader: Audience, isKept: Bool = false,
    askedBy: String? = nil, requestedBy: Person? = nil
  ) {
    var reader = reader
    reader.fields = fields
    // `required` is short for a rule, which is served with the others.
    let keys = FieldKey.all.filter { reader.isAuthor || $0.name != "required" }
    json.object { json in
      json.member("title", title)
      json.member("message", ifPresent: message)
      if !context.isEmpty { json.array("context", context) { $0.value($1.json) } }
      json.member("language", ifPresent: language?.tag)
      json.array("fields", fields) { json, field in
        if let section = field.section {
          json.object { json in
            json.member("section", section)
            json.member("help", ifPresent: field.sectionHelp)
          }
        }
        var field = field
        if field.kind != .password, let value = values[field.name] { field.value = value }
        json.object { json in for key in keys { key.write(field, &json, reader.about(field)) } }
      }
      json.array("buttons", buttons) { $1.writeDefinition(to: &$0, for: reader) }
      if !objects.isEmpty { json.member("objects") { $0.array(objects.map(JSONPointer.text)) } }
      if okWhenInvalid != .explains { json.member("okWhenInvalid", okWhenInvalid.rawValue) }
      if !translations.isEmpty {
        json.object("translations") { for (language, texts) in translations { $0.member(language.tag, texts.json) } }
      }
      if reader.isAuthor {
        answerers.writeMembers(to: &json)
        noticePlan.writeMembers(to: &json)
        json.member("resultWithin", ifPresent: resultWithin?.brief)
      }
      json.member("askedIn", ifPresent: requestedLanguage?.tag)
      json.member("askedBy", ifPresent: askedBy)
      if let requestedBy { json.member("requestedBy", requestedBy.json) }
      if isKept { json.member("requires", NotBlank.name) }
    }
  }
}

extension Edition {
  /// The same as the person gets it: in one language, each rule with its message.
  ///
  /// - Parameters:
  ///   - values: what fields hold at first instead of their own values; never that of a password.
  ///   - asker: the name of the program that asks, or `nil` if it has none.
  ///   - person: the one for whom it asks, or `nil`.
  package func writeDefinition(
    to json: inout JSONWriter, holding values: Inputs = Inputs(), askedBy asker: String? = nil,
    requestedBy person: Person? = nil
  ) {
    prompt.write(to: &json, holding: values, for: Audience(sentences: sentences), askedBy: asker, requestedBy: person)
  }
}

extension Prompt.Button {
  fileprivate func writeDefinition(to json: inout JSONWriter, for reader: Audience) {
    json.object { json in
      if hasOwnTitle { json.member("title", title) }
      json.member("role", role.rawValue)
      json.member("name", ifPresent: name)
      if role == .action { json.member("validates", validates) }
      if isDestructive { json.member("destructive", true) }
      json.member("reason", ifPresent: reason?.rawValue)
      when.write(to: &json, for: reader, isDefinition: true)
    }
  }
}

extension Field {
  func writeMoments(to json: inout JSONWriter) {
    json.member("validate") { $0.array(Moment.allCases.filter(validate.contains).map(\.rawValue)) }
  }
}

extension JSONWriter {
  mutating func value(_ input: Input) {
    switch input {
    case .text(let text): value(text)
    case .choices(let texts): array(texts)
    case .illFormed: null()
    }
  }
}

// MARK: As rules

extension Edition {
  /// The rules JSON, as browsers and scripts read it: every field with its rules, messages resolved.
  ///
  /// - Parameters:
  ///   - name: what the document calls the prompt, or `nil` for an ask's own definition, which has no name.
  ///   - version: changes whenever anything else in the document does.
  package func writeRules(to json: inout JSONWriter, name: String?, version: String) {
    let reader = Audience(sentences: sentences, fields: prompt.fields)
    json.object { json in
      json.member("prompt", ifPresent: name)
      json.member("version", version)
      json.member("language", language.tag)
      json.array("fields", prompt.fields) { $1.writeRules(to: &$0, for: reader.about($1)) }
      let actions = prompt.buttons.filter { !$0.when.isEmpty }
      if !actions.isEmpty {
        json.array("actions", actions) { json, action in
          json.object { json in
            json.member("name", ifPresent: action.name)
            action.when.write(to: &json, for: reader)
          }
        }
      }
      if !prompt.objects.isEmpty { json.member("objects") { $0.array(prompt.objects.map(JSONPointer.text)) } }
      json.object("messages", writeMessages)
    }
  }

  /// Writes the messages that a browser gives by itself.
  private func writeMessages(to json: inout JSONWriter) {
    json.member("text", sentences(.text))
    json.member("line", sentences(.line))
    if prompt.fields.contains(where: { $0.kind == .boolean }) { json.member("boolean", sentences(.boolean)) }
    // A browser puts the two ways to write a number in the places.
    if prompt.fields.flatMap(\.allRules).areOfNumbers {
      json.member("grouped", sentences(.grouped("{whole}", "{decimal}")))
      json.member("readAs", sentences(.readAs("{number}")))
    }
    // Of an empty text a browser says the other one.
    if prompt.fields.flatMap(\.allRules).contains(where: { $0.name == NotBlank.name }) {
      json.member("notBlank", sentences("notBlank"))
      json.member("nonEmpty", sentences(.nonEmpty))
    }
    if prompt.fields.contains(where: { field in field.allRules.contains { $0.takesNoFullWidth(in: field.kind) } }) {
      json.member("width", sentences(.width))
    }
    if prompt.fields.contains(where: { $0.kind == .choices }) {
      json.member("noOptionTwice", sentences(.noOptionTwice))
    }
    // With only one text, texts cannot be too long together and there is never more than one problem.
    let isAlone = prompt.fields.count < 2 && prompt.fields.first?.kind.isList != true
    if prompt.fields.contains(where: { $0.kind == .list }) { json.member("onLine", sentences(.onLine)) }
    // By plural category; a browser puts its number in the place of `{n}`.
    for counted in isAlone ? [.tooLong] : Sentences.Counted.allCases {
      json.object(counted.rawValue) { json in
        for (category, sentence) in sentences.forms(of: counted) { json.member(category.rawValue, sentence) }
      }
    }
    if prompt.hasConditions {
      // A browser puts the labels in the place of `{fields}`.
      json.member("shownFields", sentences(.shownFields("{fields}")))
      json.member("hiddenFields", sentences(.hiddenFields("{fields}")))
    }
  }
}

extension Field {
  /// The judge that decides whether a text of this field is valid: a browser too, or only the server.
  package var decidedBy: DecidedBy {
    (Rule.decidedBy(allow) + Rule.decidedBy(rules, on: premise)).contains(.server) ? .server : .everywhere
  }

  /// The facts about a text before the rules judge it: `allow` limits how long a typed text can be.
  var premise: Premise {
    var allowed = Premise()
    for rule in allow { allowed.narrow(to: rule) }
    var premise = Premise()
    premise.limit(to: allowed.longestText)
    return premise
  }

  /// Writes rules as `rules`, each with who decides it, by what is known of a text that `allow` has let through.
  func write(_ rules: [Rule], to json: inout JSONWriter, for reader: Audience) {
    var reader = reader
    reader.premise = premise
    json.member("rules") { $0.rules(rules, for: reader) }
  }

  fileprivate func writeRules(to json: inout JSONWriter, for reader: Audience) {
    json.object { json in
      json.member("name", name)
      if !isSame(at, JSONPointer.text([name])) { json.member("at", at) }
      json.member("valueType", ifPresent: answer.type?.rawValue)
      if !alternatives.isEmpty { json.member("valueTypes") { $0.array(answer.types.map(\.rawValue)) } }
      if answer.omitsEmpty { json.member("omitEmpty", true) }
      json.member("kind", kind.rawValue)
      json.member("optional", optional)
      json.member("trim", trim)
      json.member("section", ifPresent: section)
      json.member("sectionHelp", ifPresent: sectionHelp)
      when.write(to: &json, for: reader)
      writeMoments(to: &json)
      json.member("allow") { $0.rules(allow, for: reader) }
      write(rules, to: &json, for: reader)
    }
  }
}
