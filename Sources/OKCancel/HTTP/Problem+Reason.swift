internal import Asks
internal import MicroHTTP
internal import Prompts
internal import StrictJSON

extension Problem {
  /// What a program can tell problems apart by. `Documentation/api.md` lists them.
  enum Code: String, CaseIterable, Sendable {
    case malformedRequest, malformedBody, unknownKey, missingKey, wrongType, wrongValue, unknownParameter, sentTwice
    case unknownField, wrongAction, unusableDefinition, unusableSchema, unusableContext, unusableRules
    case callbackNotAllowed, tooCostly, responseTooLarge, missingToken, wrongToken, crossSite, embedderNotAllowed
    case notFound, unknownPrompt, unknownAsk, unknownLink, unknownReceipt, methodNotAllowed, requestTimeout, ended
    case keyReused, lengthRequired, contentTooLarge, targetTooLong, unsupportedMediaType, unknownHost, invalidValues
    case tooManyRequests, headersTooLarge, internalError, busy, stopping, databaseUnavailable, versionNotSupported

    /// As JSON has it: `unknown-key`.
    var word: String { Self.words[self] ?? rawValue }

    private static let words = Dictionary(
      uniqueKeysWithValues: allCases.map { code in
        (code, code.rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined())
      })
  }

  /// What is wrong and what to do, in words made of the facts. All that the server says to a program that sent something
  /// it refuses stands here.
  struct Reason: Sendable {
    let code: Code
    let status: Status
    let detail: String
    let headers: [(name: String, value: String)]

    private init(_ code: Code, _ detail: String) { self.init(code, .badRequest, detail) }

    private init(
      _ code: Code, _ status: Status, _ detail: String, headers: [(name: String, value: String)] = []
    ) {
      (self.code, self.status, self.detail, self.headers) = (code, status, detail, headers)
    }
  }
}

// MARK: A body, its keys and its values

extension Problem.Reason {
  static func unreadBody(_ what: String, headers: [(name: String, value: String)] = []) -> Self {
    let sentence = "\(what) is not read here; send application/json or application/x-www-form-urlencoded in UTF-8."
    let accepted = [("Accept", "application/json, application/x-www-form-urlencoded")]
    return Self(.unsupportedMediaType, .unsupportedMediaType, sentence, headers: accepted + headers)
  }

  static func onlyJSON(route: String, remedy: String? = nil) -> Self {
    let sentence = "\(route) reads application/json" + (remedy.map { "; \($0)." } ?? ".")
    return Self(.unsupportedMediaType, .unsupportedMediaType, sentence, headers: [("Accept", "application/json")])
  }

  static func malformedJSON(_ fault: JSONFault) -> Self { Self(.malformedBody, "The body is not valid JSON: \(fault)") }

  static func malformedForm(_ fault: Form.Fault) -> Self { Self(.malformedBody, "The form cannot be read: \(fault)") }

  /// What JSON says. Its kinds have the names of codes.
  static func malformed(_ fault: Fault) -> Self {
    let code = Problem.Code(rawValue: fault.kind.rawValue) ?? .malformedBody
    return Self(code, fault.sentence.prefix(1).uppercased() + fault.sentence.dropFirst())
  }

  /// Of the body's keys, parameters and headers: what it must be, and what it is if that helps.
  static func wrongValue(_ name: String, mustBe rule: String, not found: String? = nil) -> Self {
    Self(.wrongValue, "“\(name)” must be \(rule)" + (found.map { ", not \($0)." } ?? "."))
  }

  static func noPromptName(_ name: String) -> Self { Self(.wrongValue, "“\(name)” cannot name a prompt.") }

  static func unknownOutcome(_ outcome: String) -> Self {
    Self(.wrongValue, "“outcome” cannot be “\(shortened(outcome))”; send “ok”, “cancel” or “action”.")
  }

  static func unknownAction(remedy: String) -> Self {
    Self(.wrongAction, "“action” must name an action of this prompt; \(remedy)")
  }

  static func actionDoesNotApply(_ button: Prompt.Button) -> Self {
    Self(.wrongAction, "“\(button.title)” does not apply to what was entered; choose another button.")
  }

  static func unknownField(_ name: String, of prompt: Prompt) -> Self {
    let remedy =
      prompt.fields.isEmpty ? "it has no fields" : Nearest.remedy(for: name, among: prompt.fields.map(\.name))
    return Self(.unknownField, "The prompt has no field “\(name)”; \(remedy)")
  }

  static func unknownParameter(_ name: String, known: [String]) -> Self {
    let remedy = known.isEmpty ? "this route takes none." : Nearest.remedy(for: name, among: known)
    return Self(.unknownParameter, "There is no query parameter “\(name)” here; \(remedy)")
  }

