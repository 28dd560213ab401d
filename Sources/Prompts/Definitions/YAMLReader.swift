internal import CYAML

/// Reads YAML as a tree of JSON, with line and column of each value and key.
///
/// It reads the simple part of YAML 1.2: one document of maps, lists and scalars. Anchors, aliases,
/// merge keys, tags and directives are faults, and so is whatever two YAML readers could read differently.
///
/// It reads libyaml's events, which show what its trees hide: duplicate keys, aliases however often they multiply,
/// directives. It owns a C parser, which must not move in memory.
final class YAMLReader {
  /// Levels of maps and lists.
  static let depthLimit = 64
  /// Keys of all maps together.
  private static let keyLimit = 10_000

  private let source: SourceText
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let text: UnsafeMutableBufferPointer<UInt8>
  /// The places of all values and keys so far.
  private var places: [Node.Place] = []
  private var reading: Reading
  private var depth = 0
  private var keys = 0
  /// True if something could not be built, so that the tree says less than the file.
  private var isBroken = false

  /// The tree, or `nil` if the faults that were reported leave too little of it to go on.
  ///
  /// - Parameter remedy: what to write if there is nothing.
  /// - Throws: the fault that ended reading.
  static func read(
    _ source: SourceText, _ reading: inout Reading, ifEmpty remedy: FaultRow = DefinitionFile.beginning
  ) throws(Fault) -> Node? {
    try json(source, &reading, ifEmpty: remedy).map { Node($0.json, places: $0.places) }
  }

  /// The same, with the places of all values and keys beside it.
  static func json(
    _ source: SourceText, _ reading: inout Reading, ifEmpty remedy: FaultRow = DefinitionFile.beginning
  ) throws(Fault) -> (json: JSON, places: [Node.Place])? {
    if let fault = source.firstCharacterNotYAML { throw fault }
    let reader = YAMLReader(source, reading)
    defer { reading = reader.reading }
    let json = try reader.document(ifEmpty: remedy)
    return reader.isBroken ? nil : json.map { ($0, reader.places) }
  }

  private init(_ source: SourceText, _ reading: Reading) {
    self.source = source
    self.reading = reading
    text = .allocate(capacity: source.bytes.count)
    _ = text.initialize(from: source.bytes)
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    text.deallocate()
  }

  /// - Throws: the fault at which libyaml stops reading.
  private func next() throws(Fault) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else {
      let problem = parser.pointee.problem.map { String(cString: $0) } ?? ""
      let place = Node.Place(parser.pointee.problem_mark), character = source.scalar(at: place)
      // libyaml puts the end of a text on a line of its own; here it is where the text ends.
      throw Fault(
        Self.fault(problem, character), at: character == nil ? source.end : place)
    }
    defer { yaml_event_delete(&event) }
    // The start of the stream says only the encoding, which is known.
    return event.type == YAML_STREAM_START_EVENT ? try next() : YAMLEvent(event)
  }

  private func document(ifEmpty remedy: FaultRow) throws(Fault) -> JSON? {
    let start = try next()
    guard case .documentStart(let hasDirectives) = start.kind else {
      return refuse("empty-file", ["remedy": remedy], at: start)
    }
    if hasDirectives { report("directives", at: start) }
    guard let json = try value(next()) else { return nil }
    // The end of the document, and then of the text.
    _ = try next()
    let end = try next()
    if case .end = end.kind { return json }
    return refuse("several-documents", at: end)
  }

  /// The value that begins with this event, or `nil` if it was refused.
  private func value(_ event: YAMLEvent) throws(Fault) -> JSON? {
    if let anchor = event.anchor { report("anchor", ["name": anchor], at: event) }
    if let tag = event.tag { report("tag", ["tag": tag], at: event) }
    places.append(event.place)
    switch event.kind {
    case .scalar(let text, let isPlain): return isPlain && event.tag == nil ? JSON(plain: text) : .string(text)
    case .sequenceStart, .mappingStart:
      depth += 1
      defer { depth -= 1 }
      // The rest is not read: libyaml takes longer over each level the deeper it is.
      guard depth <= Self.depthLimit else {
        throw Fault(FaultRow("nested-too-deeply", ["limit": Self.depthLimit]), at: event.place)
      }
      if case .sequenceStart = event.kind { return .array(try elements()) }
      return .object(try members())
    case .alias(let name):
      return refuse("alias", ["name": name], at: event)
    case .documentStart, .end: return nil
    }
  }

  private func elements() throws(Fault) -> [JSON] {
    var elements: [JSON] = []
    while true {
      let event = try next()
      if case .end = event.kind { return elements }
      if let element = try value(event) { elements.append(element) }
    }
  }

  private func members() throws(Fault) -> [JSON.Member] {
    var members: [JSON.Member] = []
    while true {
      let event = try next()
      if case .end = event.kind { return members }
      let key = try key(event)
      let value = try value(next())
      keys += 1
      if keys == Self.keyLimit + 1 { refuse("too-many-keys", ["limit": Self.keyLimit], at: event) }
      if let key, let value, keys <= Self.keyLimit { members.append(JSON.Member(key, value)) }
    }
  }

  /// The text of a key, or `nil` if it was refused.
  private func key(_ event: YAMLEvent) throws(Fault) -> String? {
    switch event.kind {
    case .scalar("<<", isPlain: true):
      refuse("merge-key", at: event)
      return nil
    case .scalar, .alias: break
    default: refuse("key-not-text", at: event)
    }
    _ = try value(event)
    return if case .scalar(let text, _) = event.kind { text } else { nil }
  }

  // MARK: Faults

  private func report(_ name: String, _ facts: SentenceTable.Facts = [:], at event: YAMLEvent) {
    reading.report(name, facts, at: event.place)
  }

  /// Reports why there is no value here.
  @discardableResult
  private func refuse(_ name: String, _ facts: SentenceTable.Facts = [:], at event: YAMLEvent) -> JSON? {
    isBroken = true
    report(name, facts, at: event)
    return nil
  }
}

