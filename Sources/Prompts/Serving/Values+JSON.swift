package import StrictJSON

extension JSONWriter {
  /// Answers, typed: numbers as numbers where a double is exact, booleans, lists, null.
  package mutating func value(_ values: Values) {
    object { json in
      for entry in values.entries { json.member(entry.name) { $0.value(entry.value) } }
    }
  }

  package mutating func value(_ answer: Value) {
    switch answer {
    case .null: null()
    case .text(let text): value(text)
    case .boolean(let bool): value(bool)
    case .number(let literal): self.literal(literal)
    case .choices(let texts): array(texts)
    }
  }
}