  /// - Parameters:
  ///   - what: a name in quotes, perhaps with what it is.
  ///   - place: `in the query`, or `nil` if that is clear.
  static func sentTwice(_ what: String, place: String?) -> Self {
    Self(.sentTwice, "\(what) appears twice" + (place.map { " \($0)" } ?? "") + "; send it once.")
  }

  static func invalidValues(count: Int, first: Problem.Detail?) -> Self {
    let sentence =
      count == 1
      ? "The field “\(first?.field ?? "")” is not valid: \(first?.message ?? "")."
      : "\(count) fields are not valid; `errors` says what to do in each."
    return Self(.invalidValues, .unprocessableContent, sentence)
  }
}

// MARK: What an ask is made of

extension Problem.Reason {
  static let noQuestion = Self(
    .missingKey, "An ask needs the name of a “prompt”, a “definition” or a “schema”; send one of them.")

  static func onlyWithSchema(key: String) -> Self {
    Self(.unknownKey, "“\(key)” goes with a “schema”; a prompt and a definition have their own.")
  }

  static func translatedIntoItself(_ language: Language) -> Self {
    Self(.wrongValue, "“\(language)” is the definition's own language; name the “language” that it is written in.")
  }

  static func unusableRule(_ why: String) -> Self { Self(.unusableRules, why) }

  static func unusableRules(_ why: String) -> Self { Self(.unusableRules, "These rules cannot be used: \(why)") }

  /// - Parameter part: the body's key: `definition`, `schema` or `context`.
  static func unusable(_ part: String, _ why: String) -> Self {
    Self(code(ofPart: part), "This \(part) cannot be used: \(why)")
  }

  /// The same for what stands in `errors`.
  static func unusableParts(_ part: String) -> Self {
    let what = part == "context" ? "cannot be shown" : "cannot be used"
    return Self(code(ofPart: part), "This \(part) \(what); `errors` says where and what to do.")
  }

  static let metadataWouldChange = Self(
    .wrongValue, "“metadata” would not come back as it was sent; `errors` says where.")

  static func metadataTooLong(limit: Int) -> Self {
    Self(.wrongValue, "“metadata” is longer than \(limit) bytes of JSON; keep a reference in it instead.")
  }

  static func wrongCallback(_ fault: CallbackURLFault) -> Self {
    Self(.wrongValue, "“callback” cannot be called: \(fault).")
  }

  static let noCallbacks = Self(
    .callbackNotAllowed,
    "This server sends no callbacks: it was started without --allow-callback. Leave “callback” out, and wait with GET /asks/{id}?wait=25."
  )

  static let callbackNotAllowed = Self(
    .callbackNotAllowed, "This server may not call this URL: no prefix that --allow-callback names covers it.")

  private static func code(ofPart part: String) -> Problem.Code {
    switch part {
    case "schema": .unusableSchema
    case "context": .unusableContext
    default: .unusableDefinition
    }
  }
}

// MARK: What costs too much

extension Problem.Reason {
  static func readingTooCostly(what: String, _ budget: WorkBudget, why: String) -> Self {
    Self(.tooCostly, "\(what) too much work to read (\(budget.description) of CPU are allowed)\(why)")
  }

  static func judgingTooCostly(_ cost: Cost, _ budget: WorkBudget) -> Self {
    let what = cost.mostExpensive.map { part in
      part.rule.inWords + (part.field.map { " of the field `\($0)`" } ?? "")
        + " may take up to \(WorkBudget.milliseconds(part.work)) of CPU for this text"
    }
    let sentence =
      "This takes too much work to judge: \(what ?? "it") (in all \(WorkBudget.milliseconds(cost.work)), and "
      + "\(budget.description) are allowed); shorten the text, or make the rule simpler."
    return Self(.tooCostly, sentence)
  }

  static func responseTooLarge(_ count: Int) -> Self {
    let limit = Response.limit
    return Self(
      .responseTooLarge,
      "The response would have \(count) bytes, more than \(limit); ask for less at a time, as with ?only=.")
  }
}

// MARK: Who may not

extension Problem.Reason {
  private static let bearer = [("WWW-Authenticate", "Bearer")]

  static let missingToken = Self(
    .missingToken, .unauthorized, "This needs the API token; send it as “Authorization: Bearer TOKEN”.",
    headers: bearer)

  static let wrongToken = Self(
    .wrongToken, .unauthorized,
    "This API token is not one of the server's; send one of those in its OKCANCEL_API_TOKEN.", headers: bearer)

  static let crossSite = Self(
    .crossSite, .forbidden,
    "This request came from another site's page; only origins named with --allow-origin may send such requests.")

  static func embedderNotAllowed(_ origin: Origin) -> Self {
    let remedy = "to let them, start it with --allow-origin \(origin)."
    return Self(.embedderNotAllowed, .forbidden, "This server lets no page of \(origin) show its dialogs; \(remedy)")
  }

