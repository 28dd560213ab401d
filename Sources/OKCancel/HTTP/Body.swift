internal import MicroHTTP
internal import Prompts

/// A request's body, read as what its Content-Type says.
enum Body {
  case form(Form)
  case json(JSON)

  /// The limits of a body. A class, since every body is read by them.
  final class Limits: Sendable {
    let bytes: Int
    /// A form's values may be as long as strings.
    let json: JSONLimits

    init(bytes: Int, json: JSONLimits) { (self.bytes, self.json) = (bytes, json) }

    static let usual = Limits(bytes: 64 * 1024, json: .request)

    /// For values to be judged: if a text is too long, the judge says by how much, so none is refused before. 64 KiB of
    /// text are 192 KiB as a form.
    static let values: Limits = {
      let bytes = 256 * 1024
      var json = JSONLimits.request
      json.string = bytes
      return Limits(bytes: bytes, json: json)
    }()

    /// For a question, which may show pictures besides: 256 KiB are 342 in Base64.
    static let question: Limits = {
      var json = JSONLimits.request
      json.image = 352 * 1024
      json.imagePaths = [["context", "image"], ["definition", "context", "image"]]
      return Limits(bytes: usual.bytes + json.image, json: json)
    }()
  }

  /// The format of a body.
  enum Coding {
    case form, json

    /// - Throws: `Problem` 415 for another media type, character set or coding.
    init(_ request: Request) throws(Problem) {
      if let coding = try request.field("content-encoding") {
        throw Problem(
          "unsupported-media-type", ["what": "A body coded as “\(coding)”"], headers: [("Accept-Encoding", "identity")])
      }
      guard let type = try request.bytes(of: "content-type") else {
        if request.body.isEmpty { throw Problem("unsupported-media-type.none") }
        throw Problem("unsupported-media-type", ["what": "A body without a Content-Type"])
      }
      // What nearly everybody sends is not taken apart.
      if type.span.equals("application/json") {
        self = .json
      } else if type.span.equals("application/x-www-form-urlencoded") {
        self = .form
      } else {
        try self.init(ContentType(HeaderFields.text(type)))
      }
    }

    /// - Throws: `Problem` 415 for everything but JSON.
    static func requireJSON(_ request: Request, at route: String, hasForm: Bool = false) throws(Problem) {
      do throws(Problem) {
        if try Coding(request) == .json { return }
      } catch {
        // What is wrong with JSON, or with no type at all, is said as everywhere.
        let isOtherType = request.header("content-type").map { !$0.lowercased().hasPrefix("application/json") } ?? false
        if !isOtherType || request.headerBytes("content-encoding") != nil { throw error }
      }
      let accepted = [(name: "Accept", value: "application/json")]
      if hasForm { throw Problem("unsupported-media-type.form", ["route": route], headers: accepted) }
      throw Problem("unsupported-media-type.json", ["route": route], headers: accepted)
    }

    private init(_ type: ContentType) throws(Problem) {
      if let charset = type.charset, charset != "utf-8" {
        throw Problem("unsupported-media-type", ["what": "A body in the character set “\(charset)”"])
      }
      switch type.essence {
      case "application/x-www-form-urlencoded": self = .form
      case "application/json": self = .json
      case let essence where essence.contains("/") && essence.hasSuffix("+json"): self = .json
      case let essence: throw Problem("unsupported-media-type", ["what": "A body of type “\(essence)”"])
      }
    }
  }

  /// - Throws: `Problem` 400 for what is malformed, 415 for what is written in another way.
  init(_ request: Request, limits: Limits = .usual) throws(Problem) {
    switch try Coding(request) {
    case .form:
      do throws(PlainError) { self = .form(try Form(parsing: request.body, valueLimit: limits.json.string)) } catch {
        throw Problem("malformed-body.form", ["why": "\(error)"])
      }
    case .json: self = .json(try JSON(bodyOf: request, limits))
    }
  }
}

extension JSON {
  /// Reads the body of a request at a route that takes nothing but JSON.
  ///
  /// - Parameter hasForm: whether a form can be sent somewhere else.
  /// - Throws: `Problem` 400 for what is malformed, 415 for what is written in another way.
  init(
    bodyOf request: Request, limits: Body.Limits = .usual, at route: String, hasForm: Bool = false
  ) throws(Problem) {
    try Body.Coding.requireJSON(request, at: route, hasForm: hasForm)
    try self.init(bodyOf: request, limits)
  }

