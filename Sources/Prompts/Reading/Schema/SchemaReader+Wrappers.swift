/// Reads schemas as they stand in what programs send: a format of OpenAI's, a tool or an elicitation of MCP.
extension SchemaReader {
  private static let keys = ["json_schema", "schema", "requestedSchema", "inputSchema"]

  /// Goes on to the schema inside, if this is not one.
  mutating func unwrap() {
    while wrappers.count < 3, root.mappingValue("properties") == nil,
      let inner = Self.keys.compactMap({ root.mappingValue($0) }).first(where: { $0.entries != nil })
    {
      noteExtras(of: root)
      read += ["title", "message", "description", "default", "examples"].compactMap { root.mappingValue($0) }
      wrappers.append(root)
      root = inner
    }
  }

  /// The initial values that the schema stands beside, which come before its own; or `nil`.
  var defaultOfWrappers: Node? { wrappers.lazy.compactMap { $0.mappingValue("default") }.first }

  /// A text for a definition from what the schema stands in, or `nil` if that has none: its name in words, at worst.
  func text(_ keyword: String, ofWrappersAs key: String) -> Node.Entry? {
    for wrapper in wrappers.reversed() {
      for key in keyword == "title" ? ["title", "message"] : [keyword] {
        if let text = wrapper.mappingValue(key) { return Node.Entry(keyword == "title" ? "title" : "message", text) }
      }
      if keyword == "title", let name = wrapper.mappingValue("name"),
        let words = Self.words(for: [name.scalarText ?? ""])
      {
        return Node.Entry("title", Node(.string(words), standingFor: name.place))
      }
    }
    return nil
  }
}

// MARK: What we have written

extension Prompt {
  /// Reads the definition in a schema that was written for it.
  ///
  /// The definition says all that the keywords cannot, so it counts, if the schema is still what is written for it.
  init?(
    _ definition: Node, writtenAs schema: Node, title: String?, message: String?, _ reading: inout Reading
  ) {
    let count = reading.faults.count
    guard reading.spend(5_000 + 20 * schema.size), let prompt = Prompt(definition, &reading) else { return nil }
    self = prompt
    guard reading.faults.count == count else { return }
    var json = JSONWriter()
    let sentences = Sentences(in: language ?? .english)
    writeSchema(to: &json, id: schema.mappingValue("$id")?.scalarText ?? "", sentences: sentences)
    // What is written deeper than a file may be is not what was read.
    if (try? JSON(parsing: json.bytes, limits: .file)).map({ Node($0).says(schema) }) != true {
      reading.report("not-as-written", ["key": Self.definitionKey], at: definition.place)
    }
    let place = schema.place
    if let title {
      let read = reading.text(Node(.string(title), standingFor: place), "title", as: .title, limit: 200)
      self.title = read ?? self.title
    }
    if let message {
      self.message = reading.text(Node(.string(message), standingFor: place), "message", as: .lines, limit: 10_000)
    }
  }
}
