internal import Asks
internal import MicroHTTP
internal import Prompts
internal import StrictJSON

extension Problem {
  /// What a program can tell problems apart by. `Documentation/api.md` lists them.
  enum Code: String, CaseIterable, Sendable {
    case malformedRequest = "malformed-request"
    case malformedBody = "malformed-body"
    case unknownKey = "unknown-key"
    case missingKey = "missing-key"
    case wrongType = "wrong-type"
    case wrongValue = "wrong-value"
    case unknownParameter = "unknown-parameter"
    case sentTwice = "sent-twice"
    case unknownField = "unknown-field"
    case wrongAction = "wrong-action"
    case unusableDefinition = "unusable-definition"
    case unusableSchema = "unusable-schema"
    case unusableContext = "unusable-context"
    case unusableRules = "unusable-rules"
    case callbackNotAllowed = "callback-not-allowed"
    case tooCostly = "too-costly"
    case responseTooLarge = "response-too-large"
    case missingToken = "missing-token"
    case wrongToken = "wrong-token"
    case crossSite = "cross-site"
    case embedderNotAllowed = "embedder-not-allowed"
    case notFound = "not-found"
    case unknownPrompt = "unknown-prompt"
    case unknownAsk = "unknown-ask"
    case unknownLink = "unknown-link"
    case unknownReceipt = "unknown-receipt"
    case methodNotAllowed = "method-not-allowed"
    case requestTimeout = "request-timeout"
    case ended
    case keyReused = "key-reused"
    case lengthRequired = "length-required"
    case contentTooLarge = "content-too-large"
    case targetTooLong = "target-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case unknownHost = "unknown-host"
    case invalidValues = "invalid-values"
    case tooManyRequests = "too-many-requests"
    case headersTooLarge = "headers-too-large"
    case internalError = "internal-error"
    case busy
    case stopping
    case databaseUnavailable = "database-unavailable"
    case versionNotSupported = "version-not-supported"

    /// - Parameter part: of `POST /asks`: `definition`, `schema` or `context`.
    static func ofPart(_ part: String) -> Code {
      switch part {
      case "schema": .unusableSchema
      case "context": .unusableContext
      default: .unusableDefinition
      }
    }
  }

  /// What is wrong, with the facts. `told` has the words for each.
  enum Reason: Sendable {
    /// What every route of the server refuses.
    case http(HTTPError)

    // A body, its keys and its values.
    case unreadBody(String, headers: [(name: String, value: String)] = [])
    case onlyJSON(route: String, remedy: String? = nil)
    case malformedJSON(JSONFault)
    case malformedForm(Form.Fault)
    /// What JSON says.
    case malformed(Fault)
    /// Of the body's keys, parameters and headers: what it must be, and what it is if that helps.
    case wrongValue(String, mustBe: String, not: String? = nil)
    case noPromptName(String)
    case unknownOutcome(String)
    case unknownAction(remedy: String)
    case actionDoesNotApply(Prompt.Button)
    case unknownField(String, of: Prompt)
    case unknownParameter(String, known: [String])
    /// - Parameters:
    ///   - what: a name in quotes, perhaps with what it is.
    ///   - place: `in the query`, or `nil` if that is clear.
    case sentTwice(String, place: String?)

    // What an ask is made of.
    case noQuestion
    case onlyWithSchema(key: String)
    case translatedIntoItself(Language)
    case unusableRule(String)
    case unusable(Code, what: String, why: String)
    /// - Parameters:
    ///   - part: the body's key: `definition`, `schema` or `context`.
    ///   - what: `cannot be used`.
    case unusableParts(_ part: String, _ what: String)
    case metadataWouldChange
    case metadataTooLong(limit: Int)
    case wrongCallback(CallbackURLFault)
    case noCallbacks
    case callbackNotAllowed

    // What costs too much.
    case readingTooCostly(what: String, WorkBudget, why: String)
    case judgingTooCostly(Cost, WorkBudget)
    case responseTooLarge(Int)

    // Who may not.
    case missingToken, wrongToken, crossSite
    case embedderNotAllowed(Origin)
    case unknownHost(String)
    case tooManyRequests(what: String, seconds: Int)

    // What there is not, or not any more.
    case unknownPrompt(String, nearest: String?)
    case unknownAsk, unknownLink, unknownReceipt
    case unknownAskOfTool(String)
    case noAnswerYet(page: String)
    case ended(Outcome.Kind)
    case alreadyEnded(Outcome.Kind)
    case keyReused, keyReusedByTool

    case invalidValues(count: Int, first: Detail?)

    // What the server cannot do.
    case unreadableAsk(any Error)
    case unreadableOutcome(any Error)
    case databaseUnavailable(String)
    case notReady(String)
    case tooManyWatch(limit: Int)
    case tooMuchWaits
    case tooManyQuestions
  }
}

