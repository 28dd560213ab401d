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
  private var faults: [Fault] = []
  private var depth = 0
  private var keys = 0
  /// Whether something could not be built, so that the tree says less than the file.
  private var isBroken = false

  /// The tree, or `nil` if the faults leave too little of it to go on.
  static func read(_ source: SourceText) -> (node: Node?, faults: [Fault]) {
    if let fault = source.firstCharacterNotYAML { return (nil, [fault]) }
    var reader = YAMLReader(events: YAMLEvents(source))
    do throws(Fault) {
      let json = try reader.document()
      return (reader.isBroken ? nil : json.map { Node($0, places: reader.places) }, reader.faults)
    } catch {
      return (nil, reader.faults + [error])
    }
  }

  private init(events: YAMLEvents) { self.events = events }

  private mutating func document() throws(Fault) -> JSON? {
    let start = try events.next()
    guard case .documentStart(let hasDirectives) = start.kind else {
      refuse("there is nothing in this file", "write a prompt, beginning with `title: ...`", at: start)
      return nil
    }
    if hasDirectives { report("directives are not read", "remove the lines that begin with `%`", at: start) }
    guard let json = try value(events.next()) else { return nil }
    _ = try events.next()
    let end = try events.next()
    if case .streamEnd = end.kind { return json }
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
    case .sequenceStart: return try descend(event) { (reader) throws(Fault) in .array(try reader.elements()) }
    case .mappingStart: return try descend(event) { (reader) throws(Fault) in .object(try reader.members()) }
    case .alias(let name):
      refuse("aliases are not read", "write out the value that `*\(name)` stands for", at: event)
      return nil
    default:
      return nil
    }
  }

  private mutating func descend(
    _ event: YAMLEvent, _ read: (inout YAMLReader) throws(Fault) -> JSON
  ) throws(Fault) -> JSON? {
    depth += 1
    defer { depth -= 1 }
    // The rest is not read: libyaml takes longer over each level the deeper it is.
    guard depth <= Self.depthLimit else {
      throw Fault("this is nested too deeply", "keep to \(Self.depthLimit) levels", at: event.place)
    }
    return try read(&self)
  }

  private mutating func elements() throws(Fault) -> [JSON] {
    var elements: [JSON] = []
    while true {
      let event = try events.next()
      if case .sequenceEnd = event.kind { return elements }
      if let element = try value(event) { elements.append(element) }
    }
  }

  private mutating func members() throws(Fault) -> [JSON.Member] {
    var members: [JSON.Member] = []
    while true {
      let event = try events.next()
      if case .mappingEnd = event.kind { return members }
      let key = try key(event)
      let value = try value(events.next())
      keys += 1
      if keys == Self.keyLimit + 1 { refuse("the file has too many keys", "keep to \(Self.keyLimit)", at: event) }
      if keys > Self.keyLimit { continue }
      if let key, let value { members.append(JSON.Member(key, value)) }
    }
  }

  /// The text of a key, or `nil` if it was refused.
  private mutating func key(_ event: YAMLEvent) throws(Fault) -> String? {
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
    faults.append(Fault(what, remedy, at: event.place))
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
    default: self = Self.isNumber(text) ? .number(text) : .string(text)
    }
  }

  /// `[-+]?[0-9]+`, `0o[0-7]+`, `0x[0-9a-fA-F]+`, `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`,
  /// and the words for infinity and not-a-number.
  private static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first, first < 0x3A else { return false }
    if text.hasPrefix("0o") { return isDigits(text.utf8.dropFirst(2), in: 0x30...0x37) }
    if text.hasPrefix("0x") {
      let digits = text.utf8.dropFirst(2)
      return !digits.isEmpty && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    if [".inf", ".Inf", ".INF"].contains(Substring(rest)) || [".nan", ".NaN", ".NAN"].contains(text) { return true }
    let exponent = rest.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
    if let exponent {
      var digits = rest[rest.index(after: exponent)...]
      if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
      if !isDigits(digits) { return false }
    }
    let mantissa = rest[..<(exponent ?? rest.endIndex)]
    let point = mantissa.firstIndex(of: UInt8(ascii: "."))
    let whole = mantissa[..<(point ?? mantissa.endIndex)]
    guard let point else { return isDigits(whole) }
    let fraction = mantissa[mantissa.index(after: point)...]
    return whole.isEmpty ? isDigits(fraction) : isDigits(whole) && (fraction.isEmpty || isDigits(fraction))
  }

  private static func isDigits(_ bytes: Substring.UTF8View, in range: ClosedRange<UInt8> = 0x30...0x39) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(range.contains)
  }
}
