internal import Glibc

extension Rule {
  /// A format of JSON Schema (2020-12, Validation, section 7.3) that the rule `format` judges.
  public enum Format: String, Sendable, CaseIterable {
    /// Letters, digits and hyphens in labels with dots between them (RFC 1123, section 2.1).
    case hostname
    /// The same with labels outside ASCII.
    case idnHostname = "idn-hostname"
    case ipv4, ipv6
    case uuid
    /// A duration of ISO 8601, as RFC 3339 writes it in its appendix A.
    case duration
    /// A URI or a reference relative to one (RFC 3986).
    case uriReference = "uri-reference"
    /// RFC 6901.
    case jsonPointer = "json-pointer"
    /// A regular expression of ECMA-262, as `Pattern` takes it, or with look-aheads at its start.
    case regex
  }
}

/// `format`: a format of JSON Schema, by its name there. Public/formats.js has the same patterns.
struct FormatRule: TextCondition {
  static let name = "format"
  static let arguments = [
    Argument("format", \Self.format, isShorthand: true, needs: ("a name", FaultRow("write-format")))
  ]

  var format = Rule.Format.uuid

  func isMet(by text: String) -> Bool {
    if let pattern = Self.patterns[format], !pattern.matches(text) { return false }
    switch format {
    case .hostname:
      let labels = Array(text.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      return text.utf8.count <= 253 && labels.allSatisfy { HostLabel.isASCII($0.span) && HostLabel.isInternational($0) }
    case .idnHostname:
      let labels = text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: HostLabel.isDot)
      return text.unicodeScalars.count <= 253
        && labels.allSatisfy { HostLabel.isInternational(Array(String($0).utf8)[...]) }
    case .ipv4: return HostLabel.isAddress(text.unicodeScalars, AF_INET)
    case .ipv6: return HostLabel.isAddress(text.unicodeScalars, AF_INET6)
    case .uriReference:
      let address = text.unicodeScalars.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
      return address.isEmpty || HostLabel.isAddress(address, AF_INET6)
    case .regex: return PatternParser.reads(text, budget: WorkBudget(Self.workOfRegex))
    case .uuid, .duration, .jsonPointer: return true
    }
  }

  private static let workOfRegex = 2_000_000

  func work(on size: InputSize) -> Int {
    if format == .regex { return Self.workOfRegex }
    return Self.patterns[format]?.work(onBytes: size.bytes) ?? 2_000 + 20 * size.bytes
  }

  /// Engines differ in the patterns that they take.
  func decidedBy(on premise: Premise) -> DecidedBy { format == .regex ? .server : .everywhere }

  var limits: Limits {
    let pattern = Self.patterns[format]
    return switch format {
    case .hostname, .idnHostname: Limits(lengths: (1, 253))
    case .ipv4: Limits(lengths: (1, 15))
    case .ipv6: Limits(lengths: (1, 45))
    case .regex: Limits(lengths: (0, 1024))
    case .uuid, .duration, .uriReference, .jsonPointer:
      Limits(lengths: (pattern?.shortestMatch ?? 0, pattern?.longestMatch ?? .max))
    }
  }

  func sentence(for reader: Audience) -> Sentence { format.sentence }
  func schema(of texts: RawTextContext) -> JSON? {
    texts.areAnswers ? .keyword("format", .string(format.rawValue)) : nil
  }

  private static let patterns: [Rule.Format: Pattern] = {
    let time = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
    let date = "(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
    // RFC 3986, appendix A: code points of names, of the first segment of a relative path, and of any segment.
    let (name, plain) = (#"A-Za-z0-9\-._~!$&'()*+,;="#, "%[0-9A-Fa-f]{2}")
    let (first, segment) = ("(?:[\(name)@]|\(plain))", "(?:[\(name):@]|\(plain))")
    let host = #"(?:\[[0-9A-Fa-f:.]+\]|(?:[\#(name)]|\#(plain))*)"#
    let authority = "//(?:(?:[\(name):]|\(plain))*@)?\(host)(?::[0-9]*)?(?:/\(segment)*)*"
    let absolute = "/(?:\(segment)+(?:/\(segment)*)*)?"
    let path =
      "(?:[A-Za-z][A-Za-z0-9+.\\-]*:(?:\(authority)|\(absolute)|\(segment)+(?:/\(segment)*)*)?"
      + "|\(authority)|\(absolute)|\(first)+(?:/\(segment)*)*)?"
    let rest = "(?:[\(name):@/?]|\(plain))*"
    return [
      .uuid: "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}",
      .duration: "P(?:[0-9]+W|\(date)(?:\(time))?|\(time))",
      .uriReference: "\(path)(?:\\?\(rest))?(?:#\(rest))?",
      .jsonPointer: "(?:/(?:[^/~]|~[01])*)*",
    ].mapValues { try! Pattern($0) }
  }()
}

extension Rule.Format {
  var sentence: Sentence { Sentence(stringLiteral: self == .idnHostname ? Rule.Format.hostname.rawValue : rawValue) }
}

extension Rule.Format: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? { reading.word(node, key) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, rawValue) }
}