  /// Reads the body of a request whose type is JSON.
  fileprivate init(bodyOf request: Request, _ limits: Body.Limits) throws(Problem) {
    let room = limits.bytes - limits.json.image
    func tooLarge() -> Problem { Problem(HTTPError.contentTooLarge(limit: room)) }
    do throws(JSONFault) { self = try JSON(parsing: request.body, limits: limits.json) } catch {
      throw request.bodyCount > room ? tooLarge() : Problem("malformed-body.json", ["why": "\(error)"])
    }
    let imageBytes = limits.json.imagePaths.reduce(0) { $0 + bytes(at: $1[...]) }
    guard request.bodyCount - imageBytes <= room else { throw tooLarge() }
  }
}

/// A Content-Type, in lower case (RFC 9110, section 8.3.1).
private struct ContentType {
  /// Type and subtype: `application/json`.
  let essence: String
  /// Without quotes, or `nil` if it is not given.
  let charset: String?

  init(_ header: String) {
    let parts = header.lowercased().utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
      Self.text($0, without: " \t")
    }
    essence = parts[0]
    charset = parts.dropFirst().first { $0.hasPrefix("charset=") }.map {
      Self.text($0.utf8.dropFirst("charset=".utf8.count), without: "\"")
    }
  }

  /// The bytes without any of these at both ends. Foundation's way costs more than a verdict.
  private static func text(_ bytes: Substring.UTF8View, without ends: String) -> String {
    let isEnd = { (byte: UInt8) in ends.utf8.contains(byte) }
    var bytes = bytes.drop(while: isEnd)
    while let last = bytes.last, isEnd(last) { bytes.removeLast() }
    return String(Substring(bytes))
  }
}

extension Form {
  /// The version of the prompt that a page's form showed. Only such a form has it.
  static let versionName = "okcancel-version"
  /// Names a password field of a page's form, once for each: its prompt may be gone when the form comes.
  static let passwordName = "okcancel-password"

  /// The texts that a person typed into a page's form, 64 KiB at most, but no passwords.
  ///
  /// - Parameter fields: the prompt's, or `nil` if it is gone.
  func typed(into fields: [Field]?) -> [(label: String, text: String)] {
    guard self[Self.versionName] != nil else { return [] }
    let passwords = values(Self.passwordName)
    var room = 64 * 1024
    return pairs.compactMap { name, value in
      let field = fields?.named(name)
      guard Rule.notBlank.isValid(value), name != "outcome", !name.hasPrefix("okcancel-"), !passwords.contains(name),
        field.map({ $0.kind.isTyped && $0.kind != .password }) ?? (fields == nil)
      else { return nil }
      room -= value.utf8.count
      return room < 0 ? nil : (field?.label ?? name, Input.lineFeeds(value))
    }
  }
}

extension Request {
  /// True if the response should be a page: for GET unless JSON is named, for other methods only if HTML is.
  var wantsPage: Bool {
    isRead ? !prefers("application/json", over: "text/html") : prefers("text/html", over: "application/json")
  }

  /// Scheme, host and port that the client asked for: `https://ask.example.com`.
  var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// The value of a query parameter, or `nil` if it is missing.
  ///
  /// - Throws: `Problem` 400 if it is there twice, since programs differ on which one counts.
  func parameter(_ name: String) throws(Problem) -> String? {
    let values = query.values(name)
    guard values.count < 2 else { throw Problem("sent-twice.query", ["what": "“\(name)”"]) }
    return values.first
  }

  /// The fields that `?only=a,b` names, at least one, or `nil` for all.
  func only(of edition: Edition) throws(Problem) -> [String]? {
    guard let list = try parameter("only") else { return nil }
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let fields = edition.prompt.fields
    if names.contains(""), !fields.isEmpty {
      let example = fields.prefix(2).map(\.name).joined(separator: ",")
      let rule = "names of fields with a comma between two, like \(example)"
      throw Problem("wrong-value", ["name": "only", "rule": rule])
    }
    for name in names where fields.index(of: name) == nil { throw Problem(unknownField: name, of: fields) }
    return names
  }

  /// The value of a header, or `nil` if it is missing.
  ///
  /// - Throws: `Problem` 400 if it is there twice.
  func field(_ name: String) throws(Problem) -> String? { try bytes(of: name).map(HeaderFields.text) }

  /// The same as it was sent.
  fileprivate func bytes(of name: String) throws(Problem) -> ArraySlice<UInt8>? {
    guard let (value, isRepeated) = singleHeader(name) else { return nil }
    guard !isRepeated else { throw Problem("sent-twice", ["what": "The header “\(name)”"]) }
    return value
  }
}
