internal import Base
internal import StrictJSON

/// What the keywords of JSON Schema say of values, as `keywords.json` lists it.
extension SchemaReader {
  /// The keywords and formats in `keywords.json`.
  static let table = try! JSON(
    parsing: EmbeddedFiles.bytes(of: "Sources/Prompts/Reading/Schema/keywords.json"), limits: .file)

  /// The messages for texts that a format's own pattern does not match, by the pattern.
  static let sentences: [String: Sentence] = {
    var sentences: [String: Sentence] = [:]
    for format in table["formats"]?.members ?? [] {
      guard case .array(let rules)? = format.value["rules"] else { continue }
      for rule in rules {
        guard let pattern = rule.text("pattern") ?? rule["not"]?.text("pattern") else { continue }
        let sentence = Rule.Format(rawValue: format.key)?.sentence
        sentences[pattern] = sentence ?? Sentence(stringLiteral: format.value.text("kind") ?? format.key)
      }
    }
    return sentences
  }()

  private static let annotations = words(table.text("annotations"))

  private static func words(_ text: String?) -> [String] { (text ?? "").split(separator: " ").map(String.init) }

  static func isAnnotation(_ key: String) -> Bool {
    annotations.contains(key) || key.hasPrefix("x-") || isIgnored(key)
  }

  static let refusedFormats = words(table.text("refusedFormats"))

  private static let ignored = words(table.text("ignored"))

  /// True if it tells another form builder what a form looks like.
  static func isIgnored(_ key: String) -> Bool {
    ignored.contains { $0.hasSuffix(":") ? key.hasPrefix($0) : isSame($0, key) }
  }

  /// The keywords that say something of values of this type.
  static func keywords(for type: String) -> [String] { words(table["keywords"]?.text(type)) }

  /// The types of whose values each keyword says something, and nothing of others. `enum` and `const` speak of all.
  static let speech: [String: Set<String>] = {
    var speech: [String: Set<String>] = [:]
    for type in types {
      for word in keywords(for: type) + words(table["unsupported"]?.text(type)) where !["enum", "const"].contains(word)
      {
        speech[word, default: []].insert(type)
      }
    }
    return speech
  }()
}
