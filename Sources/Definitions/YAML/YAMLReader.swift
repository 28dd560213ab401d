internal import Prompts

/// Makes a tree of nodes from YAML, with line and column of each.
///
/// It reads the part of YAML 1.2 that needs no second thought: one document of maps, lists and
/// scalars. Anchors, aliases, merge keys, tags and directives are faults, and so is whatever two
/// YAML readers could read differently.
struct YAMLReader {
  /// Levels of maps and lists.
  static let depthLimit = 64
  /// Keys of all maps together.
  static let keyLimit = 10_000

  private let events: YAMLEvents
  private(set) var faults: [Fault] = []
  private var depth = 0
  private var keys = 0
  /// Whether something could not be built, so that the tree says less than the file.
  private var isBroken = false

  /// The tree; nil where a fault leaves too little of it to go on.
  static func read(_ source: SourceText) -> (node: Node?, faults: [Fault]) {
    if let fault = source.firstCharacterNotYAML { return (nil, [fault]) }
    var reader = YAMLReader(events: YAMLEvents(source.bytes))
    var node: Node?
    do throws(YAMLSyntaxError) {
      node = try reader.document()
    } catch {
      reader.isBroken = true
      reader.faults.append(error.fault(in: source))
    }
    return (reader.isBroken ? nil : node, reader.faults)
  }

  private init(events: YAMLEvents) { self.events = events }

  private mutating func document() throws(YAMLSyntaxError) -> Node? {
    let start = try events.next()
    guard case .documentStart(let hasDirectives) = start.kind else {
      refuse("there is nothing in this file", "write a prompt, beginning with `title: ...`", at: start)
      return nil
    }
    if hasDirectives { report("directives are not read", "remove the lines that begin with `%`", at: start) }
    guard let node = try value(events.next()) else { return nil }
    _ = try events.next()
    let end = try events.next()
    if case .streamEnd = end.kind { return node }
    refuse("a second document begins here", "keep one prompt a file", at: end)
    return nil
  }

  /// The value that begins with this event; nil where it was refused.
  private mutating func value(_ event: YAMLEvent) throws(YAMLSyntaxError) -> Node? {
    if let anchor = event.anchor {
      report("anchors are not read", "remove `&\(anchor)` and write the value out where it is needed", at: event)
    }
    if let tag = event.tag { report("tags are not read", "remove the tag `\(tag)`; quotes make a text", at: event) }
    let place = Node.Place(line: event.line, column: event.column)
    switch event.kind {
    case .scalar(let text, let isPlain):
      return Node(isPlain && event.tag == nil ? Node.Content(plain: text) : .string(text), at: place)
    case .sequenceStart:
      return try descend(event) { (reader) throws(YAMLSyntaxError) in Node(.sequence(try reader.elements()), at: place)
      }
    case .mappingStart:
      return try descend(event) { (reader) throws(YAMLSyntaxError) in Node(.mapping(try reader.entries()), at: place) }
    case .alias(let name):
      refuse("aliases are not read", "write out the value that `*\(name)` stands for", at: event)
      return nil
    default:
      return nil
    }
  }

  private mutating func descend(
    _ event: YAMLEvent, _ read: (inout YAMLReader) throws(YAMLSyntaxError) -> Node
  ) throws(YAMLSyntaxError) -> Node? {
    depth += 1
    defer { depth -= 1 }
    if depth <= Self.depthLimit { return try read(&self) }
    if depth == Self.depthLimit + 1 {
      refuse("this is nested too deeply", "keep to \(Self.depthLimit) levels", at: event)
    }
    // The rest is read past without recursion, however deep it is.
    var open = 1
    while open > 0 {
      switch try events.next().kind {
      case .sequenceStart, .mappingStart: open += 1
      case .sequenceEnd, .mappingEnd: open -= 1
      default: break
      }
    }
    return nil
  }

  private mutating func elements() throws(YAMLSyntaxError) -> [Node] {
    var elements: [Node] = []
    while true {
      let event = try events.next()
      if case .sequenceEnd = event.kind { return elements }
      if let element = try value(event) { elements.append(element) }
    }
  }

  private mutating func entries() throws(YAMLSyntaxError) -> [Node.Entry] {
    var entries: [Node.Entry] = []
    while true {
      let event = try events.next()
      if case .mappingEnd = event.kind { return entries }
      let key = try key(event)
      let value = try value(events.next())
      keys += 1
      if keys == Self.keyLimit + 1 { refuse("the file has too many keys", "keep to \(Self.keyLimit)", at: event) }
      if keys > Self.keyLimit { continue }
      if let key, let value {
        entries.append(
          Node.Entry(key: key, keyPlace: Node.Place(line: event.line, column: event.column), value: value))
      }
    }
  }

  /// The text of a key; nil where it was refused.
  private mutating func key(_ event: YAMLEvent) throws(YAMLSyntaxError) -> String? {
    switch event.kind {
    case .scalar("<<", isPlain: true):
      refuse("merge keys are not read", "write the keys out", at: event)
      return nil
    case .scalar(let text, _):
      _ = try value(event)
      return text
    case .alias:
      _ = try value(event)
      return nil
    default:
      refuse(
        "a key must be a text", "write it as `key: value`; put a text that begins with a bracket in quotes", at: event)
      _ = try value(event)
      return nil
    }
  }

  // MARK: Faults

  private mutating func report(_ what: String, _ remedy: String, at event: YAMLEvent) {
    faults.append(Fault(what, remedy, at: Node.Place(line: event.line, column: event.column)))
  }

  private mutating func refuse(_ what: String, _ remedy: String, at event: YAMLEvent) {
    isBroken = true
    report(what, remedy, at: event)
  }
}
