package import StrictJSON

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
      json.member("fields") { json in
        json.array(fields) { json, field in
          let value = field.kind == .password ? nil : values[field.name]
          field.writeDefinition(
            to: &json, holding: value ?? field.value, for: Audience(sentences: sentences, field: field, fields: fields))
        }
      }
      json.member("buttons") { $0.array(buttons) { $1.writeDefinition(to: &$0) } }
      if okWhenInvalid != .explains { json.member("okWhenInvalid", okWhenInvalid.rawValue) }
    }
  }
}

extension Prompt.Button {
  fileprivate func writeDefinition(to json: inout JSONWriter) {
    json.object { json in
      json.member("title", title)
      json.member("role", role.rawValue)
      json.member("name", ifPresent: name)
      if role == .action { json.member("validates", validates) }
      if isDestructive { json.member("destructive", true) }
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
      json.member("validate") { $0.array(Moment.allCases.filter(validate.contains).map(\.rawValue)) }
      if !allow.isEmpty { json.member("allow") { $0.array(allow) { $1.write(to: &$0, for: reader) } } }
      json.member("rules") { $0.array(rules) { $1.write(to: &$0, for: reader) } }
      if !options.isEmpty { json.member("options") { $0.array(options) { $1.writeDefinition(to: &$0) } } }
      json.member("keyboard", ifPresent: typing.keyboard?.rawValue)
      json.member("capitalize", ifPresent: typing.capitalize?.rawValue)
      json.member("autocomplete", ifPresent: typing.autocomplete)
      json.member("enterKey", ifPresent: typing.enterKey?.rawValue)
      if let spellcheck = typing.spellcheck { json.member("spellcheck", spellcheck) }
    }
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
