package import StrictJSON

// MARK: As a definition

extension Prompt {
  /// The definition as JSON, in the format of definition files: what is read back is the same prompt.
  ///
  /// Rules carry their resolved messages, in the language of `sentences`.
  ///
  /// - Parameter values: what fields hold at first instead of their own values; never that of a password.
  package func writeDefinition(
    to json: inout JSONWriter, holding values: Inputs = Inputs(), sentences: Sentences = .english
  ) {
    json.object { json in
      json.member("title", title)
      json.member("message", ifPresent: message)
      if !context.isEmpty { json.member("context") { $0.array(context) { $1.write(to: &$0) } } }
      json.member("fields") { json in
        json.array(fields) { json, field in
          if let section = field.section { json.object { $0.member("section", section) } }
          let value = field.kind == .password ? nil : values[field.name]
          field.writeDefinition(
            to: &json, holding: value ?? field.value, for: Audience(sentences: sentences, field: field, fields: fields))
        }
      }
      json.member("buttons") { json in
        json.array(buttons) { $1.writeDefinition(to: &$0, for: Audience(sentences: sentences, fields: fields)) }
      }
      if okWhenInvalid != .explains { json.member("okWhenInvalid", okWhenInvalid.rawValue) }
    }
  }
}

extension Prompt.Button {
  fileprivate func writeDefinition(to json: inout JSONWriter, for reader: Audience) {
    json.object { json in
      json.member("title", title)
      json.member("role", role.rawValue)
      json.member("name", ifPresent: name)
      if role == .action { json.member("validates", validates) }
      if isDestructive { json.member("destructive", true) }
      when.write(to: &json, for: reader, isDefinition: true)
    }
  }
}

extension Field {
  fileprivate func writeDefinition(to json: inout JSONWriter, holding value: Input, for reader: Audience) {
    json.object { json in
      json.member("name", name)
      json.member("label", label)
      json.member("kind", kind.rawValue)
      json.member("placeholder", ifPresent: placeholder)
      json.member("help", ifPresent: help)
      if !value.isEmpty { json.member("value") { $0.value(value) } }
      json.member("optional", optional)
      json.member("trim", trim)
      if international { json.member("international", true) }
      when.write(to: &json, for: reader, isDefinition: true)
      writeMoments(to: &json)
      if !allow.isEmpty { json.member("allow") { $0.array(allow) { $1.write(to: &$0, for: reader) } } }
      json.member("rules") { $0.array(rules) { $1.write(to: &$0, for: reader) } }
      if !options.isEmpty { json.member("options") { $0.array(options) { $1.writeDefinition(to: &$0) } } }
      json.member("keyboard", ifPresent: typing.keyboard?.rawValue)
      json.member("capitalize", ifPresent: typing.capitalize?.rawValue)
      json.member("autocomplete", ifPresent: typing.autocomplete)
      json.member("enterKey", ifPresent: typing.enterKey?.rawValue)
      if let spellcheck = typing.spellcheck { json.member("spellcheck", spellcheck) }
      json.member("valueType", ifPresent: answer.type?.rawValue)
      if answer.omitsEmpty { json.member("omitEmpty", true) }
      if answer.isNullable { json.member("nullable", true) }
    }
  }
}

extension Field {
  private func writeMoments(to json: inout JSONWriter) {
    json.member("validate") { $0.array(Moment.allCases.filter(validate.contains).map(\.rawValue)) }
  }
}

extension Field.Option {
  fileprivate func writeDefinition(to json: inout JSONWriter) {
    json.object { json in
      json.member("value", value)
      json.member("title", title)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ input: Input) {
    switch input {
    case .text(let text): value(text)
    case .choices(let texts): array(texts)
    case .illFormed: null()
    }
  }
}

// MARK: As rules

extension Prompt {
  /// The rules JSON, as browsers and scripts read it: every field with its rules, messages resolved.
  ///
  /// - Parameters:
  ///   - name: what the document calls the prompt, or `nil` for an ask's own definition, which has no name.
  ///   - version: changes whenever anything else in the document does.
  package func writeRules(
    to json: inout JSONWriter, name: String?, version: String, sentences: Sentences = .english
  ) {
    json.object { json in
      json.member("prompt", ifPresent: name)
      json.member("version", version)
      json.member("language", sentences.language)
      json.member("fields") { json in
        json.array(fields) { json, field in
          field.writeRules(to: &json, for: Audience(sentences: sentences, field: field, fields: fields))
        }
      }
      let actions = buttons.filter { !$0.when.isEmpty }
      if !actions.isEmpty {
        json.member("actions") { json in
          json.array(actions) { json, action in
            json.object { json in
              json.member("name", ifPresent: action.name)
              action.when.write(to: &json, for: Audience(sentences: sentences, fields: fields))
            }
          }
        }
      }
      json.member("messages") { json in
        json.object { json in
          json.member("text", sentences(.text))
          json.member("line", sentences(.line))
          json.member("boolean", sentences(.boolean))
          // A browser puts its number in the place of `{n}`.
          json.member("tooLong", sentences(.tooLong(by: "{n}")))
          json.member("tooLongByOne", sentences(.tooLong(by: "1")))
          json.member("tooLongTogether", sentences(.tooLongTogether(by: "{n}")))
          json.member("tooLongTogetherByOne", sentences(.tooLongTogether(by: "1")))
          json.member("unchecked", sentences(.unchecked))
          if hasConditions {
            // A browser puts the labels in the place of `{fields}`.
            json.member("came", sentences(.came("{fields}")))
            json.member("went", sentences(.went("{fields}")))
          }
        }
      }
    }
  }
}

extension Field {
  /// Who decides whether a text of this field is valid: a browser too, or only the server.
  package var decidedBy: DecidedBy {
    (Rule.decidedBy(allow) + Rule.decidedBy(rules, on: premise)).contains(.server) ? .server : .everywhere
  }

  /// What is known of a text before the rules judge it: `allow` lets no longer one be typed than it says.
  var premise: Premise {
    var allowed = Premise()
    for rule in allow { rule.condition.narrow(&allowed) }
    var premise = Premise()
    premise.limit(to: allowed.longestText)
    return premise
  }

  fileprivate func writeRules(to json: inout JSONWriter, for reader: Audience) {
    json.object { json in
      json.member("name", name)
      json.member("kind", kind.rawValue)
      json.member("optional", optional)
      json.member("trim", trim)
      json.member("section", ifPresent: section)
      when.write(to: &json, for: reader)
      writeMoments(to: &json)
      json.member("allow") { $0.rules(allow, for: reader) }
      json.member("rules") { json in
        var reader = reader
        reader.premise = premise
        json.rules(rules, for: reader)
      }
    }
  }
}