extension Problem.Reason {
  /// The code, the status and the words: what is wrong and what to do.
  var told: (code: Problem.Code, status: Status, detail: String) {
    switch self {
    case .http(let error): (error.code, error.status, error.description)

    case .unreadBody(let what, _):
      (
        .unsupportedMediaType, .unsupportedMediaType,
        "\(what) is not read here; send application/json or application/x-www-form-urlencoded in UTF-8."
      )
    case .onlyJSON(let route, let remedy):
      (
        .unsupportedMediaType, .unsupportedMediaType,
        "\(route) reads application/json" + (remedy.map { "; \($0)." } ?? ".")
      )
    case .malformedJSON(let fault): (.malformedBody, .badRequest, "The body is not valid JSON: \(fault)")
    case .malformedForm(let fault): (.malformedBody, .badRequest, "The form cannot be read: \(fault)")
    case .malformed(let fault):
      (Self.code(fault.kind), .badRequest, fault.sentence.prefix(1).uppercased() + fault.sentence.dropFirst())
    case .wrongValue(let name, let rule, let found):
      (.wrongValue, .badRequest, "“\(name)” must be \(rule)" + (found.map { ", not \($0)." } ?? "."))
    case .noPromptName(let name): (.wrongValue, .badRequest, "“\(name)” cannot name a prompt.")
    case .unknownOutcome(let outcome):
      (
        .wrongValue, .badRequest,
        "“outcome” cannot be “\(Self.shortened(outcome, to: 64))”; send “ok”, “cancel” or “action”."
      )
    case .unknownAction(let remedy):
      (.wrongAction, .badRequest, "“action” must name an action of this prompt; \(remedy)")
    case .actionDoesNotApply(let button):
      (.wrongAction, .badRequest, "“\(button.title)” does not apply to what was entered; choose another button.")
    case .unknownField(let name, let prompt):
      (.unknownField, .badRequest, "The prompt has no field “\(name)”; \(Self.remedy(name, prompt))")
    case .unknownParameter(let name, let known):
      (
        .unknownParameter, .badRequest,
        "There is no query parameter “\(name)” here; "
          + (known.isEmpty ? "this route takes none." : Nearest.remedy(for: name, among: known))
      )
    case .sentTwice(let what, let place):
      (.sentTwice, .badRequest, "\(what) appears twice" + (place.map { " \($0)" } ?? "") + "; send it once.")

    case .noQuestion:
      (
        .missingKey, .badRequest,
        "An ask needs the name of a “prompt”, a “definition” or a “schema”; send one of them."
      )
    case .onlyWithSchema(let key):
      (.unknownKey, .badRequest, "“\(key)” goes with a “schema”; a prompt and a definition have their own.")
    case .translatedIntoItself(let language):
      (
        .wrongValue, .badRequest,
        "“\(language)” is the definition's own language; name the “language” that it is written in."
      )
    case .unusableRule(let why): (.unusableRules, .badRequest, why)
    case .unusable(let code, let what, let why): (code, .badRequest, "\(what): \(why)")
    case .unusableParts(let part, let what):
      (.ofPart(part), .badRequest, "This \(part) \(what); `errors` says where and what to do.")
    case .metadataWouldChange:
      (.wrongValue, .badRequest, "“metadata” would not come back as it was sent; `errors` says where.")
    case .metadataTooLong(let limit):
      (
        .wrongValue, .badRequest,
        "“metadata” is longer than \(limit) bytes of JSON; keep a reference in it instead."
      )
    case .wrongCallback(let fault): (.wrongValue, .badRequest, "“callback” cannot be called: \(fault).")
    case .noCallbacks:
      (
        .callbackNotAllowed, .badRequest,
        "This server sends no callbacks: it was started without --allow-callback. Leave “callback” out, and wait with GET /asks/{id}?wait=25."
      )
    case .callbackNotAllowed:
      (
        .callbackNotAllowed, .badRequest,
        "This server may not call this URL: no prefix that --allow-callback names covers it."
      )

    case .readingTooCostly(let what, let budget, let why):
      (.tooCostly, .badRequest, "\(what) too much work to read (\(budget.description) of CPU are allowed)\(why)")
    case .judgingTooCostly(let cost, let budget): (.tooCostly, .badRequest, Self.words(of: cost, budget))
    case .responseTooLarge(let count):
      (
        .responseTooLarge, .badRequest,
        "The response would have \(count) bytes, more than \(Response.limit); ask for less at a time, as with ?only=."
      )

    case .missingToken:
      (.missingToken, .unauthorized, "This needs the API token; send it as “Authorization: Bearer TOKEN”.")
    case .wrongToken:
      (
        .wrongToken, .unauthorized,
        "This API token is not one of the server's; send one of those in its OKCANCEL_API_TOKEN."
      )
    case .crossSite:
      (
        .crossSite, .forbidden,
        "This request came from another site's page; only origins named with --allow-origin may send such requests."
      )
    case .embedderNotAllowed(let origin):
      (
        .embedderNotAllowed, .forbidden,
        "This server lets no page of \(origin) show its dialogs; to let them, start it with --allow-origin \(origin)."
      )
    case .unknownHost(let name):
      (
        .unknownHost, .misdirectedRequest,
        // An honest client has a name that could be one.
        !name.isEmpty && name.utf8.count <= 253
          ? "This server does not answer to the name “\(name)”. If it should, start it with --allow-host \(name), or with the --base-url that people use."
          : "This server does not answer to that name. Ask for it by a name that it was given with --allow-host or --base-url."
      )
    case .tooManyRequests(let what, let seconds):
      (
        .tooManyRequests, .tooManyRequests,
        "There were too many \(what) from your address; try again in \(seconds) second\(seconds == 1 ? "" : "s")."
      )

    case .unknownPrompt(let name, let nearest):
      (
        .unknownPrompt, .notFound,
        "There is no prompt “\(name)”; "
          + (nearest.map { "did you mean “\($0)”?" } ?? "GET / lists the prompts there are.")
      )
    case .unknownAsk: (.unknownAsk, .notFound, "There is no ask with this id; POST /asks makes one.")
    case .unknownAskOfTool(let text):
      (
        .unknownAsk, .notFound,
        "There is no ask “\(Self.shortened(text, to: 64))”; use the `id` that ask_person returned."
      )
    case .unknownLink:
      (
        .unknownLink, .notFound,
        "There is no question at this address; check the link, or ask for a new one."
      )
    case .unknownReceipt:
      (.unknownReceipt, .notFound, "There is no answer with this receipt; do not trust whoever showed it.")
    case .noAnswerYet(let page): (.notFound, .notFound, "This page follows an answer; open \(page) to give one.")
    case .ended(.expired): (.ended, .gone, "This question has expired.")
    case .ended(.withdrawn): (.ended, .gone, "This question was withdrawn.")
    case .ended: (.ended, .gone, "This question has already been answered.")
    case .alreadyEnded(let outcome):
      (.ended, .conflict, "This ask has already ended, with “\(outcome.rawValue)”.")
    case .keyReused:
      (.keyReused, .conflict, "This Idempotency-Key was used with another body; use a new key.")
    case .keyReusedByTool:
      (
        .keyReused, .conflict,
        "This `key` belongs to another question, which is open or whose answer you have not read; use another key, or the same arguments."
      )

    case .invalidValues(1, let error):
      (
        .invalidValues, .unprocessableContent,
        "The field “\(error?.field ?? "")” is not valid: \(error?.message ?? "")."
      )
    case .invalidValues(let count, _):
      (
        .invalidValues, .unprocessableContent,
        "\(count) fields are not valid; `errors` says what to do in each."
      )

    case .unreadableAsk(let error): (.internalError, .internalServerError, "This ask cannot be read: \(error)")
    case .unreadableOutcome(let error):
      (.internalError, .internalServerError, "The outcome cannot be opened: \(error)")
    case .databaseUnavailable(let why):
      (.databaseUnavailable, .serviceUnavailable, "The server cannot use its database now: \(why)")
    case .notReady(let obstacle): (.databaseUnavailable, .serviceUnavailable, obstacle)
    case .tooManyWatch(let limit):
      (.busy, .serviceUnavailable, "\(limit) pages watch this server already; close some.")
    case .tooMuchWaits:
      (.busy, .serviceUnavailable, "Too many costly requests are waiting; try again in a moment.")
    case .tooManyQuestions:
      (.busy, .serviceUnavailable, "Too many questions are being asked; try again in a moment.")
    }
  }

