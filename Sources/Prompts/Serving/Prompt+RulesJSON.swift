package import StrictJSON

extension Prompt {
  /// The rules JSON, as browsers and scripts read it: every field with its rules, messages resolved.
  ///
  /// - Parameters:
  ///   - name: what the document calls the prompt; nil: an ask's own definition, which has no name.
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
  private var premise: Premise {
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
      json.member("validate") { json in
        json.array(Moment.allCases.filter(validate.contains).map(\.rawValue))
      }
      json.member("allow") { $0.rules(allow, for: reader) }
      json.member("rules") { json in
        var reader = reader
        reader.premise = premise
        json.rules(rules, for: reader)
      }
    }
  }
}
