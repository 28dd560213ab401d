// libyaml's events show what its trees hide: duplicate keys, aliases however often they multiply, directives.
internal import CYAML
internal import Prompts

/// One thing that libyaml finds in a text.
struct YAMLEvent {
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

/// Reads the events of one text. It owns a C parser, which must not move in memory.
final class YAMLEvents {
  private let source: SourceText
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let text: UnsafeMutableBufferPointer<UInt8>

  init(_ source: SourceText) {
    self.source = source
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
  func next() throws(Fault) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else {
      throw fault(parser.pointee.problem.map { String(cString: $0) } ?? "", at: Node.Place(parser.pointee.problem_mark))
    }
    defer { yaml_event_delete(&event) }
    // The start of the stream says only the encoding, which is known.
    return event.type == YAML_STREAM_START_EVENT ? try next() : YAMLEvent(event)
  }

  // MARK: Sentences

  /// What is wrong and what to do, for the author of the file.
  ///
  /// libyaml puts the end of a text on a line of its own; here it is where the text ends.
  private func fault(_ problem: String, at place: Node.Place) -> Fault {
    let character = source.scalar(at: place)
    return Fault(sentence: Self.sentence(problem, character), at: character == nil ? source.end : place)
  }

  private static func sentence(_ problem: String, _ character: Unicode.Scalar?) -> String {
    switch problem {
    case "found character that cannot start any token" where character == "\t",
      "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      "a tab stands where spaces indent; indent with spaces"
    case "found character that cannot start any token":
      "a text cannot begin with `\(character.map(String.init) ?? "")`; put the text in single quotes"
    case "mapping values are not allowed in this context":
      "a colon stands where no key can stand; put a text that holds a colon in quotes, or check the indentation"
    case "could not find expected ':'": "a key has no colon; write it as `key: value`"
    case "did not find expected key":
      "this does not fit the lines above it; align it with their keys, and close every quote and bracket"
    case "did not find expected '-' indicator":
      "this does not fit the list above it; begin each element with a dash, all in one column"
    case "block sequence entries are not allowed in this context":
      "a list cannot begin here; begin it on a line of its own, each element with a dash"
    case "block mapping entries are not allowed in this context", "mapping keys are not allowed in this context":
      "a map cannot begin here; begin it on a line of its own"
    case "did not find expected ',' or ']'":
      "a list in brackets goes on without a comma or an end; put commas between its elements and `]` behind the last"
    case "did not find expected ',' or '}'":
      "a map in braces goes on without a comma or an end; put commas between its entries and `}` behind the last"
    case "did not find expected node content":
      "a value is missing; write one, or remove the comma or the sign before it"
    case "found unexpected end of stream": "the file ends inside quotes; close the quotes"
    case "found unexpected document indicator":
      "`---` or `...` stands inside quotes; close the quotes before it, or indent it"
    case "found unknown escape character":
      "double quotes know no such escape; use single quotes, where a backslash is a backslash, or double it"
    case "did not find expected hexdecimal number", "found invalid Unicode character escape code":
      "this escape names no character; write \\x and two, \\u and four or \\U and eight hex digits of one"
    case "did not find expected comment or line break", "found an indentation indicator equal to 0":
      "a text cannot begin with `|` or `>` and go on in that line; put the text in single quotes"
    case "found unexpected ':'": "a colon stands inside a text in brackets; put the text in single quotes"
    case "did not find expected whitespace or line break" where character == "%",
      "could not find expected directive name", "found unknown directive name",
      "found unexpected non-alphabetical character",
      "did not find expected digit or '.' character", "did not find expected version number",
      "found extremely long version number", "found duplicate %YAML directive", "found duplicate %TAG directive",
      "found incompatible YAML document", "did not find expected whitespace":
      "directives are not read; remove the lines that begin with `%`"
    case "found undefined tag handle", "did not find expected tag URI", "did not find expected '!'",
      "did not find the expected '>'", "did not find URI escaped octet",
      "did not find expected whitespace or line break":
      "tags are not read; remove the word that begins with `!`"
    case "did not find expected alphabetic or numeric character":
      "a text cannot begin with `&` or `*`; put the text in single quotes"
    case "did not find expected <document start>": "more stands behind the end of the prompt; keep one prompt a file"
    default: "this is not YAML (\(problem)); check the indentation, the quotes and the brackets"
    }
  }
}
