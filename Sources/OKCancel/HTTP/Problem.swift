internal import MicroHTTP
internal import Prompts

/// An error as `application/problem+json` (RFC 9457), with the members `code`, `errors` and `outcome` of its own.
package struct Problem: Error, Sendable {
  /// One of several faults that the request had.
  struct Detail: Sendable {
    /// The field, or `nil` if the fault is not a field's.
    var field: String?
    /// The rule that failed, or `nil` if none judged.
    var rule: String?
    /// The remedy.
    var message: String
    /// A JSON Pointer as a URI fragment, `#/values/email`.
    var pointer: String

    /// True if it is about this key of the body, or something in it.
    func isAbout(_ key: String) -> Bool { pointer == "#/" + key || pointer.hasPrefix("#/\(key)/") }
  }

  let code: Code
  var status: Status
  /// The fault and its remedy.
  private(set) var detail: String
  /// What stands for the detail where its errors follow in the same text, or `nil` if the detail does.
  var heading: String?
  var errors: [Detail] = []
  /// The outcome of the ask that can no longer be answered, or `nil` for any other problem.
  var outcome: String?
  /// What its page says, or `nil` for what is common to all with its status.
  var note: PageNote?
  /// Who ended the question and when, for its page; or `nil` if nobody knows.
  var by: String?
  /// What came of the answer, for its page; or `nil` if nothing can.
  var afterwards: Pages.Afterwards?
  /// The language of the question that it is about, for its page; or `nil` if it is about none.
  var language: Language?
  /// A refused origin whose page may still frame this problem to show it; `nil` if only allowed origins may.
  var embedder: Origin?
  let headers: [(name: String, value: String)]
  /// Where the person can sign in, or `nil` if that would not help or nobody says.
  var signIn: String?
  /// The page that a browser shows instead of the page of problems, or `nil` if it shows that.
  var page: [UInt8]?
  /// The texts that a person had typed, for the page of problems: they would be lost otherwise.
  var typed: [(label: String, text: String)] = []

  init(_ code: Code, _ status: Status, _ detail: String, headers: [(name: String, value: String)] = []) {
    (self.code, self.status, self.detail) = (code, status, detail)
    self.headers =
      Self.headers(code, status).filter { own in !headers.contains { $0.name == own.name } } + headers
  }

  /// The same with each of several faults.
  func with(_ faults: InlineFaults) -> Problem {
    var problem = self
    problem.errors = faults.entries.map { Detail(message: $0.sentence, pointer: "#" + $0.pointer) }
    let omitted = faults.omittedFaultCount
    if omitted > 0 {
      let rest = " (These are the first \(problem.errors.count) errors; there are \(omitted) more.)"
      problem.detail += rest
      problem.heading? += rest
    }
    return problem
  }

  /// Invalid input: every failing field, in order.
  static func invalid(_ verdicts: Verdicts) -> Problem {
    var errors: [Detail] = []
    verdicts.forEachInvalid { field, rule, message in
      let pointer = field == Field.reasonName ? "#/reason" : "#/values" + verdicts.pointer(to: field).inFragment
      errors.append(Detail(field: field, rule: rule, message: message, pointer: pointer))
    }
    var problem = Problem("invalid-values", ["count": errors.count])
    if errors.count == 1 {
      problem = Problem("invalid-values.one", ["field": errors[0].field ?? "", "message": errors[0].message])
    }
    problem.errors = errors
    return problem
  }

  var response: Response {
    var response = Response(status, type: "application/problem+json", bytes: json)
    response.headers += headers
    return response
  }

  /// RFC 9457's members; `type` is `about:blank`, so `title` is the status's reason phrase.
  ///
  /// It quotes what was sent, so it has a limit of its own: it tells as many of the errors as fit.
  var json: [UInt8] {
    var told = errors[...]
    while true {
      let bytes = json(telling: told)
      if bytes.count <= Response.limit || told.isEmpty { return bytes }
      told.removeLast((told.count + 1) / 2)
    }
  }

  private func json(telling errors: ArraySlice<Detail>) -> [UInt8] {
    var json = JSONWriter(reserving: 1024)
    json.object { json in
      json.member("type", "about:blank")
      json.member("title", status.reason)
      json.member("status", status.rawValue)
      json.member("code", code.rawValue)
      json.member("detail", Self.shortened(detail))
      json.member("outcome", ifPresent: outcome)
      json.member("signIn", ifPresent: signIn)
      guard !errors.isEmpty else { return }
      json.array("errors", errors) { json, error in
        json.object { json in
          json.member("field", ifPresent: error.field)
          json.member("rule", ifPresent: error.rule)
          json.member("message", error.message)
          json.member("pointer", Self.shortened(error.pointer))
        }
      }
    }
    return json.bytes
  }

  /// The text, or its beginning if it is long.
  static func shortened(_ text: String) -> String {
    let limit = 4096
    guard text.utf8.count > limit else { return text }
    return String(text.unicodeScalars.prefix(limit)) + "…"
  }
}

// MARK: In words

extension Problem {
  /// All of it as one text, for a reader who has no use for JSON. Places are those of a tool's arguments.
  var inWords: String { Self.inWords(heading ?? detail, errors.map { ($0.pointer, $0.message) }) }

  /// The same of a problem that another server sent, or `nil` if that says nothing.
  static func inWords(_ json: JSON) -> String? {
    var errors: [(pointer: String, message: String)] = []
    if case .array(let elements)? = json["errors"] {
      errors = elements.map { ($0.text("pointer") ?? "", $0.text("message") ?? "") }
    }
    guard let detail = json.text("detail") else { return nil }
    return inWords(json.text("code").flatMap { heading(of: detail, code: $0) } ?? detail, errors)
  }

  private static func inWords(_ detail: String, _ errors: [(pointer: String, message: String)]) -> String {
    func place(_ pointer: String) -> String {
      let place = pointer.replacing("#/", with: "")
      return place.hasPrefix("definition/") ? String(place.dropFirst("definition/".count)) : place == "#" ? "" : place
    }
    // The only error is the detail, but for its place.
    if errors.count == 1, detail.dropFirst() == errors[0].message.dropFirst() {
      let place = place(errors[0].pointer)
      return place.isEmpty ? detail : "At \(place): \(errors[0].message)"
    }
    let lines = errors.map { "\n- \(place($0.pointer).isEmpty ? "" : "at \(place($0.pointer)): ")\($0.message)" }
    return detail + lines.joined()
  }
}

extension String {
  /// A JSON pointer, or a part of one, as it stands in a URI fragment (RFC 6901, section 6).
  var inFragment: String { percentEncoded(except: "A-Za-z0-9!$&'()*+,./:;=?@_~-") }
}

extension Response {
  /// Bytes of what a stranger gets back at most, except for documents, files and pages.
  static let limit = 64 * 1024

  /// The response, or a problem in its place if it is larger than a stranger may get.
  var limited: Response {
    guard let count = body.count, count > Self.limit else { return self }
    return Problem("response-too-large", ["count": count, "limit": Self.limit]).response
  }
}