// MARK: Plain scalars

extension JSON {
  /// Reads an unquoted scalar by its text (YAML 1.2, 10.3.2, core schema).
  ///
  /// Only `true`, `false`, `null`, `~` and nothing at all have a meaning; `yes`, `off`, `True` and `2025-01-31` are texts.
  /// Numbers keep their literal.
  fileprivate init(plain text: String) {
    switch text {
    case "", "~", "null": self = .null
    case "true": self = .bool(true)
    case "false": self = .bool(false)
    default: self = Self.mayBeNumber(text) && Self.number.matches(text) ? .number(text) : .string(text)
    }
  }

  /// Those of the core schema in any base, infinity and not-a-number.
  private static let number = try! Pattern(
    #"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|"#
      + #"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"#)

  /// Most texts begin with a letter.
  private static func mayBeNumber(_ text: String) -> Bool { text.utf8.first.map { $0 < 0x3A } ?? false }
}

// MARK: Events

/// One thing that libyaml finds in a text.
private struct YAMLEvent {
  enum Kind {
    /// - Parameter hasDirectives: whether lines such as `%YAML 1.1` stand before it.
    case documentStart(hasDirectives: Bool)
    /// - Parameter isPlain: whether it is neither quoted nor a block, so that `true` and `12` are not texts.
    case scalar(String, isPlain: Bool)
    case sequenceStart, mappingStart
    case alias(String)
    /// Of a list, a map, a document or the text.
    case end
  }

  let kind: Kind
  let place: Node.Place
  let anchor: String?
  let tag: String?

  fileprivate init(_ event: yaml_event_t) {
    let data = event.data
    var (anchor, tag): (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?)
    switch event.type {
    case YAML_DOCUMENT_START_EVENT:
      let tags = data.document_start.tag_directives
      kind = .documentStart(hasDirectives: data.document_start.version_directive != nil || tags.start != tags.end)
    case YAML_SCALAR_EVENT:
      let bytes = UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
      kind = .scalar(String(decoding: bytes, as: UTF8.self), isPlain: data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
      (anchor, tag) = (data.scalar.anchor, data.scalar.tag)
    case YAML_SEQUENCE_START_EVENT:
      kind = .sequenceStart
      (anchor, tag) = (data.sequence_start.anchor, data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT:
      kind = .mappingStart
      (anchor, tag) = (data.mapping_start.anchor, data.mapping_start.tag)
    case YAML_ALIAS_EVENT: kind = .alias(data.alias.anchor.map { String(cString: $0) } ?? "")
    default: kind = .end
    }
    place = Node.Place(event.start_mark)
    self.anchor = anchor.map { String(cString: $0) }
    self.tag = tag.map { String(cString: $0) }
  }
}

extension Node.Place {
  fileprivate init(_ mark: yaml_mark_t) { self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1) }
}

// MARK: Sentences

extension YAMLReader {
  /// The fault and its remedy, for the author of the file.
  private static func fault(_ problem: String, _ character: Unicode.Scalar?) -> FaultRow {
    let character = character.map(String.init) ?? ""
    let row = ["\(problem) at \(character.debugDescription)", problem, "other"].first(where: problems.has) ?? "other"
    let words = problems.fields(of: row, ["character": character, "problem": problem])
    return FaultRow("yaml", saying: words[0], words[1])
  }

  /// By libyaml's words, some with the character that they are about.
  private static let problems = SentenceTable("Sources/Prompts/Definitions/yaml-problems.txt", columns: 3)
}