  static func unknownHost(_ name: String) -> Self {
    // An honest client has a name that could be one.
    let sentence =
      !name.isEmpty && name.utf8.count <= 253
      ? "This server does not answer to the name “\(name)”. If it should, start it with --allow-host \(name), or with the --base-url that people use."
      : "This server does not answer to that name. Ask for it by a name that it was given with --allow-host or --base-url."
    return Self(.unknownHost, .misdirectedRequest, sentence)
  }

  static func tooManyRequests(what: String, seconds: Int) -> Self {
    let remedy = "try again in \(seconds) second\(seconds == 1 ? "" : "s")."
    return Self(
      .tooManyRequests, .tooManyRequests, "There were too many \(what) from your address; \(remedy)",
      headers: retrying(after: seconds))
  }

  private static func retrying(after seconds: Int) -> [(name: String, value: String)] {
    [("Retry-After", String(seconds))]
  }
}

// MARK: What there is not, or not any more

extension Problem.Reason {
  static func unknownPrompt(_ name: String, nearest: String?) -> Self {
    let remedy = nearest.map { "did you mean “\($0)”?" } ?? "GET / lists the prompts there are."
    return Self(.unknownPrompt, .notFound, "There is no prompt “\(name)”; \(remedy)")
  }

  static let unknownAsk = Self(.unknownAsk, .notFound, "There is no ask with this id; POST /asks makes one.")

  static func unknownAskOfTool(_ text: String) -> Self {
    Self(.unknownAsk, .notFound, "There is no ask “\(shortened(text))”; use the `id` that ask_person returned.")
  }

  static let unknownLink = Self(
    .unknownLink, .notFound, "There is no question at this address; check the link, or ask for a new one.")

  static let unknownReceipt = Self(
    .unknownReceipt, .notFound, "There is no answer with this receipt; do not trust whoever showed it.")

  static func noAnswerYet(page: String) -> Self {
    Self(.notFound, .notFound, "This page follows an answer; open \(page) to give one.")
  }

  static func ended(_ outcome: Outcome.Kind) -> Self {
    let what =
      switch outcome {
      case .expired: "has expired"
      case .withdrawn: "was withdrawn"
      case .ok, .cancel, .action: "has already been answered"
      }
    return Self(.ended, .gone, "This question \(what).")
  }

  static func alreadyEnded(_ outcome: Outcome.Kind) -> Self {
    Self(.ended, .conflict, "This ask has already ended, with “\(outcome.rawValue)”.")
  }

  static let keyReused = Self(
    .keyReused, .conflict, "This Idempotency-Key was used with another body; use a new key.")

  static let keyReusedByTool = Self(
    .keyReused, .conflict,
    "This `key` belongs to another question, which is open or whose answer you have not read; use another key, or the same arguments."
  )
}

// MARK: What the server cannot do

extension Problem.Reason {
  /// What every route of the server refuses.
  static func http(_ error: HTTPError) -> Self {
    let code: Problem.Code =
      switch error {
      case .badRequest: .malformedRequest
      case .notFound: .notFound
      case .methodNotAllowed: .methodNotAllowed
      case .requestTimeout: .requestTimeout
      case .lengthRequired: .lengthRequired
      case .contentTooLarge: .contentTooLarge
      case .targetTooLong: .targetTooLong
      case .headersTooLarge, .tooManyHeaders: .headersTooLarge
      case .versionNotSupported: .versionNotSupported
      case .draining: .stopping
      case .internalError: .internalError
      }
    return Self(code, error.status, error.description, headers: error.headers)
  }

  static func unreadableAsk(_ error: any Error) -> Self {
    Self(.internalError, .internalServerError, "This ask cannot be read: \(error)")
  }

  static func unreadableOutcome(_ error: any Error) -> Self {
    Self(.internalError, .internalServerError, "The outcome cannot be opened: \(error)")
  }

  static func databaseUnavailable(_ why: String) -> Self { notReady("The server cannot use its database now: \(why)") }

  static func notReady(_ obstacle: String) -> Self {
    Self(.databaseUnavailable, .serviceUnavailable, obstacle, headers: retrying(after: 5))
  }

  static func tooManyWatch(limit: Int) -> Self {
    busy("\(limit) pages watch this server already; close some.", retryAfter: 5)
  }

  static let tooMuchWaits = busy("Too many costly requests are waiting; try again in a moment.")

  static let tooManyQuestions = busy("Too many questions are being asked; try again in a moment.")

  private static func busy(_ what: String, retryAfter seconds: Int = 1) -> Self {
    Self(.busy, .serviceUnavailable, what, headers: retrying(after: seconds))
  }

  /// It may be as long as a body.
  private static func shortened(_ text: String) -> String {
    text.unicodeScalars.count <= 64 ? text : String(text.unicodeScalars.prefix(64)) + "…"
  }
}
