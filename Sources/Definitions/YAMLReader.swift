internal import Prompts
internal import StrictJSON

/// Reads YAML as a tree of JSON, with line and column of each value and key.
///
/// It reads the part of YAML 1.2 that needs no second thought: one document of maps, lists and scalars. Anchors, aliases,
/// merge keys, tags and directives are faults, and so is whatever two YAML readers could read differently.
struct YAMLReader {
  /// Levels of maps and lists.
  static let depthLimit = 64
  /// Keys of all maps together.
  private static let keyLimit = 10_000

  private let events: YAMLEvents
  /// The places of all values and keys so far.
  private var places: [Node.Place] = []
  private var reading: Reading
  private var depth = 0
  private var keys = 0
  /// Whether something could not be built, so that the tree says less than the file.
  private var isBroken = false

  /// The tree, or `nil` if the faults that were reported leave too little of it to go on.
  ///
  /// - Throws: the fault that ended reading.
  static func read(_ source: SourceText, _ reading: inout Reading) throws(Fault) -> Node? {
    if let fault = source.firstCharacterNotYAML { throw fault }
    var reader = YAMLReader(events: YAMLEvents(source), reading: reading)
    defer { reading = reader.reading }
    let json = try reader.document()
    return reader.isBroken ? nil : json.map { Node($0, places: reader.places) }
  }

  private init(events: YAMLEvents, reading: Reading) { (self.events, self.reading) = (events, reading) }

  private mutating func document() throws(Fault) -> JSON? {
    let start = try events.next()
    guard case .documentStart(let hasDirectives) = start.kind else {
      refuse("there is nothing in this file", "write a prompt, beginning with `title: ...`", at: start)
      return nil
    }
    if hasDirectives { report("directives are not read", "remove the lines that begin with `%`", at: start) }
    guard let json = try value(events.next()) else { return nil }
    // The end of the document, and then of the text.
    _ = try events.next()
    let end = try events.next()
    if case .end = end.kind { return json }
    refuse("a second document begins here", "keep one prompt a file", at: end)
    return nil
  }

  /// The value that begins with this event, or `nil` if it was refused.
  private mutating func value(_ event: YAMLEvent) throws(Fault) -> JSON? {
    if let anchor = event.anchor {
      report("anchors are not read", "remove `&\(anchor)` and write the value out where it is needed", at: event)
    }
    if let tag = event.tag { report("tags are not read", "remove the tag `\(tag)`; quotes make a text", at: event) }
    places.append(event.place)
    switch event.kind {
    case .scalar(let text, let isPlain): return isPlain && event.tag == nil ? JSON(plain: text) : .string(text)
    case .sequenceStart, .mappingStart:
      depth += 1
      defer { depth -= 1 }
      // The rest is not read: libyaml takes longer over each level the deeper it is.
      guard depth <= Self.depthLimit else {
        throw Fault("this is nested too deeply", "keep to \(Self.depthLimit) levels", at: event.place)
      }
      if case .sequenceStart = event.kind { return .array(try elements()) }
      return .object(try members())
    case .alias(let name):
      refuse("aliases are not read", "write out the value that `*\(name)` stands for", at: event)
      return nil
    case .documentStart, .end: return nil
    }
  }

  private mutating func elements() throws(Fault) -> [JSON] {
    var elements: [JSON] = []
    while true {
      let event = try events.next()
      if case .end = event.kind { return elements }
      if let element = try value(event) { elements.append(element) }
    }
  }

  private mutating func members() throws(Fault) -> [JSON.Member] {
    var members: [JSON.Member] = []
    while true {
      let event = try events.next()
      if case .end = event.kind { return members }
      let key = try key(event)
      let value = try value(events.next())
      keys += 1
      if keys == Self.keyLimit + 1 { refuse("the file has too many keys", "keep to \(Self.keyLimit)", at: event) }
      if let key, let value, keys <= Self.keyLimit { members.append(JSON.Member(key, value)) }
    }
  }

  /// The text of a key, or `nil` if it was refused.
  private mutating func key(_ event: YAMLEvent) throws(Fault) -> String? {
    switch event.kind {
    case .scalar("<<", isPlain: true):
      refuse("merge keys are not read", "write the keys out", at: event)
      return nil
    case .scalar, .alias: break
    default:
      refuse(
        "a key must be a text", "write it as `key: value`; put a text that begins with a bracket in quotes", at: event)
    }
    _ = try value(event)
    return if case .scalar(let text, _) = event.kind { text } else { nil }
  }

  // MARK: Faults

  private mutating func report(_ what: String, _ remedy: String, at event: YAMLEvent) {
    reading.report(what, remedy, at: event.place)
  }

  private mutating func refuse(_ what: String, _ remedy: String, at event: YAMLEvent) {
    isBroken = true
    report(what, remedy, at: event)
  }
}

// MARK: Plain scalars

extension JSON {
  /// What an unquoted scalar means by its text (YAML 1.2, 10.3.2, core schema).
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