  /// The headers that belong to it.
  var headers: [(name: String, value: String)] {
    switch self {
    case .http(let error): error.headers
    case .unreadBody(_, let headers):
      [("Accept", "application/json, application/x-www-form-urlencoded")] + headers
    case .onlyJSON: [("Accept", "application/json")]
    case .missingToken, .wrongToken: [("WWW-Authenticate", "Bearer")]
    case .tooManyRequests(_, let seconds): [("Retry-After", String(seconds))]
    case .databaseUnavailable, .notReady, .tooManyWatch: [("Retry-After", "5")]
    case .tooMuchWaits, .tooManyQuestions: [("Retry-After", "1")]
    default: []
    }
  }

  private static func code(_ kind: Fault.Kind) -> Problem.Code {
    switch kind {
    case .missingKey: .missingKey
    case .unknownKey: .unknownKey
    case .unknownField: .unknownField
    case .wrongType: .wrongType
    case .wrongValue: .wrongValue
    }
  }

  private static func remedy(_ name: String, _ prompt: Prompt) -> String {
    prompt.fields.isEmpty ? "it has no fields" : Nearest.remedy(for: name, among: prompt.fields.map(\.name))
  }

  private static func words(of cost: Cost, _ budget: WorkBudget) -> String {
    let what = cost.mostExpensive.map { part in
      part.rule.inWords + (part.field.map { " of the field `\($0)`" } ?? "")
        + " may take up to \(WorkBudget.milliseconds(part.work)) of CPU for this text"
    }
    return "This takes too much work to judge: \(what ?? "it") (in all \(WorkBudget.milliseconds(cost.work)), and "
      + "\(budget.description) are allowed); shorten the text, or make the rule simpler."
  }

  /// It may be as long as a body.
  private static func shortened(_ text: String, to limit: Int) -> String {
    text.unicodeScalars.count <= limit ? text : String(text.unicodeScalars.prefix(limit)) + "…"
  }
}

extension HTTPError {
  fileprivate var code: Problem.Code {
    switch self {
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
  }
}
