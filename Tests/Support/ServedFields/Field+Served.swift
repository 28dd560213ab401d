package import Prompts

extension Field {
  /// Reads a field of the rules JSON, as `GET /prompts/{name}/rules` serves it; what is left out has its default.
  ///
  /// The kind's own rule is among the rules as served, so that reading them says all.
  /// Faults go to `reading`; nil: it is no field at all.
  package init?(served json: JSON, _ reading: inout Reading) {
    guard let name = json["name"]?.text, let kind = json["kind"]?.text.flatMap(Field.Kind.init(rawValue:)) else {
      return nil
    }
    func rules(_ key: String) -> [Rule] { (json[key]?.elements ?? []).compactMap { Rule(Node($0), &reading) } }
    self.init(
      name, kind: kind, optional: json["optional"]?.isTrue ?? false, rules: rules("rules"),
      when: When.list(served: json["when"], &reading)
    ) {
      $0.allow = rules("allow")
      if let trim = json["trim"] { $0.trim = trim.isTrue }
    }
  }
}

extension Inputs {
  /// Reads the values by field, each as `Input.init(written:)` does; nil: this is no object.
  package init?(written json: JSON) {
    guard case .object(let members) = json else { return nil }
    self.init(members.map { ($0.key, Input(written: $0.value)) })
  }
}

extension Input {
  /// Reads a text of the corpus, or a list of texts: the chosen of kind `choices`.
  package init(written json: JSON) {
    guard case .array(let elements) = json else {
      self = json.corpusText.map(Input.text) ?? .illFormed
      return
    }
    let texts = elements.map(\.corpusText)
    self = texts.contains(nil) ? .illFormed : .choices(texts.compactMap(\.self))
  }
}
