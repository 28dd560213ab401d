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
    annotations.contains(key) || key.hasPrefix("x-") || tool(of: key) != nil
  }

  static let refusedFormats = words(table.text("refusedFormats"))

  /// The words that are ignored, each with the name of the tool that reads it.
  static let toolWords = (table["ignored"]?.members ?? []).reduce(into: [String: String]()) { all, tool in
    for word in words(table["ignored"]?.text(tool.key)) { all[word] = tool.key }
  }

  /// The tool that reads a word which says nothing about values, or `nil` if it is none that is known.
  static func tool(of key: String) -> String? {
    toolWords[key] ?? key.utf8.firstIndex(of: UInt8(ascii: ":")).flatMap { toolWords[String(key[...$0])] }
  }

  /// The tools that read these words, each once.
  static func tools(of words: [String]) -> String {
    var tools: [String] = []
    for tool in words.compactMap({ tool(of: $0) }) where !tools.contains(tool) { tools.append(tool) }
    return tools.joined(separator: ", ")
  }

  /// What to write instead of a word that is not supported: the keyword that was meant, if one is near.
  ///
  /// - Parameter known: the keywords that may stand there.
  static func remedy(for word: String, among known: [String]) -> String {
    let instead = ["insteadInObjects", "insteadInProperties"].flatMap { table[$0]?.members.map(\.key) ?? [] }
    let all = known + annotations + speech.keys.sorted() + instead + ["enum", "const", "allOf"]
    if all.contains(word) { return Nearest(to: "", among: known).description }
    let spelled = words(table["spellings"]?.text(word))
    let meant = spelled.first(where: known.contains) ?? spelled.first
    guard let meant = meant ?? Nearest.nearest(to: word, among: all.filter { $0.utf8.count > 4 }, edits: 1) else {
      return "remove it, or write it as `x-\(word.drop { !$0.isLetter })`"
    }
    return "did you mean `\(meant)`?"
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

extension FaultRow {
  /// The same fault, naming the keyword that a value stands for in a schema.
  func naming(keywordAt pointer: String) -> FaultRow {
    let keyword = pointer.split(separator: "/").last { Int($0) == nil }.map(String.init) ?? ""
    let words = ["title", "description", "default", "enum", "const"] + SchemaReader.descriptions + SchemaReader.titles
    let ids = ["not-a-text", "not-a-boolean", "not-a-list", "blank", "control-character", "several-lines", "too-many"]
    return ids.contains(id) && (words + SchemaReader.hints).contains(keyword) ? with(key: keyword) : self
  }
}
