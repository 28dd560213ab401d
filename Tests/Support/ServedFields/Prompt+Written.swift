package import Prompts

extension Prompt {
  /// Its definition, as programs read it.
  package var definition: String { written { writeDefinition(to: &$0) } }

  /// The JSON Schema of its values.
  package var schema: String { written { writeSchema(to: &$0, id: "https://ask.example.com/schema") } }

  /// The rules JSON in its own language.
  package var servedRules: String { edition().servedRules }
}

extension Edition {
  /// The rules JSON.
  package var servedRules: String { written { writeRules(to: &$0, name: nil, version: "1") } }
}

extension Judgement {
  /// The verdicts, or `nil` if questions are open.
  package var verdicts: Verdicts? { if case .decided(let verdicts) = self { verdicts } else { nil } }
}

private func written(_ write: (inout JSONWriter) -> Void) -> String {
  var json = JSONWriter()
  write(&json)
  return json.text
}
