// libyaml in the copy that Yams carries. Yams's own `compose` stops at the first duplicate key,
// follows aliases however often they multiply, and hides directives; events show all of it.
internal import CYaml

/// What libyaml finds in a text, one after another.
struct YAMLEvent {
  enum Kind {
    /// `hasDirectives`: lines such as `%YAML 1.1` stand before it.
    case documentStart(hasDirectives: Bool)
    case documentEnd
    case streamEnd
    /// `isPlain`: neither quoted nor a block, so that `true` and `12` are no texts.
    case scalar(String, isPlain: Bool)
    case sequenceStart, sequenceEnd
    case mappingStart, mappingEnd
    case alias(String)
  }

  let kind: Kind
  /// From 1.
  let line: Int
  /// From 1, in code points.
  let column: Int
  let anchor: String?
  let tag: String?
}

/// Why libyaml stopped reading, in its own words, and where.
struct YAMLSyntaxError: Error {
  let problem: String
  /// From 1; the column in code points.
  let line: Int, column: Int
}

/// Reads the events of one text. It owns a C parser, which must not move in memory.
final class YAMLEvents {
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let text: UnsafeMutableBufferPointer<UInt8>

  /// - Parameter bytes: UTF-8 without a byte order mark.
  init(_ bytes: [UInt8]) {
    text = .allocate(capacity: bytes.count)
    _ = text.initialize(from: bytes)
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    text.deallocate()
  }

  func next() throws(YAMLSyntaxError) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else {
      let mark = parser.pointee.problem_mark
      throw YAMLSyntaxError(
        problem: parser.pointee.problem.map { String(cString: $0) } ?? "",
        line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
    defer { yaml_event_delete(&event) }
    // Nothing is asked of the stream's start: the encoding is known.
    if event.type == YAML_STREAM_START_EVENT { return try next() }
    return Self.event(event)
  }

  private static func event(_ event: yaml_event_t) -> YAMLEvent {
    let data = event.data
    switch event.type {
    case YAML_DOCUMENT_START_EVENT:
      let tags = data.document_start.tag_directives
      return make(
        .documentStart(hasDirectives: data.document_start.version_directive != nil || tags.start != tags.end), event)
    case YAML_DOCUMENT_END_EVENT: return make(.documentEnd, event)
    case YAML_SCALAR_EVENT:
      let bytes = UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
      let isPlain = data.scalar.style == YAML_PLAIN_SCALAR_STYLE
      return make(
        .scalar(String(decoding: bytes, as: UTF8.self), isPlain: isPlain), event,
        anchor: data.scalar.anchor, tag: data.scalar.tag)
    case YAML_SEQUENCE_START_EVENT:
      return make(.sequenceStart, event, anchor: data.sequence_start.anchor, tag: data.sequence_start.tag)
    case YAML_SEQUENCE_END_EVENT: return make(.sequenceEnd, event)
    case YAML_MAPPING_START_EVENT:
      return make(.mappingStart, event, anchor: data.mapping_start.anchor, tag: data.mapping_start.tag)
    case YAML_MAPPING_END_EVENT: return make(.mappingEnd, event)
    case YAML_ALIAS_EVENT: return make(.alias(text(data.alias.anchor) ?? ""), event)
    default: return make(.streamEnd, event)
    }
  }

  private static func make(
    _ kind: YAMLEvent.Kind, _ event: yaml_event_t, anchor: UnsafeMutablePointer<UInt8>? = nil,
    tag: UnsafeMutablePointer<UInt8>? = nil
  ) -> YAMLEvent {
    YAMLEvent(
      kind: kind, line: Int(event.start_mark.line) + 1, column: Int(event.start_mark.column) + 1,
      anchor: text(anchor), tag: text(tag))
  }

  private static func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
